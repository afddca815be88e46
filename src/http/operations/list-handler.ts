import type { ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { Query } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { mergeViaHops, serializeVia } from '../../headers/via.js';
import type { RequestLogFields } from '../log/access-log.js';
import { createErrorResponse } from '../representation/error-response.js';
import type { ErrorContext } from '../representation/error-response.js';
import { formatQueryField, createSourceFields } from '../log/log-fields.js';
import { parsePreferences } from '../request/preferences.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';
import {
  isServable,
  createIncompleteAnswerContext,
  createIncompleteAnswerProblem,
} from '../source-report/incomplete-answer-error.js';
import { createFreshnessHeaders, getAnswerFreshness } from '../representation/freshness-headers.js';
import type { OutgoingResponse } from '../representation/outgoing-response.js';
import type { QueryOptions } from '../../source/request/source-request-context.js';
import { getBackend } from './served-resource.js';
import type { ListOptions, ListRequest, QueryBackend } from './served-resource.js';
import { createDisclosure, createListResponse } from './list-response.js';
import type { ListResponseContext } from './list-response-context.js';
import { findMissingItemProblem } from '../source-report/missing-item-problem.js';
import { parseListRequest } from '../request/parse-list-request.js';

/** How the answer to a kind of request is obtained, and what the response to a servable answer is. */
export interface AnswerHandling<A extends AnswerWithReport> {
  /** Queries the sources. Undefined where no source owns the requested id. */
  readonly getAnswer: (backend: QueryBackend, query: Query, options: QueryOptions) => Promise<A | undefined>;
  readonly createResponse: (
    answer: A & { readonly list: ListPage },
    context: ListResponseContext,
  ) => OutgoingResponse | Promise<OutgoingResponse>;
}

/**
 * Handles a GET request for a list or a single item: parses it, queries the sources and creates the response
 * (interfaces 4.1, 4.2). Adds fields to the log line in `logFields`.
 */
export function handleListRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  return handleQuery(options, request, logFields, {
    getAnswer: (backend, query, queryOptions) => backend.answerQuery(query, request.itemId, queryOptions),
    createResponse: createListResponse,
  });
}

/**
 * Parses a request, queries the sources, and creates the response: an error where the answer is not servable (decisions
 * 6.5 to 6.7) or has no such record (decisions 2.34, 2.35), else the response of the handling.
 */
export async function handleQuery<A extends AnswerWithReport>(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
  handling: AnswerHandling<A>,
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
    trace: request.trace,
  };
  const answer = await handling.getAnswer(backend, query, queryOptions);
  if (answer === undefined)
    return createErrorResponse(servedInterface, createItemNotFoundProblem(query.resource), {
      ...errorContext,
      headers: preferences.appliedHeaders,
    });
  addAnswerFields(logFields, answer);
  const { outcomes, report } = answer;
  const freshness = getAnswerFreshness(answer, query.access);
  const { headers } = createFreshnessHeaders(freshness, clock.now());
  const sharedHeaders = {
    Via: serializeVia(mergeViaHops(report.viaHops, options.gatewayName)),
    ...preferences.appliedHeaders,
    ...headers,
  };
  const missingItem = findMissingItemProblem(answer, query.resource);
  const isEvidence = preferences.handling !== 'strict' || answer.list?.completeness === 'complete';
  if (missingItem !== undefined && isEvidence)
    return {
      ...createErrorResponse(servedInterface, missingItem, { ...errorContext, headers: sharedHeaders }),
      ...(query.access === 'members' && { disclosure: createDisclosure(query, request, missingItem.candidates ?? []) }),
    };
  if (!isServable(answer, preferences, request.itemId)) {
    const problem = createIncompleteAnswerProblem(outcomes, createIncompleteAnswerContext(answer, preferences));
    return createErrorResponse(servedInterface, problem, {
      ...errorContext,
      headers: sharedHeaders,
      incompleteSources: report.incompleteSources,
    });
  }
  if (answer.missingItem !== undefined)
    return createErrorResponse(servedInterface, createItemNotFoundProblem(query.resource), {
      ...errorContext,
      headers: sharedHeaders,
    });
  return handling.createResponse(answer, {
    options,
    request,
    query,
    responseFormat,
    sharedHeaders,
    freshness,
    changes,
  });
}

/** Adds to the log line what became of the sources (operation 5.2). */
export function addAnswerFields(logFields: RequestLogFields, { outcomes, waitReason, report }: AnswerWithReport): void {
  logFields.sources = outcomes.every(({ milliseconds }) => milliseconds === 0)
    ? report.logFields
    : createSourceFields(outcomes);
  logFields.cache = waitReason?.reason ?? 'hit';
}

/** Creates the 404 of a single record that does not exist (decisions 2.34, 2.35). */
export function createItemNotFoundProblem({ path }: Resource): Problem {
  return { kind: 'not-found', message: `there is no ${path === 'teams' ? 'team' : 'item'} with this id` };
}
