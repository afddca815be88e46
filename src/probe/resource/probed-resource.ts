import type { DraftRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import type { Vocabulary } from '../../query/vocabulary.js';
import type { FindingCounts } from '../../source/record/findings.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import type { ProbeResponse, ProbeClient } from '../client/probe-client.js';
import { ReferenceRecords, recordKey } from './reference-records.js';

/** A resource of a source, on the interface on which it is asked for it, and what is known of it so far. */
export interface ProbedResource {
  readonly client: ProbeClient;
  readonly resource: Resource;
  readonly vocabulary: Vocabulary;
  /** The first page of all records, in the source's own order. */
  readonly firstPage: ProbeResponse;
  /** Records that are asked for in a page: as registered, or as many as the source gives where that is less. */
  readonly pageSize: number;
  /** Most records that a page had or that the source refused to exceed; absent where no page showed it. */
  readonly limitMax?: number;
  /** All records, where they could be read within the budget. */
  readonly completeList?: CompleteList;
  /** Why there is no `whole`; of no account where there is one. */
  readonly unreadReason?: UnreadReason;
  /** What was asked before the questions. */
  readonly initialPages: readonly ProbeResponse[];
  /** Filled by the questions. */
  readonly state: CheckState;
}

/** Why not everything could be read: it is more than the budget lets, or what came is in doubt, and no ground to believe anything. */
export interface UnreadReason {
  readonly reason: string;
  readonly isOverBudget: boolean;
}

/** Everything that a resource has, as a drain gave it. */
export interface CompleteList {
  readonly reference: ReferenceRecords;
  readonly requests: number;
  readonly findings: FindingCounts;
}

/** What questions note for others that come after them. */
export interface CheckState {
  /** Sorts whose answers were right, though not yet proved. */
  readonly consistentSorts: Map<string, SortObservation>;
  /** What answers counted, and what they should have counted. */
  readonly totals: TotalObservation[];
  /** Pages that came for each sort. */
  readonly sortedPages: Map<string, readonly ProbeResponse[]>;
  /** Pages of all records, in the source's own order, that were read beside `looked`. */
  readonly extraPages: ProbeResponse[];
  /** Counts of filtered records that were believed before all records were read. */
  readonly filterCounts: FilterCount[];
  /** Whether the records of what was not read whole end where they should. */
  lastPage?: { readonly ends: boolean; readonly target: string };
}

/** How a `sort` was answered that was right. */
export interface SortObservation {
  readonly targets: readonly string[];
  readonly evidence: string;
  /** Other orders that would have given the same answers, though not the same list; empty: none of those that are known. */
  readonly indistinguishableOrders: readonly string[];
  /** Other orders that would put all records in the same sequence: a list without marks is the same whatever becomes of marks. */
  readonly equivalentOrders: readonly string[];
  /** Whether the records stand in this order without being asked to. */
  readonly isNaturalOrder: boolean;
}

/** What a source counted for a filter, under the topic of the finding that rests on it. */
export interface FilterCount {
  readonly topics: readonly string[];
  readonly parameters: SourceParameters;
  readonly total: number;
  readonly target: string;
}

/** What one answer counted. */
export interface TotalObservation {
  readonly target: string;
  readonly reported: number | undefined;
  /** Absent where it is not known. */
  readonly expected?: number;
  /** Records of the page. */
  readonly received: number;
}

/** A memory of nothing but what the first answers counted. */
export function createCheckState(counts: TotalObservation[]): CheckState {
  return { consistentSorts: new Map(), totals: counts, sortedPages: new Map(), extraPages: [], filterCounts: [] };
}

/** How many records the subject has, as far as that is known. */
export function knownSize({ completeList: whole, firstPage: first }: ProbedResource): number | undefined {
  return whole?.reference.size ?? first.page.total;
}

/** How many of them paging leads to: no more than the resource's window. */
export function reachableSize(subject: ProbedResource): number | undefined {
  const size = knownSize(subject);
  return size === undefined ? undefined : Math.min(size, subject.resource.pagingWindow);
}

/** Every record that has been seen so far, each once: all of them where they were read. */
export function collectSeenRecords({
  completeList: whole,
  initialPages: looked,
  state: memory,
  vocabulary,
}: ProbedResource): ReferenceRecords {
  if (whole !== undefined) return whole.reference;
  const drafts = new Map<string, DraftRecord>();
  for (const { page } of [...looked, ...memory.extraPages, ...[...memory.sortedPages.values()].flat()])
    for (const draft of page.records) drafts.set(recordKey(draft), draft);
  return new ReferenceRecords(vocabulary, [...drafts.values()]);
}
