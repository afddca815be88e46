import type { SearchHit } from '../gateway/gateway.js';
import type { DocumentNode } from '../model/document-node.js';
import type { Query } from '../model/query.js';
import { RESERVED_CODE } from '../model/resource.js';
import type { StoredRecord } from '../model/record.js';
import { listHitReasons } from '../search/hit-reasons.js';
import type { HitReason } from '../search/hit-reasons.js';
import { createPropertyLister } from '../search/index/field-texts.js';
import { parseSearchText } from '../search/text/search-request.js';
import { forEachTimeSliced } from '../event-loop/time-slicing.js';
import { handleQuery } from './list-handler.js';
import { createListResponse, createRecordProjector } from './list-response.js';
import type { RequestLogFields } from './log/access-log.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import { listTableColumns } from './representation/table-columns.js';
import type { ListOptions, ListRequest } from './served-resource.js';

/** Properties that a search adds to each record (decisions 2.40). */
const SCORE = `-${RESERVED_CODE}-score`;
const REASONS = `-${RESERVED_CODE}-matches`;

/** Handles a GET request for a search by relevance (decisions 2.40). Adds fields to the log line in `logFields`. */
export function handleSearchRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  return handleQuery(options, request, logFields, {
    getAnswer: (backend, query, queryOptions) => backend.search(query, queryOptions),
    createResponse: async (answer, context) => {
      const { query } = context;
      const project = createRecordProjector(query);
      const listReasons = createReasonLister(query);
      const rows: ReadonlyMap<string, DocumentNode>[] = [];
      await forEachTimeSliced(answer.hits, (hit) => {
        rows.push(describeHit(hit, project(hit.record), listReasons(hit.record)));
      });
      const columns = await listTableColumns(query, options.rules.vocabulary, answer.list);
      return createListResponse(answer, context, {
        name: 'search',
        rows,
        columns: [...columns, SCORE, REASONS],
        suggestion: answer.suggestion,
      });
    },
  });
}

/** Returns a function that lists why a record is a hit of the query. */
export function createReasonLister({ resource, search }: Query): (record: StoredRecord) => readonly HitReason[] {
  const { text = '', includesKeys = false } = search ?? {};
  const request = parseSearchText(text);
  const listProperties = createPropertyLister(resource);
  return (record) => listHitReasons(listProperties(record), request, includesKeys);
}

function describeHit(
  { score }: SearchHit,
  record: ReadonlyMap<string, DocumentNode>,
  reasons: readonly HitReason[],
): ReadonlyMap<string, DocumentNode> {
  return new Map<string, DocumentNode>([
    ...record,
    [SCORE, score / BEST_SCORE],
    [REASONS, reasons.map((reason) => new Map(Object.entries(reason)))],
  ]);
}

const BEST_SCORE = 1_000;
