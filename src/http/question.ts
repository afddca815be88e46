import type { Problem } from '../model/error.js';
import type { Query } from '../model/query.js';
import { formats } from '../render/formats.js';
import type { Served } from './serving.js';
import { pathPattern, readTarget } from './target.js';
import { understand } from './understand.js';

/** Longest request target, in bytes (decisions.md, section 2). */
const LONGEST_TARGET = 8 * 1024;

/** What a path is told at which nothing is served. */
export const NOT_FOUND: Problem = { kind: 'not-found', message: 'there is nothing at this path' };

/** What a target is told that is longer than is read; undefined for any other. */
export function tooLong(target: string): Problem | undefined {
  if (target.length <= LONGEST_TARGET) return undefined;
  return { kind: 'target-too-long', message: `the request target is longer than ${LONGEST_TARGET} bytes` };
}

/** The paths at which a resource is served. */
export function pathsOf({ base, options }: Served): RegExp {
  const { vocabulary, item = false } = options.rules;
  return pathPattern(base, vocabulary.resource, { item, formats });
}

/** What a request target asks for. */
export interface Question {
  readonly served: Served;
  readonly query: Query;
  /** Id of the one item that the path names. */
  readonly item: number | undefined;
}

/** What a GET of a target asks for that says nothing but that; or what it would be told instead of being answered. */
export function questionOf(target: string, served: readonly Served[]): Question | { readonly problem: Problem } {
  const problem = tooLong(target);
  if (problem !== undefined) return { problem };
  const { path, query } = readTarget(target);
  for (const one of served) {
    const match = pathsOf(one).exec(path);
    if (match === null) continue;
    const understood = understand(one.options.rules, { path, query, accept: undefined });
    if ('problem' in understood) return understood;
    const item = match.groups?.['item'];
    return { served: one, query: understood.query, item: item === undefined ? undefined : Number(item) };
  }
  return { problem: NOT_FOUND };
}
