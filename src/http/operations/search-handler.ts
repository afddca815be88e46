import type { SearchHit } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import { MATCHES_PROPERTY, SCORE_PROPERTY } from '../../model/resource.js';
import type { StoredRecord } from '../../model/record.js';
import { BEST_SCORE } from '../../search/ranking/scores.js';
import { listHitReasons } from '../../search/hit-reasons.js';
import type { HitReason } from '../../search/hit-reasons.js';
import { createPropertyLister } from '../../search/index/field-texts.js';
import { parseSearchText } from '../../search/text/search-request.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { handleQuery } from './list-handler.js';
import { createListResponse } from './list-response.js';
import { createQueryProjector } from './prepare-render-input.js';
import type { RequestLogFields } from '../log/access-log.js';
import type { OutgoingResponse } from '../representation/outgoing-response.js';
import { listTableColumns } from '../render-input/table-columns.js';
import type { ListOptions, ListRequest } from './served-resource.js';

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
      const describeHit = createHitProjector(query);
      const rows: ReadonlyMap<string, DocumentNode>[] = [];
      await forEachTimeSliced(answer.hits, (hit) => {
        rows.push(describeHit(hit));
      });
      return createListResponse(answer, context, {
        name: 'search',
        rows,
        listColumns: async () => [
          ...(await listTableColumns(query, options.rules.vocabulary, {
            mergedList: answer.collectHits?.() ?? answer.list.mergedList,
          })),
          ...(query.fields === undefined ? [SCORE_PROPERTY, MATCHES_PROPERTY] : []),
        ],
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

/** Returns a function that selects the properties of a hit that the query shows: those of the record, score and matches. */
function createHitProjector(query: Query): (hit: SearchHit) => ReadonlyMap<string, DocumentNode> {
  const { fields } = query;
  const [showsScore, showsMatches] = [SCORE_PROPERTY, MATCHES_PROPERTY].map((name) => fields?.includes(name) ?? true);
  const project = createQueryProjector(query);
  const listReasons = createReasonLister(query);
  return ({ record, score }) =>
    new Map<string, DocumentNode>([
      ...project(record),
      ...(showsScore === true ? [[SCORE_PROPERTY, score / BEST_SCORE] as const] : []),
      ...(showsMatches === true ? [[MATCHES_PROPERTY, listReasons(record).map(describeReason)] as const] : []),
    ]);
}

function describeReason(reason: HitReason): ReadonlyMap<string, DocumentNode> {
  return new Map(Object.entries(reason));
}
