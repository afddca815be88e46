import type { Problem } from '../model/error-catalogue.js';
import type { Query } from '../model/query.js';
import { formats } from '../render/formats.js';
import type { ServedResource } from './served-resource.js';
import { isBelowBasePath, compilePathPattern, parseRequestTarget } from './request/request-target.js';
import { parseListRequest } from './request/parse-list-request.js';

/** Longest request target, in bytes (decisions.md, section 2). */
const MAX_TARGET_BYTES = 8 * 1024;

/**
 * That nothing is served at a path, and at which paths something is: those of the interface whose base address the path begins with, else
 * all. Paths with an extension are not listed.
 */
export function createNotFoundProblem(path: string, served: readonly ServedResource[]): Problem {
  const near = served.filter(({ basePath: base }) => isBelowBasePath(path, base));
  const paths = (near.length > 0 ? near : served).map(formatResourcePath);
  return { kind: 'not-found', message: `there is nothing at this path; resources are at ${paths.join(', ')}` };
}

function formatResourcePath({ basePath: base, options: { rules } }: ServedResource): string {
  const path = `${base}/${rules.vocabulary.resource.path}`;
  return rules.item === true ? `${path}/ID` : path;
}

/** What a target is told that is longer than is read; undefined for any other. */
export function checkTargetLength(target: string): Problem | undefined {
  if (target.length <= MAX_TARGET_BYTES) return undefined;
  return { kind: 'target-too-long', message: `the request target is longer than ${MAX_TARGET_BYTES} bytes` };
}

/** The paths at which a resource is served. */
export function compileRoutePattern({ basePath: base, options }: ServedResource): RegExp {
  const { vocabulary, item = false } = options.rules;
  return compilePathPattern(base, vocabulary.resource, { item, formats });
}

/** What a request target asks for. */
export interface ResolvedTarget {
  readonly resource: ServedResource;
  readonly query: Query;
  /** Id of the one item that the path names. */
  readonly itemId: number | undefined;
}

/** What a GET of a target asks for that says nothing but that; or what it would be told instead of being answered. */
export function resolveTarget(
  target: string,
  served: readonly ServedResource[],
): ResolvedTarget | { readonly problem: Problem } {
  const problem = checkTargetLength(target);
  if (problem !== undefined) return { problem };
  const { path, rawQuery: query } = parseRequestTarget(target);
  for (const one of served) {
    const match = compileRoutePattern(one).exec(path);
    if (match === null) continue;
    const understood = parseListRequest(one.options.rules, { path, rawQuery: query, accept: undefined });
    if ('problem' in understood) return understood;
    const item = match.groups?.['item'];
    return { resource: one, query: understood.query, itemId: item === undefined ? undefined : Number(item) };
  }
  return { problem: createNotFoundProblem(path, served) };
}
