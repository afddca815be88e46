import type { ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { Query } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { mergeViaNames, serializeVia } from '../../headers/via.js';
import type { RequestLogFields } from '../log/access-log.js';
import { createErrorResponse } from '../representation/error-response.js';
import { formatQueryField, createSourceFields } from '../log/log-fields.js';
import { parsePreferences } from '../request/preferences.js';
import type { Preferences } from '../request/preferences.js';
import type { AnswerSourceReport, AnswerWithReport } from '../source-report/answer-source-report.js';
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
import { createDisclosure, createListError, createListResponse } from './list-response.js';
import type { ListResponseContext } from './list-response-context.js';
import { createItemNotFoundProblem, findChoiceProblem } from '../source-report/missing-item-problem.js';
import { parseListRequest } from '../request/parse-list-request.js';

/** What differs between kinds of requests: how the answer is obtained, and the response to a servable answer. */
interface AnswerHandling<A extends AnswerWithReport> {
  /** Undefined where no source owns the requested id. */
  readonly getAnswer: (backend: QueryBackend, query: Query, options: QueryOptions) => Promise<A | undefined>;
  readonly createResponse: (
    answer: A & { readonly list: ListPage },
    context: ListResponseContext,
  ) => OutgoingResponse | Promise<OutgoingResponse>;
}

/** For a list or a single item (interfaces 4.1, 4.2). Adds fields to the log line in `logFields`. */
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
 * Responds with an error where the answer is not servable (decisions 6.5 to 6.7) or has no such record (decisions 2.34,
 * 2.35), else as the handling does.
 */
export async function handleQuery<A extends AnswerWithReport>(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
  handling: AnswerHandling<A>,
): Promise<OutgoingResponse> {
  const parsed = parseListRequest(options.rules, request);
  if ('problem' in parsed) return createErrorResponse(options.servedInterface, parsed.problem, parsed);
  const { query, responseFormat } = parsed;
  const preferences = parsePreferences(request.prefer);
  addQueryFields(logFields, query, request.itemId);
  const backend = getBackend(options, query);
  const { changes } = backend.changeCounter;
  const answer = await handling.getAnswer(backend, query, createQueryOptions(request, preferences));
  if (answer === undefined)
    return createListError(createItemNotFoundProblem(query.resource), {
      options,
      query,
      responseFormat,
      sharedHeaders: preferences.appliedHeaders,
    });
  addAnswerFields(logFields, answer);
  const freshness = getAnswerFreshness(answer, query.access);
  const sharedHeaders = createSharedHeaders({ options, report: answer.report, preferences, freshness });
  const context = { options, request, query, responseFormat, sharedHeaders, freshness, changes };
  const choice = findProvenChoice(answer, query.resource, preferences);
  if (choice !== undefined) return createChoiceResponse(choice, context);
  if (!isServable(answer, preferences, request.itemId))
    return createIncompleteAnswerResponse(answer, preferences, context);
  if (answer.missingItem !== undefined)
    return createListError(createItemNotFoundProblem(query.resource, answer), context);
  return handling.createResponse(answer, context);
}

function createQueryOptions({ isRelayed, trace, client }: ListRequest, { isPrivate }: Preferences): QueryOptions {
  return { isPrivate, isRelayed, prefetchNextPage: !isPrivate, trace, client };
}

/** An error in place of the list has these too. */
function createSharedHeaders({
  options: { gatewayName, clock },
  report,
  preferences,
  freshness,
}: Pick<ListResponseContext, 'options' | 'freshness'> & {
  readonly report: AnswerSourceReport;
  readonly preferences: Preferences;
}): ListResponseContext['sharedHeaders'] {
  return {
    Via: serializeVia(mergeViaNames(report.viaNames, gatewayName)),
    ...preferences.appliedHeaders,
    ...createFreshnessHeaders(freshness, clock.now()).headers,
  };
}

/** With `handling=strict` only a complete list proves that several teams may be meant. */
function findProvenChoice(
  answer: AnswerWithReport,
  resource: Resource,
  { handling }: Preferences,
): Problem | undefined {
  const isEvidence = handling !== 'strict' || answer.list?.completeness === 'complete';
  return isEvidence ? findChoiceProblem(answer, resource) : undefined;
}

function createChoiceResponse(problem: Problem, context: ListResponseContext): OutgoingResponse {
  const { query, request } = context;
  const response = createListError(problem, context);
  return query.access === 'members'
    ? { ...response, disclosure: createDisclosure(query, request, problem.candidates ?? []) }
    : response;
}

function createIncompleteAnswerResponse(
  answer: AnswerWithReport,
  preferences: Preferences,
  context: ListResponseContext,
): OutgoingResponse {
  const { outcomes, report } = answer;
  const problem = createIncompleteAnswerProblem(outcomes, createIncompleteAnswerContext(answer, preferences));
  return createListError(problem, context, report);
}

/** Operation 5.2. */
function addQueryFields(logFields: RequestLogFields, query: Query, itemId: string | undefined): void {
  logFields['query'] = formatQueryField(query, itemId);
  if (query.access === 'members') logFields['access'] = query.access;
}

export function addAnswerFields(logFields: RequestLogFields, { outcomes, waitReason, report }: AnswerWithReport): void {
  logFields.sources = outcomes.every(({ milliseconds }) => milliseconds === 0)
    ? report.logFields
    : createSourceFields(outcomes);
  logFields.cache = waitReason?.reason ?? 'hit';
}
