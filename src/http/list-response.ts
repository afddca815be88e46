import type { ListPage } from '../gateway/gateway.js';
import type { Problem } from '../model/error-catalogue.js';
import { scopeFields } from '../model/resources/team-scopes.js';
import type { Query } from '../model/query.js';
import { buildEnvelope } from '../render/envelope.js';
import { renderJsonp } from '../render/formats.js';
import type { RenderInput, Table } from '../render/formats.js';
import { createProjector } from '../projection/record-projector.js';
import { createScopeProjector } from '../projection/scope-projector.js';
import { ProjectedRecords } from '../projection/projected-records.js';
import { formatImfFixdate } from '../text/date.js';
import { serializeAttachment } from '../headers/content-disposition.js';
import type { AnswerWithReport } from './source-report/answer-source-report.js';
import { VARY } from './request/response-format.js';
import type { ResponseFormat } from './request/response-format.js';
import type { RequestLogFields } from './log/access-log.js';
import type { UntilDisconnected } from './representation/waiting-clients.js';
import { createErrorResponse } from './representation/error-response.js';
import { formatQueryField } from './log/log-fields.js';
import { createPagingLinkField, createPublicPageUrl } from './representation/paging-links.js';
import type { OutgoingResponse, RenderKey, TimedHeaders } from './representation/outgoing-response.js';
import { formatContentType, createRepresentationKey } from './representation/representation-key.js';
import { createCachedFreshnessHeaders } from './representation/freshness-headers.js';
import type { AnswerFreshness } from './representation/freshness-headers.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import { createTableMetadata, listTableColumns } from './representation/table-export.js';
import type { ValidatorInput } from './representation/validators.js';
import { findFormatLabel } from './log/format-label.js';

/** A query that has its list, and how it is to be shown. */
export interface ListResponseContext {
  readonly options: ListOptions;
  readonly request: ListRequest;
  readonly query: Query;
  readonly responseFormat: ResponseFormat;
  /** Headers that an answer without a list carries too. */
  readonly sharedHeaders: Readonly<Record<string, string>>;
  readonly freshness: AnswerFreshness;
  /** Of what was held of the sources, from before they were asked. */
  readonly changes: number;
}

/** An answer with a list. */
export type AnswerWithList = AnswerWithReport & { readonly list: ListPage };

/** Shows the records of a list, or its one item, in the format asked for, with all that the headers tell of it. */
export async function createListResponse(
  answer: AnswerWithList,
  showing: ListResponseContext,
): Promise<OutgoingResponse> {
  const { options, query, responseFormat: asked, sharedHeaders: shared, request } = showing;
  const { list } = answer;
  const { callback } = query;
  const render = await createRenderer(answer, showing);
  const paging = request.itemId === undefined ? createPagingHeaders(list, showing) : {};
  const validity = createValidatorInput(answer, showing);
  return {
    status: 200,
    headers: {
      'Content-Type': formatContentType(asked, callback),
      'X-Version': options.servedInterface.version,
      Vary: VARY,
      ...createAttachmentHeaders(list, showing),
      ...paging,
      ...createLastModifiedHeaders(list),
      ...shared,
    },
    body: (whileThere) => {
      const rendering = render(whileThere);
      if (callback === undefined) return asked.format.render(rendering, query);
      return renderJsonp(rendering.document, query, callback);
    },
    ...(list.completeness !== 'partial' && { validatorInput: validity }),
    ...(request.itemId === undefined && { renderKey: createRenderKey(answer, showing, validity) }),
    createPreconditionFailed: () =>
      createErrorResponse(options.servedInterface, PRECONDITION_FAILED, {
        form: query,
        responseFormat: asked,
        headers: shared,
      }),
  };
}

const PRECONDITION_FAILED: Problem = {
  kind: 'precondition-failed',
  message: 'the answer is another one than If-Match or If-Unmodified-Since asks for',
};

function createValidatorInput({ list, report }: AnswerWithList, { options }: ListResponseContext): ValidatorInput {
  const { newest: lastModified, unchangedSince } = list;
  return { sourceStates: report.states, lastModified, unchangedSince, now: options.clock.now() };
}

