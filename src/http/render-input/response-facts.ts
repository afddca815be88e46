import type { ListPage } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import { describeReason } from '../../model/reasons.js';
import { findSnapshot, reportFailureDetail } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';
import type { Query } from '../../model/query.js';
import type { ContributingSource, ResponseFacts } from '../../render/render-input.js';
import type { Snapshot } from '../../lists/snapshot.js';
import { formatImfFixdate } from '../../text/date.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';

export function createResponseFacts(
  address: string,
  { access, offset }: Pick<Query, 'access' | 'offset'>,
  { list, outcomes, report }: AnswerWithReport & { readonly list: ListPage },
): ResponseFacts {
  const { total, date, completeness, records } = list;
  return {
    address,
    access,
    total,
    newest: date.isPending ? undefined : date.lastModified,
    completeness,
    page: { offset, count: records.length },
    sources: outcomes.map(describeContribution),
    incompleteSources: report.incompleteSources,
  };
}

function describeContribution({ sourceName, outcome }: SourceOutcome<Snapshot>): ContributingSource {
  const snapshot = findSnapshot(outcome);
  return {
    sourceName,
    state: outcome.state,
    ...(outcome.state !== 'fresh' && {
      reason: outcome.reason,
      description: describeReason(outcome),
    }),
    detail: reportFailureDetail(outcome),
    ...(snapshot && { records: snapshot.set.totalCount }),
    ...('total' in outcome && { total: outcome.total }),
    ...(snapshot && snapshot.set.unfetchedCount > 0 && { unfetched: snapshot.set.unfetchedCount }),
  };
}

/** For the sheet `About` of a workbook (decisions 3.9). */
export function createTableMetadata(facts: ResponseFacts): ReadonlyMap<string, DocumentNode> {
  const { address, access, total, newest, sources } = facts;
  return new Map<string, DocumentNode>([
    ['query', address],
    ...(access === 'public' ? [] : [['access', access] satisfies [string, DocumentNode]]),
    ['total', total],
    ...(newest === undefined ? [] : [['last-modified', formatImfFixdate(newest)] satisfies [string, DocumentNode]]),
    ['sources', sources.map(createSourceMetadata)],
  ]);
}

function createSourceMetadata(source: ContributingSource): ReadonlyMap<string, DocumentNode> {
  const { sourceName, state, reason, detail, records, total } = source;
  const facts = { 'source-name': sourceName, state, reason, ...detail, records, total };
  return new Map(
    Object.entries(facts).flatMap(([name, value]): [string, DocumentNode][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
