import type { ListPage, SearchAnswer } from '../../gateway/gateway.js';
import { mergeViaNames, serializeVia } from '../../headers/via.js';
import { addAnswerFields } from '../../http/operations/list-handler.js';
import type { RequestLogFields } from '../../http/log/access-log.js';
import { formatQueryField } from '../../http/log/log-fields.js';
import { createItemNotFoundProblem, findChoiceProblem } from '../../http/source-report/missing-item-problem.js';
import { createFreshnessHeaders, getAnswerFreshness } from '../../http/representation/freshness-headers.js';
import type { HeaderFields } from '../../http/representation/validators.js';
import { parsePreferences } from '../../http/request/preferences.js';
import type { Preferences } from '../../http/request/preferences.js';
import { getBackend } from '../../http/operations/served-resource.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { AnswerWithReport } from '../../http/source-report/answer-source-report.js';
import {
  createIncompleteAnswerContext,
  createIncompleteAnswerProblem,
  isServable,
} from '../../http/source-report/incomplete-answer-error.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { ParameterError, Query } from '../../model/query.js';
import type { TraceSpan } from '../../model/tracer.js';
import { parseQuery } from '../../query/parse-query.js';
import type { QueryOptions } from '../../source/request/source-request-context.js';

export interface PageQuery {
  readonly resource: ServedResource;
  /** Of the interface, without `?`. */
  readonly rawQuery: string;
  readonly prefer: string;
  /** Absent: the request is not traced. */
  readonly trace?: TraceSpan | undefined;
  /** See `QueryOptions.client`. Absent: an unknown client. */
  readonly client?: string | undefined;
  readonly pageSize: number;
  /** Absent for a list. */
  readonly itemId?: string;
}

/** A search also has all its hits, and the usual spelling of its text. */
type AnswerOfPage = AnswerWithReport & Partial<Pick<SearchAnswer, 'collectHits' | 'suggestion'>>;

export interface PageAnswer {
  readonly query: Query;
  /** Absent where no source owns the requested id. */
  readonly answer?: AnswerOfPage;
  /** For a single record a list with exactly that one; or why there is no list (decisions 2.35, 6.5 to 6.7). */
  readonly result: { readonly list: ListPage } | { readonly problem: Problem };
  /** Source-Status, Cache-Control, Cache-Status, Via and Preference-Applied, as the interface sends them. */
  readonly headers: HeaderFields;
}

export interface InvalidPageQuery {
  readonly errors: readonly ParameterError[];
}

/**
 * As the interface answers it: the same parser, sources and rules about incomplete answers, always at public access.
 * Returns the errors of parameters where the query cannot be parsed.
 */
export async function answerPageQuery(
  { resource, rawQuery, prefer, trace, client, pageSize, itemId }: PageQuery,
  logFields: RequestLogFields,
): Promise<PageAnswer | InvalidPageQuery> {
  const { options } = resource;
  const rules = { ...options.rules, limit: { default: pageSize, max: pageSize } };
  const parsed = parseQuery(rawQuery, rules, 'public');
  if ('errors' in parsed) return parsed;
  if ('refusedScope' in parsed) return { errors: [{ parameter: 'scope', message: 'needs credentials' }] };
  const { query } = parsed;
  const preferences = parsePreferences(prefer);
  const { isPrivate, appliedHeaders } = preferences;
  logFields['query'] = formatQueryField(query, itemId);
  const queryOptions = { isPrivate, isRelayed: false, prefetchNextPage: !isPrivate, trace, client };
  const answer = await getAnswer(resource, { query, itemId }, queryOptions);
  if (answer === undefined)
    return { query, result: { problem: createItemNotFoundProblem(query.resource) }, headers: appliedHeaders };
  addAnswerFields(logFields, answer);
  const { headers } = createFreshnessHeaders(getAnswerFreshness(answer, 'public'), options.clock.now());
  const via = serializeVia(mergeViaNames(answer.report.viaNames, options.gatewayName));
  return {
    query,
    answer,
    result: readResult(query, answer, { preferences, itemId }),
    headers: { Via: via, ...appliedHeaders, ...headers },
  };
}

/** Undefined where the query has errors, or there is a problem in place of the list. */
export function listOf(outcome: PageAnswer | InvalidPageQuery): ListPage | undefined {
  return 'errors' in outcome || 'problem' in outcome.result ? undefined : outcome.result.list;
}

function getAnswer(
  { operation, options }: ServedResource,
  { query, itemId }: { readonly query: Query; readonly itemId: string | undefined },
  queryOptions: QueryOptions,
): Promise<AnswerOfPage | undefined> {
  const backend = getBackend(options, query);
  return operation === 'search'
    ? backend.search(query, queryOptions)
    : backend.answerQuery(query, itemId, queryOptions);
}

function readResult(
  { resource }: Query,
  answer: AnswerWithReport,
  { preferences, itemId }: { readonly preferences: Preferences; readonly itemId: string | undefined },
): PageAnswer['result'] {
  const choice = findChoiceProblem(answer, resource);
  const isEvidence = preferences.handling !== 'strict' || answer.list?.completeness === 'complete';
  if (choice !== undefined && isEvidence) return { problem: choice };
  if (!isServable(answer, preferences, itemId)) {
    const context = createIncompleteAnswerContext(answer, preferences);
    return { problem: createIncompleteAnswerProblem(answer.outcomes, context) };
  }
  return answer.missingItem === undefined
    ? { list: answer.list }
    : { problem: createItemNotFoundProblem(resource, answer) };
}
