import type { ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { Query } from '../../model/query.js';
import { renderJsonp } from '../../render/formats.js';
import { formatImfFixdate, formatIsoTimestamp } from '../../text/date.js';
import { foldText } from '../../text/text-folding.js';
import type { RenderInput } from '../../render/render-input.js';
import { serializeDisplayString } from '../../headers/structured-list.js';
import { serializeAttachment } from '../../headers/content-disposition.js';
import type { RequestLogFields } from '../log/access-log.js';
import { createErrorResponse } from '../representation/error-response.js';
import type { ErrorContext } from '../representation/error-response.js';
import { formatQueryField } from '../log/log-fields.js';
import { formatRoute } from '../log/request-span.js';
import { createPagingLinks } from '../representation/paging-links.js';
import type { OutgoingResponse, RenderKey, ResponseBody, TimedHeaders } from '../representation/outgoing-response.js';
import { formatContentType, createRepresentationKey } from '../representation/representation-key.js';
import {
  createCachedFreshnessHeaders,
  createFreshnessHeaders,
  limitFreshness,
} from '../representation/freshness-headers.js';
import type { AnswerFreshness } from '../representation/freshness-headers.js';
import type { ListRequest } from './served-resource.js';
import { prepareRenderInput } from './prepare-render-input.js';
import type { PreparedInput } from './prepare-render-input.js';
import type { AnswerWithList, ListResponseContext, ShownList } from './list-response-context.js';
import type { ValidatorInput } from '../representation/validators.js';
import { findFormatLabel } from '../log/format-label.js';

/** A page or a single item in the requested format (decisions 2.7, 2.10, 3.1). `shown` replaces the records. */
export async function createListResponse(
  wholeAnswer: AnswerWithList,
  context: ListResponseContext,
  shown?: ShownList,
): Promise<OutgoingResponse> {
  const { options, query, responseFormat, sharedHeaders, request } = context;
  const { callback } = query;
  const shownName = shown?.name ?? query.resource.path;
  const prepared = await prepareRenderInput(wholeAnswer, context, shown);
  if ('problem' in prepared) {
    const headers = { ...sharedHeaders, 'Retry-After': RETRY_SECONDS };
    return createErrorResponse(options.servedInterface, prepared.problem, { form: query, responseFormat, headers });
  }
  const answer = prepared.isPartial === true ? markAsPartial(wholeAnswer) : wholeAnswer;
  const { list } = answer;
  const paging = request.itemId === undefined ? createPagingHeaders(list, context) : {};
  const date = getContentDate(answer, prepared);
  const validatorInput = createValidatorInput(answer, context, date);
  return {
    status: 200,
    headers: {
      'Content-Type': formatContentType(responseFormat, callback),
      'X-Version': options.servedInterface.version,
      ...createAttachmentHeaders(list, context, shownName),
      ...paging,
      ...createLastModifiedHeaders(list, date),
      ...(shown?.suggestion !== undefined && { 'Did-You-Mean': serializeDisplayString(shown.suggestion) }),
      ...sharedHeaders,
      ...createContentFreshnessHeaders(context, prepared),
    },
    body: (untilDisconnected) => renderResponseBody(prepared.createInput(untilDisconnected), context),
    ...(list.completeness !== 'partial' && { validatorInput }),
    ...createSharingInput(answer, context, { validatorInput, validUntil: prepared.validUntil, shownName }),
    createError: (problem) => createListError(problem, context),
  };
}

/** The body lacks matches which its list counts (decisions 3.19). */
function markAsPartial(answer: AnswerWithList): AnswerWithList {
  return { ...answer, list: { ...answer.list, completeness: 'partial' } };
}

/** Also as the call of a function (decisions 2.15). */
export function renderResponseBody(
  input: RenderInput,
  { query, responseFormat }: Pick<ListResponseContext, 'query' | 'responseFormat'>,
): ResponseBody {
  const { callback } = query;
  if (callback === undefined) return responseFormat.format.render(input, query);
  return renderJsonp(input.document, query, callback);
}

type ListErrorContext = Pick<ListResponseContext, 'options' | 'query' | 'responseFormat' | 'sharedHeaders'>;

/** Sent in place of a list (decisions 3.12, 6.16). */
export function createListError(
  problem: Problem,
  { options, query, responseFormat, sharedHeaders }: ListErrorContext,
  { incompleteSources }: Pick<ErrorContext, 'incompleteSources'> = {},
): OutgoingResponse {
  return createErrorResponse(options.servedInterface, problem, {
    form: query,
    responseFormat,
    headers: sharedHeaders,
    ...(incompleteSources && { incompleteSources }),
  });
}

/** Pause of the key reader after a failure. */
const RETRY_SECONDS = 60;

/** The content changes before the records do (decisions 3.17), or lacks some of them. */
function createContentFreshnessHeaders(
  { freshness, options }: ListResponseContext,
  { validUntil, isPartial = false }: PreparedInput,
): TimedHeaders['headers'] {
  if (validUntil === undefined && !isPartial) return {};
  const { list } = freshness;
  const shown: AnswerFreshness =
    isPartial && list !== undefined ? { ...freshness, list: { ...list, completeness: 'partial' } } : freshness;
  return createFreshnessHeaders(limitFreshness(shown, validUntil), options.clock.now()).headers;
}

type ContentDate = ListPage['date'];

/** Content that changes while the records stay the same has no date; its entity tag covers the bytes. */
function getContentDate({ list }: AnswerWithList, { validUntil }: PreparedInput): ContentDate {
  return validUntil === undefined ? list.date : { isPending: false };
}

/** A public list is shared with other clients; members data is recorded in the audit log (decisions 8.3). */
function createSharingInput(
  answer: AnswerWithList,
  context: ListResponseContext,
  validity: BodyValidity,
): Pick<OutgoingResponse, 'renderKey' | 'disclosure'> {
  const { request, query } = context;
  if (query.access === 'members') return { disclosure: createDisclosure(query, request, answer.list.records) };
  return request.itemId === undefined ? { renderKey: createRenderKey(answer, context, validity) } : {};
}

/** For the audit log, about a response with members data (operation 5.5). */
export function createDisclosure(
  query: Query,
  { itemId }: ListRequest,
  records: readonly unknown[],
): NonNullable<OutgoingResponse['disclosure']> {
  return { query: formatQueryField(query, itemId), records: records.length };
}

function createValidatorInput(
  { report, list }: AnswerWithList,
  { options }: ListResponseContext,
  { lastModified }: ContentDate,
): ValidatorInput {
  const identifying = list.completeness === 'complete' ? lastModified : undefined;
  return { sourceStates: report.states, lastModified: identifying, now: options.clock.now() };
}

interface BodyValidity {
  readonly validatorInput: ValidatorInput;
  readonly validUntil: number | undefined;
  /** Of the saved file. */
  readonly shownName: string;
}

/** Equal lists in the same representation have the same bytes; only complete lists may be cached. */
function createRenderKey(
  { list, outcomes, report }: AnswerWithList,
  context: ListResponseContext,
  { validatorInput: { sourceStates }, validUntil, shownName }: BodyValidity,
): RenderKey {
  const { request, query, responseFormat, changes, freshness } = context;
  const { mergedList, date, completeness } = list;
  const totals =
    completeness === 'complete' ? [] : outcomes.map(({ outcome }) => ('total' in outcome ? outcome.total : ''));
  const type = formatContentType(responseFormat, query.callback);
  const format = findFormatLabel(type);
  const resource = query.resource.name;
  // For responses that are sent from the cache, without contacting a source.
  const logFields: RequestLogFields = {
    query: formatQueryField(query, request.itemId),
    sources: report.logFields,
    resource,
    cache: 'hit',
    ...(format && { format }),
  };
  const getTimedHeaders = (now: number): TimedHeaders | undefined => {
    if (validUntil !== undefined && validUntil <= now) return undefined;
    const timed = createCachedFreshnessHeaders(limitFreshness(freshness, validUntil), now);
    if (timed === undefined) return undefined;
    // The file is named after the day on which it is saved.
    const headers = { ...timed.headers, ...createAttachmentHeaders(list, context, shownName) };
    return { headers, validUntil: timed.validUntil };
  };
  const key = createRepresentationKey(query, responseFormat);
  const reusePolicy = {
    changes,
    getTimedHeaders,
    logFields,
    route: formatRoute(query.resource),
    total: list.total,
    ...(key !== undefined && { representationKey: key }),
  };
  return {
    name: key ?? `public ${request.path}?${request.rawQuery} ${type}`,
    version: [mergedList.serial, date.lastModified ?? '', sourceStates, validUntil ?? '', ...totals].join(),
    ...(completeness === 'complete' && !date.isPending && { reusePolicy }),
  };
}

/**
 * A file keeps no header fields, so its name states what was asked and when, stale or partial lists, and members data
 * (decisions 3.3).
 */
export function createAttachmentHeaders(
  { completeness }: Pick<ListPage, 'completeness'>,
  {
    options,
    query,
    request,
    responseFormat,
  }: Omit<ListErrorContext, 'sharedHeaders'> & Pick<ListResponseContext, 'request'>,
  shownName: string = query.resource.path,
): Record<string, string> {
  const { isAttachment, extensions } = responseFormat.format;
  if (!isAttachment) return {};
  const { itemId: item } = request;
  const day = formatIsoTimestamp(options.clock.now()).slice(0, 10);
  const name = [shownName, ...(item === undefined ? [...describeFilters(query), day] : [item])].join('-');
  const level = query.access === 'public' ? '' : `.${query.access}`;
  const state = completeness === 'complete' ? '' : `.${completeness}`;
  return { 'Content-Disposition': serializeAttachment(`${name}${level}${state}${extensions[0] ?? ''}`) };
}

/** Say nothing of which records are in a file. */
const FORM_PARAMETERS: ReadonlySet<string> = new Set(['scope', 'sort']);

const DATE_BOUNDS: ReadonlySet<string> = new Set(['after', 'before']);

/** Characters of a file name that all values together may have. */
const MAX_FILTERS_LENGTH = 60;

/**
 * Values of the parameters that select records, in letters and digits of ASCII, or `selection` without any. They are in their canonical form and
 * order, because requests that spell them otherwise share the response.
 */
function describeFilters({ canonicalKey }: Query): readonly string[] {
  const parameters = new URLSearchParams(canonicalKey.slice(canonicalKey.indexOf('?') + 1));
  const values = [...parameters].filter(([name]) => !FORM_PARAMETERS.has(name)).map(describeFilter);
  const words = foldText(values.join(' ').slice(0, MAX_FILTERS_LENGTH)).match(/[a-z\d]+/g);
  return words ?? (values.length > 0 ? ['selection'] : []);
}

/** A date is in its canonical form a number of milliseconds. */
function describeFilter([name, value]: readonly [name: string, value: string]): string {
  return DATE_BOUNDS.has(name) ? `${name} ${formatIsoTimestamp(Number(value)).slice(0, 10)}` : value;
}

/** Decisions 2.11. */
export function createPagingHeaders(
  { total }: Pick<ListPage, 'total'>,
  { options, request, query }: Pick<ListResponseContext, 'options' | 'request' | 'query'>,
): Record<string, string | number> {
  const link = createPagingLinks(options.publicUrl + request.path, query, total);
  return { 'X-Total-Count': total, ...(link !== undefined && { Link: link }) };
}

/** Only the date of a complete response identifies it (decisions 7.7). */
function createLastModifiedHeaders(
  { completeness }: ListPage,
  { lastModified, isPending }: ContentDate,
): Record<string, string> {
  return completeness !== 'complete' || lastModified === undefined || isPending
    ? {}
    : { 'Last-Modified': formatImfFixdate(lastModified) };
}
