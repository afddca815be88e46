import type { Problem } from '../model/error-catalogue.js';
import { mergeViaHops, serializeVia } from '../headers/via.js';
import type { RequestLogFields } from './log/access-log.js';
import { createErrorResponse } from './representation/error-response.js';
import type { ErrorContext } from './representation/error-response.js';
import { formatQueryField, createSourceFields } from './log/log-fields.js';
import { parsePreferences } from './request/preferences.js';
import {
  isServable,
  createIncompleteAnswerContext,
  createIncompleteAnswerProblem,
} from './source-report/incomplete-answer-error.js';
import { createFreshnessHeaders, getAnswerFreshness } from './representation/freshness-headers.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import type { QueryOptions } from '../source/request/source-request-context.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import { createListResponse } from './list-response.js';
import { parseListRequest } from './request/parse-list-request.js';

/**
 * Handles a GET request for a list or a single item: parses it, queries the sources and creates the response
 * (interfaces 4.1, 4.2). Adds fields to the log line in `facts`.
 */
export async function handleListRequest(
  options: ListOptions,
  request: ListRequest,
  facts: RequestLogFields,
): Promise<OutgoingResponse> {
  const { servedInterface: face, rules, clock } = options;
  const understood = parseListRequest(rules, request);
  const { responseFormat: asked } = understood;
  if ('problem' in understood) return createErrorResponse(face, understood.problem, understood);
  const { query } = understood;
  const as: ErrorContext = { form: query, responseFormat: asked };
  const preferences = parsePreferences(request.prefer);
  facts['query'] = formatQueryField(query, request.itemId);
  const { changes } = options.changeCounter;
  const queryOptions: QueryOptions = {
    isPrivate: preferences.isPrivate,
    isRelayed: request.isRelayed,
    prefetchNextPage: !preferences.isPrivate,
  };
  const answer = await options.answerQuery(query, request.itemId, queryOptions);
  if (answer === undefined)
    return createErrorResponse(face, ITEM_NOT_FOUND, { ...as, headers: preferences.appliedHeaders });
  const { outcomes, waitReason: waited, report } = answer;
  facts.sources = outcomes.every(({ milliseconds }) => milliseconds === 0)
    ? report.logFields
    : createSourceFields(outcomes);
  facts.cache = waited?.reason ?? 'hit';
  const resting = getAnswerFreshness(answer);
  const { headers } = createFreshnessHeaders(resting, clock.now());
  const shared = {
    Via: serializeVia(mergeViaHops(report.viaHops, options.gatewayName)),
    ...preferences.appliedHeaders,
    ...headers,
  };
  if (!isServable(answer, preferences, request.itemId)) {
    const problem = createIncompleteAnswerProblem(outcomes, createIncompleteAnswerContext(answer, preferences));
    return createErrorResponse(face, problem, { ...as, headers: shared, incompleteSources: report.incompleteSources });
  }
  if (request.itemId !== undefined && answer.list.total === 0) {
    return createErrorResponse(face, ITEM_NOT_FOUND, { ...as, headers: shared });
  }
  return createListResponse(answer, {
    options,
    request,
    query,
    responseFormat: asked,
    sharedHeaders: shared,
    freshness: resting,
    changes,
  });
}

/** The 404 of a single item that does not exist (decisions 2.34). */
export const ITEM_NOT_FOUND: Problem = { kind: 'not-found', message: 'there is no item with this id' };
