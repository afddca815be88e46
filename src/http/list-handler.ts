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
import { getBackend } from './served-resource.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import { createDisclosure, createListResponse } from './list-response.js';
import { findMissingTeamProblem } from './missing-team-problem.js';
import { parseListRequest } from './request/parse-list-request.js';

/**
 * Handles a GET request for a list or a single item: parses it, queries the sources and creates the response
 * (interfaces 4.1, 4.2). Adds fields to the log line in `logFields`.
 */
export async function handleListRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const { servedInterface, rules, clock } = options;
  const parsed = parseListRequest(rules, request);
  const { responseFormat } = parsed;
  if ('problem' in parsed) return createErrorResponse(servedInterface, parsed.problem, parsed);
  const { query } = parsed;
  const errorContext: ErrorContext = { form: query, responseFormat };
  const preferences = parsePreferences(request.prefer);
  logFields['query'] = formatQueryField(query, request.itemId);
  if (query.access === 'members') logFields['access'] = query.access;
  const backend = getBackend(options, query);
  const { changes } = backend.changeCounter;
  const queryOptions: QueryOptions = {
    isPrivate: preferences.isPrivate,
    isRelayed: request.isRelayed,
    prefetchNextPage: !preferences.isPrivate,
  };
  const answer = await backend.answerQuery(query, request.itemId, queryOptions);
  if (answer === undefined)
    return createErrorResponse(servedInterface, ITEM_NOT_FOUND, {
      ...errorContext,
      headers: preferences.appliedHeaders,
    });
  const { outcomes, waitReason, report } = answer;
  logFields.sources = outcomes.every(({ milliseconds }) => milliseconds === 0)
    ? report.logFields
    : createSourceFields(outcomes);
  logFields.cache = waitReason?.reason ?? 'hit';
  const freshness = getAnswerFreshness(answer, query.access);
  const { headers } = createFreshnessHeaders(freshness, clock.now());
  const sharedHeaders = {
    Via: serializeVia(mergeViaHops(report.viaHops, options.gatewayName)),
    ...preferences.appliedHeaders,
    ...headers,
  };
  const missingTeam = findMissingTeamProblem(answer, query.resource);
  const isEvidence = preferences.handling !== 'strict' || answer.list?.completeness === 'complete';
  if (missingTeam !== undefined && isEvidence)
    return {
      ...createErrorResponse(servedInterface, missingTeam, { ...errorContext, headers: sharedHeaders }),
      ...(query.access === 'members' && { disclosure: createDisclosure(query, request, missingTeam.candidates ?? []) }),
    };
  if (!isServable(answer, preferences, request.itemId)) {
    const problem = createIncompleteAnswerProblem(outcomes, createIncompleteAnswerContext(answer, preferences));
    return createErrorResponse(servedInterface, problem, {
      ...errorContext,
      headers: sharedHeaders,
      incompleteSources: report.incompleteSources,
    });
  }
  if (request.itemId !== undefined && answer.list.total === 0) {
    return createErrorResponse(servedInterface, ITEM_NOT_FOUND, { ...errorContext, headers: sharedHeaders });
  }
  return createListResponse(answer, {
    options,
    request,
    query,
    responseFormat,
    sharedHeaders,
    freshness,
    changes,
  });
}

/** The 404 of a single item that does not exist (decisions 2.34). */
export const ITEM_NOT_FOUND: Problem = { kind: 'not-found', message: 'there is no item with this id' };
