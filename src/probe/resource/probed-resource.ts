import type { DraftRecord } from '../../model/record.js';
import type { SourceResource } from '../../model/resource.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import type { FindingCounts } from '../../source/record/findings.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import type { ProbeResponse, ProbeClient } from '../client/probe-client.js';
import { ReferenceRecords, recordKey } from './reference-records.js';

/** A resource of a source on the interface on which it is requested, with everything observed so far. */
export interface ProbedResource {
  readonly client: ProbeClient;
  readonly resource: SourceResource;
  readonly vocabulary: Vocabulary;
  /** First page of the unfiltered list, in the source's own order. */
  readonly firstPage: ProbeResponse;
  /** Records requested per page: the registered number, or the maximum of the source if that is smaller. */
  readonly pageSize: number;
  /** Largest page observed, or the size that the source refused to exceed; absent where no page showed it. */
  readonly limitMax?: number;
  /** The complete list, if it was drained. */
  readonly completeList?: CompleteList;
  /** Why there is no `completeList`; meaningless if there is one. */
  readonly unreadReason?: UnreadReason;
  /** Pages requested before the checks. */
  readonly initialPages: readonly ProbeResponse[];
  /** Observations of the checks. */
  readonly observations: CheckObservations;
}

/**
 * Why the resource was not drained: the drain exceeds the budget, or its result is in doubt and not usable as a
 * reference.
 */
export interface UnreadReason {
  readonly reason: string;
  readonly isOverBudget: boolean;
}

/** All records of a resource, as drained. */
export interface CompleteList {
  readonly reference: ReferenceRecords;
  readonly requests: number;
  readonly findings: FindingCounts;
}

/** Observations that checks record for later checks. */
export interface CheckObservations {
  /** Sort orders that were right on all pages received, not yet proved. */
  readonly consistentSorts: Map<string, SortObservation>;
  /** Totals reported by responses, with the expected totals. */
  readonly totals: TotalObservation[];
  /** Pages received for each sort order. */
  readonly sortedPages: Map<string, readonly ProbeResponse[]>;
  /** Pages of the unfiltered list, in the source's own order, in addition to `initialPages`. */
  readonly extraPages: ProbeResponse[];
  /** Totals of filtered lists that were accepted before all records were read. */
  readonly filterCounts: FilterCount[];
  /** For a list that was not drained: whether it ends where its total says. */
  lastPage?: { readonly ends: boolean; readonly target: string };
}

/** Observations of a `sort` that was right. */
export interface SortObservation {
  readonly targets: readonly string[];
  readonly evidence: string;
  /**
   * Alternative orders that would have led to the same responses, but to another complete list; empty: all known ones
   * are ruled out.
   */
  readonly indistinguishableOrders: readonly string[];
  /**
   * Alternative orders that put all records in the same sequence. For instance, the treatment of diacritics makes no
   * difference to a list without any.
   */
  readonly equivalentOrders: readonly string[];
  /** Whether the records are in this order without `sort`. */
  readonly isNaturalOrder: boolean;
}

/** The total that a source reported for a filter, with the topics of the findings that rest on it. */
export interface FilterCount {
  readonly topics: readonly string[];
  readonly parameters: SourceParameters;
  readonly total: number;
  readonly target: string;
}

/** The total that one response reported. */
export interface TotalObservation {
  readonly target: string;
  readonly reported: number | undefined;
  /** Absent where unknown. */
  readonly expected?: number;
  /** Number of records on the page. */
  readonly received: number;
}

/** An initial state with the totals of the initial pages. */
export function createCheckObservations(totals: TotalObservation[]): CheckObservations {
  return { consistentSorts: new Map(), totals, sortedPages: new Map(), extraPages: [], filterCounts: [] };
}

/** Number of records of the resource, as far as known. */
export function knownSize({ completeList, firstPage: first }: ProbedResource): number | undefined {
  return completeList?.reference.size ?? first.page.total;
}

/** Number of records that paging can reach: at most the resource's window (decisions 2.13). */
export function reachableSize(subject: ProbedResource): number | undefined {
  const size = knownSize(subject);
  return size === undefined ? undefined : Math.min(size, subject.resource.pagingWindow);
}

/** All distinct records received so far: the complete list if it was drained. */
export function collectSeenRecords({
  completeList,
  initialPages,
  observations,
  vocabulary,
}: ProbedResource): ReferenceRecords {
  if (completeList !== undefined) return completeList.reference;
  const drafts = new Map<string, DraftRecord>();
  for (const { page } of [
    ...initialPages,
    ...observations.extraPages,
    ...[...observations.sortedPages.values()].flat(),
  ])
    for (const draft of page.records) drafts.set(recordKey(draft), draft);
  return new ReferenceRecords(vocabulary, [...drafts.values()]);
}
