import type { Problem } from '../../model/error-catalogue.js';
import type { Query } from '../../model/query.js';
import { firstErrorPerParameter, parseQuery } from '../../query/parse-query.js';
import type { OutputOptions, ParsedQuery, QueryRules } from '../../query/parse-query.js';
import { chooseResponseFormat } from './response-format.js';
import type { ResponseFormat } from './response-format.js';
import type { RequestTarget } from './request-target.js';

/** A parsed list request: its query, or the problem for which it is rejected. */
export type ParsedListRequest = { readonly responseFormat: ResponseFormat } & (
  | { readonly query: Query }
  | { readonly problem: Problem; readonly form: OutputOptions; readonly headers?: Readonly<Record<string, string>> }
);

/**
 * Parses a request for a list or a single item (interfaces 4.1, 4.2) from its path, its raw query string and its Accept
 * field. All parameter errors are reported together (decisions 2.18).
 */
export function parseListRequest(
  rules: QueryRules,
  { path, rawQuery: query, accept }: RequestTarget & { accept: string | undefined },
): ParsedListRequest {
  const { resource } = rules.vocabulary;
  const parsedQuery = parseQuery(query, rules);
  const responseFormat = chooseResponseFormat({ path, accept, callback: getForm(parsedQuery).callback, resource });
  const parsed = checkCallback(parsedQuery, responseFormat);
  if (!('query' in parsed)) return { responseFormat, form: parsed.form, ...createQueryProblem(parsed) };
  return responseFormat.problem
    ? { responseFormat, form: parsed.query, problem: responseFormat.problem }
    : { responseFormat, query: parsed.query };
}

function getForm(parsed: ParsedQuery): OutputOptions {
  return 'query' in parsed ? parsed.query : parsed.form;
}

/** Adds the error of a callback in another format than JSON to the other parameter errors (decisions 2.15). */
function checkCallback(parsed: ParsedQuery, { format }: ResponseFormat): ParsedQuery {
  const form = getForm(parsed);
  if (form.callback === undefined || format.name === 'json') return parsed;
  const error = { parameter: 'callback', message: `requires JSON, but ${format.name} was requested` };
  const [first, ...more] = 'errors' in parsed ? firstErrorPerParameter([...parsed.errors, error]) : [error];
  return { errors: [first ?? error, ...more], form };
}

function createQueryProblem(parsed: Exclude<ParsedQuery, { readonly query: Query }>): {
  readonly problem: Problem;
  readonly headers?: Readonly<Record<string, string>>;
} {
  if ('requiredAccess' in parsed) {
    const message = `the scope ${parsed.requiredAccess} needs credentials`;
    return { problem: { kind: 'unauthorized', message }, headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  const message = parsed.errors.map((error) => `${error.parameter} ${error.message}`).join('; ');
  return { problem: { kind: 'bad-request', message, errors: parsed.errors } };
}
