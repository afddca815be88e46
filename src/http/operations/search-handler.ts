import type { SearchHit } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import { MATCHES_PROPERTY, SCORE_PROPERTY } from '../../model/resource.js';
import type { StoredRecord } from '../../model/record.js';
import { BEST_SCORE } from '../../search/ranking/scores.js';
import { findHitReasons } from '../../search/hit-reasons.js';
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

/** Decisions 2.40. Adds fields to the log line in `logFields`. */
export function handleSearchRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  return handleQuery(options, request, logFields, {
    getAnswer: (backend, query, queryOptions) => backend.search(query, queryOptions),
    createResponse: async (answer, context) => {
      const { query } = context;
      const project = createHitProjector(query);
      const showsMatches = query.fields?.includes(MATCHES_PROPERTY) ?? true;
      const reasons = showsMatches
        ? await listHitReasons(
            query,
            answer.hits.map(({ record }) => record),
          )
        : [];
      const rows: ReadonlyMap<string, DocumentNode>[] = [];
      await forEachTimeSliced(answer.hits.entries(), ([at, hit]) => {
        rows.push(project(hit, reasons[at]));
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

export async function listHitReasons(
  { resource, search }: Query,
  records: readonly StoredRecord[],
): Promise<readonly (readonly HitReason[])[]> {
  const { text = '', includesKeys = false } = search ?? {};
  const request = parseSearchText(text);
  const listProperties = createPropertyLister(resource);
  const reasons: (readonly HitReason[])[] = [];
  function* explainAll(): Generator<undefined, void, undefined> {
    for (const record of records) reasons.push(yield* findHitReasons(listProperties(record), request, includesKeys));
  }
  await forEachTimeSliced(explainAll(), () => undefined);
  return reasons;
}

/** The properties of the record, score and matches, as far as the query shows them. */
function createHitProjector(
  query: Query,
): (hit: SearchHit, reasons: readonly HitReason[] | undefined) => ReadonlyMap<string, DocumentNode> {
  const showsScore = query.fields?.includes(SCORE_PROPERTY) ?? true;
  const project = createQueryProjector(query);
  return ({ record, score }, reasons) =>
    new Map<string, DocumentNode>([
      ...project(record),
      ...(showsScore ? [[SCORE_PROPERTY, score / BEST_SCORE] as const] : []),
      ...(reasons === undefined ? [] : [[MATCHES_PROPERTY, reasons.map(describeReason)] as const]),
    ]);
}

function describeReason(reason: HitReason): ReadonlyMap<string, DocumentNode> {
  return new Map(Object.entries(reason));
}
