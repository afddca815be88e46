import type { ListPage } from '../gateway/gateway.js';
import type { Problem } from '../model/error-catalogue.js';
import { scopeFields } from '../model/resources/team-scopes.js';
import type { DocumentNode } from '../model/document-node.js';
import type { AccessKey } from '../model/access-level.js';
import type { Query } from '../model/query.js';
import { showsWholeRecords } from '../query/vocabulary.js';
import { buildEnvelope } from '../render/envelope.js';
import { renderJsonp } from '../render/formats.js';
import type { RenderInput, Table } from '../render/render-input.js';
import { createProjector } from '../projection/record-projector.js';
import { createScopeProjector } from '../projection/scope-projector.js';
import { ProjectedRecords } from '../projection/projected-records.js';
import { formatImfFixdate } from '../text/date.js';
import { serializeAttachment } from '../headers/content-disposition.js';
import type { AnswerWithReport } from './source-report/answer-source-report.js';
import type { ResponseFormat } from './request/response-format.js';
import type { RequestLogFields } from './log/access-log.js';
import type { UntilDisconnected } from './representation/waiting-clients.js';
import { createErrorResponse } from './representation/error-response.js';
import { formatQueryField } from './log/log-fields.js';
import { formatRoute } from './log/request-span.js';
import { createPagingLinks, createPublicPageUrl } from './representation/paging-links.js';
import type { OutgoingResponse, RenderKey, TimedHeaders } from './representation/outgoing-response.js';
import { formatContentType, createRepresentationKey } from './representation/representation-key.js';
import { createCachedFreshnessHeaders } from './representation/freshness-headers.js';
import type { AnswerFreshness } from './representation/freshness-headers.js';
import { getBackend } from './served-resource.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import { createTableMetadata, listTableColumns } from './representation/table-columns.js';
import type { ValidatorInput } from './representation/validators.js';
import { findFormatLabel } from './log/format-label.js';

/** Everything besides the answer that determines a list response. */
export interface ListResponseContext {
  readonly options: ListOptions;
  readonly request: ListRequest;
  readonly query: Query;
  readonly responseFormat: ResponseFormat;
  /** Header fields that an error in place of the list carries too. */
  readonly sharedHeaders: Readonly<Record<string, string>>;
  readonly freshness: AnswerFreshness;
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
}

/** An answer that has a list. */
export type AnswerWithList = AnswerWithReport & { readonly list: ListPage };

/** A list that a response shows in place of the records of the answer. */
export interface ShownList {
  /** Name of the file in which it is saved, and of the sheet, without extension. */
  readonly name: string;
  readonly rows: readonly ReadonlyMap<string, DocumentNode>[];
  /** Columns of a table. */
  readonly columns: readonly string[];
}

/**
 * Creates the 200 response with the records of a page, or with a single item, in the requested format (decisions 2.7,
 * 2.10, 3.2). `shown` replaces the records.
 */
export async function createListResponse(
  answer: AnswerWithList,
  context: ListResponseContext,
  shown?: ShownList,
): Promise<OutgoingResponse> {
  const { options, query, responseFormat, sharedHeaders, request } = context;
  const { list } = answer;
  const { callback } = query;
  const render = await createRenderer(answer, context, shown);
  const paging = request.itemId === undefined ? createPagingHeaders(list, context) : {};
  const validatorInput = createValidatorInput(answer, context);
  return {
    status: 200,
    headers: {
      'Content-Type': formatContentType(responseFormat, callback),
      'X-Version': options.servedInterface.version,
      ...createAttachmentHeaders(list, context, shown?.name),
      ...paging,
      ...createLastModifiedHeaders(list),
      ...sharedHeaders,
    },
    body: (untilDisconnected) => {
      const rendering = render(untilDisconnected);
      if (callback === undefined) return responseFormat.format.render(rendering, query);
      return renderJsonp(rendering.document, query, callback);
    },
    ...(list.completeness !== 'partial' && { validatorInput }),
    ...createSharingInput(answer, context, validatorInput),
    createPreconditionFailed: () =>
      createErrorResponse(options.servedInterface, PRECONDITION_FAILED, {
        form: query,
        responseFormat,
        headers: sharedHeaders,
      }),
  };
}

/** A public list is shared with other clients; members data is recorded in the audit log (decisions 8.3). */
function createSharingInput(
  answer: AnswerWithList,
  context: ListResponseContext,
  validatorInput: ValidatorInput,
): Pick<OutgoingResponse, 'renderKey' | 'disclosure'> {
  const { request, query } = context;
  if (query.access === 'members') return { disclosure: createDisclosure(query, request, answer.list.records) };
  return request.itemId === undefined ? { renderKey: createRenderKey(answer, context, validatorInput) } : {};
}

/** What the audit log says about a response with members data (operation 5.5). */
export function createDisclosure(
  query: Query,
  { itemId }: ListRequest,
  records: readonly unknown[],
): NonNullable<OutgoingResponse['disclosure']> {
  return { query: formatQueryField(query, itemId), records: records.length };
}

const PRECONDITION_FAILED: Problem = {
  kind: 'precondition-failed',
  message: 'If-Match or If-Unmodified-Since does not match the current response',
};

function createValidatorInput({ list, report }: AnswerWithList, { options }: ListResponseContext): ValidatorInput {
  const { newest: lastModified, unchangedSince } = list;
  return { sourceStates: report.states, lastModified, unchangedSince, now: options.clock.now() };
}