/** What is known of the answer before anybody renders it, so that it can be rendered for many. */
async function createRenderer(
  answer: AnswerWithList,
  showing: ListResponseContext,
): Promise<(whileThere: UntilDisconnected) => RenderInput> {
  const { options, request, query, responseFormat: asked } = showing;
  const { list, outcomes, report } = answer;
  // Only what is saved as a file is a table, and looking through all matches for their names is work.
  const columns = asked.format.isAttachment ? await listTableColumns(query, options.rules.vocabulary, list) : [];
  return (whileThere) => {
    const [item] = request.itemId === undefined ? [] : [...projectRecords(list, showing)];
    const data = item ?? projectRecords(list, showing);
    const facts = { sources: report.incompleteSources, ...list, ...query };
    const document = query.envelope ? buildEnvelope(options.servedInterface, query.resource, facts, data) : data;
    return {
      document,
      // Most answers are no table.
      get table() {
        return {
          name: query.resource.path,
          columns,
          // Bytes are made of all rows before any is sent.
          rows: whileThere(projectRecords(list, showing)),
          metadata: createTableMetadata(createPublicPageUrl(options.publicUrl + request.path, query), list, outcomes),
        } satisfies Table;
      },
    };
  };
}

/** Equal lists, shown in the same way, have the same bytes; those of a complete one may be held. */
function createRenderKey(
  { list, outcomes, report }: AnswerWithList,
  showing: ListResponseContext,
  { sourceStates: states }: ValidatorInput,
): RenderKey {
  const { request, query, responseFormat: asked, changes, freshness: resting } = showing;
  const { mergedList: merged, newest, unchangedSince, completeness } = list;
  const lacking =
    completeness === 'complete' ? [] : outcomes.map(({ outcome }) => ('total' in outcome ? outcome.total : ''));
  const type = formatContentType(asked, query.callback);
  const format = findFormatLabel(type);
  const resource = query.resource.name;
  // Nobody is asked for it again.
  const facts: RequestLogFields = {
    query: formatQueryField(query, request.itemId),
    sources: report.logFields,
    resource,
    cache: 'hit',
    ...(format && { format }),
  };
  // Until the date of the last change is over, it is that of the request.
  const goesWithClock = newest !== undefined && unchangedSince === undefined;
  const timed = (now: number): TimedHeaders | undefined => createCachedFreshnessHeaders(resting, now);
  const key = createRepresentationKey(query, asked);
  const reusePolicy = {
    changes,
    getTimedHeaders: timed,
    logFields: facts,
    total: list.total,
    ...(key !== undefined && { representationKey: key }),
  };
  return {
    name: key ?? `${request.path}?${request.rawQuery} ${type}`,
    version: [merged.serial, newest ?? '', states, ...lacking].join(),
    ...(completeness === 'complete' && !goesWithClock && { reusePolicy }),
  };
}

function projectRecords({ records }: ListPage, { query, options }: ListResponseContext): ProjectedRecords {
  const { resource, scope, fields } = query;
  const show =
    scope === 'public' ? createProjector(resource, fields) : createScopeProjector(resource, scopeFields[scope], fields);
  const manner = `${resource.name} ${scope} ${fields?.join() ?? '*'}`;
  return new ProjectedRecords(records, show, (way) =>
    options.recordTexts.getOrCreate(`${manner} ${way}`, resource.path),
  );
}

/** A saved file keeps no headers: its name tells what it lacks (decisions.md, section 3). */
function createAttachmentHeaders(
  { completeness }: ListPage,
  { query, request, responseFormat: asked }: ListResponseContext,
): Record<string, string> {
  const { isAttachment: isSaved, extensions } = asked.format;
  if (!isSaved) return {};
  const { itemId: item } = request;
  const name = item === undefined ? query.resource.path : `${query.resource.path}-${item}`;
  const state = completeness === 'complete' ? '' : `.${completeness}`;
  return { 'Content-Disposition': serializeAttachment(`${name}${state}${extensions[0] ?? ''}`) };
}

function createPagingHeaders(
  { total }: ListPage,
  { options, request, query }: ListResponseContext,
): Record<string, string | number> {
  const link = createPagingLinkField(options.publicUrl + request.path, query, total);
  return { 'X-Total-Count': total, ...(link !== undefined && { Link: link }) };
}

/** A partial answer has no validators (decisions.md, section 6). */
function createLastModifiedHeaders({ newest, completeness }: ListPage): Record<string, string> {
  return completeness === 'partial' || newest === undefined ? {} : { 'Last-Modified': formatImfFixdate(newest) };
}
