import type { Problem } from '../../model/error-catalogue.js';
import type { AccessLevel } from '../../model/access-level.js';
import type { Query, TeamScope } from '../../model/query.js';
import { firstErrorPerParameter, parseQuery } from '../../query/parse-query.js';
import type { OutputOptions, ParsedQuery, QueryRules } from '../../query/parse-query.js';
import type { Format } from '../../render/formats.js';
import { describeFormatTarget } from './served-formats.js';
import { chooseResponseFormat } from './response-format.js';
import type { ResponseFormat } from './response-format.js';
import type { RequestTarget } from './request-target.js';

interface ListRequestInput extends RequestTarget {
  readonly accept: string | undefined;
  /** Undefined where the request has no credentials. */
  readonly clientAccess: AccessLevel | undefined;
}

/** Its query, or the problem for which the request is rejected. */
export type ParsedListRequest = { readonly responseFormat: ResponseFormat } & (
  | { readonly query: Query }
  | { readonly problem: Problem; readonly form: OutputOptions; readonly headers?: Readonly<Record<string, string>> }
);

/** For a list or a single item (interfaces 4.1, 4.2). All parameter errors are reported together (decisions 2.17). */
export function parseListRequest(
  rules: QueryRules,
  { path, rawQuery: query, accept, clientAccess }: ListRequestInput,
): ParsedListRequest {
  const parsedQuery = parseQuery(query, rules, clientAccess ?? 'public');
  const target = describeFormatTarget(rules, 'query' in parsedQuery ? parsedQuery.query.scope : undefined);
  const responseFormat = chooseResponseFormat({ path, accept, callback: getForm(parsedQuery).callback, target });
  const parsed = checkCallback(parsedQuery, responseFormat);
  if (!('query' in parsed)) return { responseFormat, form: parsed.form, ...createQueryProblem(parsed, clientAccess) };
  return responseFormat.problem
    ? { responseFormat, form: parsed.query, problem: responseFormat.problem }
    : {
        responseFormat,
        query: isFileOfRecords(responseFormat.format) ? { isFile: true, ...parsed.query } : parsed.query,
      };
}

/** GeoJSON shows numbers of records only. */
function isFileOfRecords({ isAttachment, input }: Format): boolean {
  return isAttachment && input !== 'countries';
}

function getForm(parsed: ParsedQuery): OutputOptions {
  return 'query' in parsed ? parsed.query : parsed.form;
}

/** Adds the error of a callback in another format than JSON, or at members access (decisions 2.15). */
function checkCallback(parsed: ParsedQuery, { format }: ResponseFormat): ParsedQuery {
  const form = getForm(parsed);
  if (form.callback === undefined || 'refusedScope' in parsed) return parsed;
  const isMembers = 'query' in parsed && parsed.query.access === 'members';
  if (format.name === 'json' && !isMembers) return parsed;
  const message = isMembers ? 'is not supported at members access' : `requires JSON, but ${format.name} was requested`;
  const error = { parameter: 'callback', message };
  const [first, ...more] = 'errors' in parsed ? firstErrorPerParameter([...parsed.errors, error]) : [error];
  return { errors: [first ?? error, ...more], form };
}

function createQueryProblem(
  parsed: Exclude<ParsedQuery, { readonly query: Query }>,
  clientAccess: AccessLevel | undefined,
): { readonly problem: Problem; readonly headers?: Readonly<Record<string, string>> } {
  if ('refusedScope' in parsed) return createAccessProblem(parsed, clientAccess);
  const message = parsed.errors.map((error) => `${error.parameter} ${error.message}`).join('; ');
  return { problem: { kind: 'bad-request', message, errors: parsed.errors } };
}

/** The 401 of a client without credentials, or the 403 of insufficient access (decisions 8.1). */
function createAccessProblem(
  { refusedScope, isKeySearch }: { readonly refusedScope: TeamScope; readonly isKeySearch: boolean },
  clientAccess: AccessLevel | undefined,
): { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> } {
  const refused = isKeySearch ? 'a search for a key' : `the scope ${refusedScope}`;
  if (clientAccess === undefined)
    return {
      problem: { kind: 'unauthorized', message: `${refused} needs credentials` },
      headers: { 'WWW-Authenticate': 'Bearer' },
    };
  return {
    problem: { kind: 'forbidden', message: `${refused} needs members access` },
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope"' },
  };
}