/**
 * Prepares everything that rendering needs. The returned function renders once, for all clients that wait for the same
 * bytes.
 */
async function createRenderer(
  answer: AnswerWithList,
  context: ListResponseContext,
  shown: ShownList | undefined,
): Promise<(untilDisconnected: UntilDisconnected) => RenderInput> {
  const { options, request, query, responseFormat } = context;
  const { list, report } = answer;
  // Only formats that are saved as files have columns. Finding their names reads all matches.
  const recordColumns =
    shown === undefined && responseFormat.format.isAttachment
      ? await listTableColumns(query, options.rules.vocabulary, list)
      : [];
  const listRows = (): Iterable<ReadonlyMap<string, DocumentNode>> => shown?.rows ?? projectRecords(list, context);
  return (untilDisconnected) => {
    const [item] = request.itemId === undefined || shown !== undefined ? [] : [...projectRecords(list, context)];
    const data = item ?? shown?.rows ?? projectRecords(list, context);
    const { newest, total } = list;
    const { access, limit, offset } = query;
    const facts = { sources: report.incompleteSources, access, ...(newest !== undefined && { newest }) };
    const paging = request.itemId === undefined ? { limit, offset } : {};
    const envelopeInput = item === undefined ? { ...facts, total, ...paging } : facts;
    const document = query.envelope
      ? buildEnvelope(options.servedInterface, query.resource, envelopeInput, data)
      : data;
    return {
      document,
      // A getter, because most formats do not render a table.
      get table() {
        return {
          name: shown?.name ?? query.resource.path,
          columns: shown?.columns ?? recordColumns,
          // A renderer may read all rows before its first byte is sent: end the rows when no client waits any more.
          rows: untilDisconnected(listRows()),
          metadata: createTableMetadata(
            createPublicPageUrl(options.publicUrl + request.path, query),
            query.access,
            answer,
          ),
        } satisfies Table;
      },
    };
  };
}

/**
 * Names the rendered body. Equal lists in the same representation have the same bytes; only those of a complete list
 * may be cached (decisions 7.17).
 */
function createRenderKey(
  { list, outcomes, report }: AnswerWithList,
  context: ListResponseContext,
  { sourceStates }: ValidatorInput,
): RenderKey {
  const { request, query, responseFormat, changes, freshness } = context;
  const { mergedList, newest, changesWithClock, completeness } = list;
  const totals =
    completeness === 'complete' ? [] : outcomes.map(({ outcome }) => ('total' in outcome ? outcome.total : ''));
  const type = formatContentType(responseFormat, query.callback);
  const format = findFormatLabel(type);
  const resource = query.resource.name;
  // Log fields of the responses that are sent from the cache, without contacting a source.
  const logFields: RequestLogFields = {
    query: formatQueryField(query, request.itemId),
    sources: report.logFields,
    resource,
    cache: 'hit',
    ...(format && { format }),
  };
  const getTimedHeaders = (now: number): TimedHeaders | undefined => createCachedFreshnessHeaders(freshness, now);
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
    version: [mergedList.serial, newest ?? '', sourceStates, ...totals].join(),
    ...(completeness === 'complete' && changesWithClock !== true && { reusePolicy }),
  };
}

function projectRecords({ records }: ListPage, { query, options }: ListResponseContext): ProjectedRecords {
  const { access, resource, scope, fields } = query;
  const project = showsWholeRecords(scope)
    ? createProjector(resource, scope, fields)
    : createScopeProjector(resource, scopeFields[scope], fields);
  const projectionKey: AccessKey = `${access} ${resource.name} ${scope} ${fields?.join() ?? '*'}`;
  const { recordCache } = getBackend(options, query);
  return new ProjectedRecords(records, project, (serialization) =>
    recordCache.getOrCreate(`${projectionKey} ${serialization}`, resource.path),
  );
}

/**
 * Content-Disposition of a format that is saved as a file. A file keeps no header fields, so its name states whether
 * the list is stale or partial, and whether it contains members data (decisions 3.3).
 */
function createAttachmentHeaders(
  { completeness }: ListPage,
  { query, request, responseFormat }: ListResponseContext,
  shownName: string = query.resource.path,
): Record<string, string> {
  const { isAttachment, extensions } = responseFormat.format;
  if (!isAttachment) return {};
  const { itemId: item } = request;
  const name = item === undefined ? shownName : `${shownName}-${item}`;
  const level = query.access === 'public' ? '' : `.${query.access}`;
  const state = completeness === 'complete' ? '' : `.${completeness}`;
  return { 'Content-Disposition': serializeAttachment(`${name}${level}${state}${extensions[0] ?? ''}`) };
}

function createPagingHeaders(
  { total }: ListPage,
  { options, request, query }: ListResponseContext,
): Record<string, string | number> {
  const link = createPagingLinks(options.publicUrl + request.path, query, total);
  return { 'X-Total-Count': total, ...(link !== undefined && { Link: link }) };
}

/** A partial response has no Last-Modified (decisions 6.9). */
function createLastModifiedHeaders({ newest, completeness }: ListPage): Record<string, string> {
  return completeness === 'partial' || newest === undefined ? {} : { 'Last-Modified': formatImfFixdate(newest) };
}
