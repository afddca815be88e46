import type { Problem } from '../model/error-catalogue.js';
import type { Query } from '../model/query.js';
import { formats } from '../render/formats.js';
import type { Operation, ServedResource } from './operations/served-resource.js';
import { isBelowBasePath, compilePathPattern, decodePathPart, parseRequestTarget } from './request/request-target.js';
import { formatRoute } from './log/request-span.js';
import { parseListRequest } from './request/parse-list-request.js';
import type { ParsedListRequest } from './request/parse-list-request.js';
import type { RequestTarget } from './request/request-target.js';
import type { QueryRules } from '../query/parse-query.js';

/** Of a request target (decisions 2.3). */
const MAX_TARGET_BYTES = 8 * 1024;

/** Lists the paths of the interface whose base path the path begins with, else of both, without extensions. */
export function createNotFoundProblem(path: string, resources: readonly ServedResource[]): Problem {
  const sameInterface = resources.filter(({ basePath: base }) => isBelowBasePath(path, base));
  const paths = (sameInterface.length > 0 ? sameInterface : resources).map((one) => formatOperationPath(one, 'ID'));
  return { kind: 'not-found', message: `no resource at this path; resources are at ${paths.join(', ')}` };
}

/** Without extension. `item` is in the place of the id of a single item. */
export function formatOperationPath(served: ServedResource, item: string): string {
  const { path, suffix } = getPathParts(served);
  return `${served.basePath}/${path}${served.options.rules.item === true ? `/${item}` : ''}${suffix}`;
}

/** Below the base path of its interface, and what follows the id of a record. */
export function getPathParts({ operation, options }: ServedResource): {
  readonly path: string;
  readonly suffix: string;
} {
  const { path } = options.rules.vocabulary.resource;
  return { path, suffix: '', ...OPERATION_PATHS[operation] };
}

const OPERATION_PATHS: Readonly<Record<Operation, { readonly path?: string; readonly suffix?: string }>> = {
  read: {},
  'same-team': { suffix: '/same' },
  search: { path: 'search' },
  countries: {},
};

/** The target cannot be decoded. */
export const UNREADABLE_REQUEST: Problem = { kind: 'bad-request', message: 'the request cannot be parsed' };

/** Undefined for a target that is not too long. */
export function checkTargetLength(target: string): Problem | undefined {
  if (target.length <= MAX_TARGET_BYTES) return undefined;
  return { kind: 'target-too-long', message: `the request target is longer than ${MAX_TARGET_BYTES} bytes` };
}

/** For the span of a request (operation 7.2). */
export function formatRouteTemplate(served: ServedResource): string {
  const { vocabulary, item = false } = served.options.rules;
  const { path, suffix } = getPathParts(served);
  return formatRoute({ ...vocabulary.resource, path }, `${item ? '/{id}' : ''}${suffix}`);
}

/** Exact paths, extensions included (decisions 2.4). */
export function compileRoutePattern(served: ServedResource): RegExp {
  const { vocabulary, item = false } = served.options.rules;
  const { path, suffix } = getPathParts(served);
  const resource = { ...vocabulary.resource, path };
  return compilePathPattern(served.basePath, resource, { item, suffix, formats });
}

export interface ResolvedTarget {
  readonly resource: ServedResource;
  readonly query: Query;
  /** In the path; undefined for a list. */
  readonly itemId: string | undefined;
}

/** As a GET request without Accept, with members access where needed. A problem where the server would reject it. */
export function resolveTarget(
  target: string,
  resources: readonly ServedResource[],
): ResolvedTarget | { readonly problem: Problem } {
  const problem = checkTargetLength(target);
  if (problem !== undefined) return { problem };
  const { path, rawQuery: query } = parseRequestTarget(target);
  for (const resource of resources) {
    const match = compileRoutePattern(resource).exec(path);
    if (match === null) continue;
    const parsed = parseTarget(resource.options.rules, { path, rawQuery: query });
    if ('problem' in parsed) return parsed;
    const item = match.groups?.['item'];
    const itemId = item === undefined ? undefined : decodePathPart(item);
    if (item !== undefined && itemId === undefined) return { problem: UNREADABLE_REQUEST };
    return { resource, query: parsed.query, itemId };
  }
  return { problem: createNotFoundProblem(path, resources) };
}

function parseTarget(rules: QueryRules, target: RequestTarget): ParsedListRequest {
  const anonymous = parseListRequest(rules, { ...target, accept: undefined, clientAccess: undefined });
  const needsAccess = 'problem' in anonymous && anonymous.problem.kind === 'unauthorized';
  return needsAccess ? parseListRequest(rules, { ...target, accept: undefined, clientAccess: 'members' }) : anonymous;
}
