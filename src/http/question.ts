import type { Problem } from '../model/error.js';
import type { Query } from '../model/query.js';
import { formats } from '../render/formats.js';
import type { Served } from './serving.js';
import { isBelow, pathPattern, readTarget } from './target.js';
import { understand } from './understand.js';

/** Longest request target, in bytes (decisions.md, section 2). */
const LONGEST_TARGET = 8 * 1024;

/**
 * That nothing is served at a path, and at which paths something is: those of the interface whose base address the path begins with, else
 * all. Paths with an extension are not listed.
 */
export function notFound(path: string, served: readonly Served[]): Problem {
  const near = served.filter(({ base }) => isBelow(path, base));
  const paths = (near.length > 0 ? near : served).map(listedPath);
  return { kind: 'not-found', message: `there is nothing at this path; resources are at ${paths.join(', ')}` };
}

function listedPath({ base, options: { rules } }: Served): string {
  const path = `${base}/${rules.vocabulary.resource.path}`;
  return rules.item === true ? `${path}/ID` : path;
}

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
  return { problem: notFound(path, served) };
}
