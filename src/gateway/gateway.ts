import type { Clock } from '../model/clock.js';
import { findSnapshot } from '../model/outcome.js';
import type { Outcome, SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import type { SourceWait } from '../model/cache-result.js';
import { selectSources } from '../plan/source-selection.js';
import type { SourceCandidate, SourceSelection } from '../plan/source-selection.js';
import { dependsOnPgpKeys } from '../plan/pgp-key-dependency.js';
import type { RecordSet } from '../records/record-set.js';
import { createSourceRequestContext, defaultQueryOptions } from '../source/request/source-request-context.js';
import type { SourceRequestContext, QueryOptions } from '../source/request/source-request-context.js';
import type { Snapshot, Lease, RecordsRequest } from '../source/source.js';
import { computeAnswerDates } from './last-modified.js';
import type { SourceChangeDates } from './last-modified.js';
import { MergedList } from './merged-list.js';
import type { MergedListCache } from './merged-list-cache.js';
import { findItemOwner } from './item-owner.js';
import { FanOut } from './fan-out.js';

/** A source as the gateway sees it. */
export interface FederatedSource extends SourceCandidate {
  readonly required: boolean;
  readonly number: number;
  /** Never rejects; see `Source.ask`. */
  getRecords(wanted: RecordsRequest, asking: SourceRequestContext): Promise<Outcome<Snapshot>>;
  /** One news item by the source's own id. Never rejects. */
  getItem(native: number, asking: SourceRequestContext): Promise<Outcome<Snapshot>>;
}

/** What the sources said about a query. */
export interface FederatedAnswer {
  /** One for every registered source, by number. */
  readonly outcomes: readonly SourceOutcome<Snapshot>[];
  /** Absent when sources were asked and none gave records, or a required one did not: then there is no list, not an empty one. */
  readonly list?: ListPage;
  /** Absent when nothing had to be waited for: all of it was held. */
  readonly waitReason?: SourceWait;
}

/**
 * decisions.md, section 1: `complete` when every source that was asked gave all that it has, `stale` when a last good copy stood in
 * for one, `partial` when one gave nothing, or not all, or may not have.
 */
export type Completeness = 'complete' | 'stale' | 'partial';

/** The records of an answer. */
export interface ListPage {
  /** Matches in all sources: what paging through to the end yields. */
  readonly total: number;
  /** From `offset` on, `limit` at most, in the query's total order. */
  readonly records: readonly StoredRecord[];
  /** When the set changed last, in milliseconds since 1970 (`computeAnswerDates`). Never in the future. */
  readonly newest?: number;
  /** From here on whoever asked got the set as it is, in milliseconds since 1970; absent unless the list is complete, and that date is over. */
  readonly unchangedSince?: number;
  readonly completeness: Completeness;
  /** Of the held copies that it was made of, as they are at any later moment. */
  readonly leases: readonly Lease[];
  /** All matches, those of other pages too: the same one for every list that was cut from it. */
  readonly mergedList: MergedList;
}

/** States in which a source gave all that it has. */
const COMPLETE_STATES: ReadonlySet<Outcome<Snapshot>['state']> = new Set(['fresh', 'stale']);

/** Share of the deadline after which the answer is put together from what has come; the rest is for putting together. */
const FAN_OUT_DEADLINE_SHARE = 0.85;

/** Records of a stream that are asked for at once, at most: a page far behind the start is made of all sources, and of each no more is fetched than is read. */
const TOP_RECORDS_STEP = 100;

/**
 * The same for what another gateway asks of an aggregate: gateways in a ring wait for each other until the first one answers, which it must do
 * before the one that asked it gives up (docs/decisions/0014-rings.md).
 */
const RELAYED_DEADLINE_SHARE = 0.25;

/** The federation: one query in, one answer from all sources out. */
export class Gateway {
  /** Codes of the sources without which no answer is given. */
  private readonly requiredCodes: ReadonlySet<string>;

  constructor(
    /** Ordered by number. */
    private readonly sources: readonly FederatedSource[],
    private readonly mergedLists: MergedListCache,
    private readonly clock: Clock,
    /** Milliseconds for a whole answer. */
    private readonly deadline: number,
  ) {
    this.requiredCodes = new Set(sources.filter((source) => source.required).map(({ code }) => code));
  }

  /** Asks every source that the plan names, at the same time, and makes one list of what came (decisions.md, section 5). */
  async answer(query: Query, manner: QueryOptions = defaultQueryOptions): Promise<FederatedAnswer> {
    const { selected: ask, excluded } = selectSources(query, this.sources);
    const round = this.startFanOut(this.sources, manner);
    for (const one of excluded) round.exclude(one);
    if (manner.private) sendCoverRequests(excluded, query, round);
    const wanted = recordsRequestFor(query, Math.min(query.limit, TOP_RECORDS_STEP));
    await requestRecords(round, new Map(ask.map((source) => [source, wanted])));
    const answer = await this.buildAnswer(query, round, () => this.mergeForPage(query, round, query.offset));
    if (manner.prefetchNextPage === true && answer.list !== undefined)
      this.prefetchNextPage(query, round, answer.list.mergedList);
    return answer;
  }

  /**
   * Has what the next page needs of the fronts of streams fetched before it is asked for: who has come to a page behind the first goes on, most
   * likely. Nobody waits for it, and what fails is asked for anew by who needs it.
   */
  private prefetchNextPage(query: Query, round: FanOut<FederatedSource>, { sets }: MergedList): void {
    const { offset, limit } = query;
    if (offset === 0 || !sets.some(({ hasMore: goesOn }) => goesOn)) return;
    const next = offset + limit;
    void this.mergeForPage(query, round, next)
      .then((merged) => this.mergedLists.readPage({ ...query, offset: next }, merged))
      .catch(() => undefined);
  }

  /**
   * The merged set of what came. Of a source that gave the front of a stream more is fetched as long as that is read to its end before the page
   * from `offset` on is full: what comes next may stand behind it. Where that made the page no fuller, as among very many that are equal in the order,
   * twice as much is fetched the next time.
   */
  private async mergeForPage(query: Query, round: FanOut<FederatedSource>, offset: number): Promise<MergedList> {
    let [least, before] = [Math.min(query.limit, TOP_RECORDS_STEP), Infinity];
    for (;;) {
      const merged = this.mergedLists.getOrCreate(query, recordSetsOf(round));
      const fronts = merged.sets.filter(({ hasMore: goesOn }) => goesOn);
      const lack = fronts.length === 0 ? undefined : await merged.findMissing(offset, query.limit);
      if (lack === undefined) return merged;
      if (lack.count >= before) least *= 2;
      before = lack.count;
      const more = Math.max(least, Math.ceil(lack.count / fronts.length));
      const lacking = this.sources.flatMap((source) => {
        const set = recordSetOf(round.outcomeOf(source));
        if (set === undefined || !lack.sets.has(set)) return [];
        return [[source, recordsRequestFor(query, nextTopRecordsCount(query, set, more))] as const];
      });
      await requestRecords(round, new Map(lacking));
    }
  }

  private startFanOut(sources: readonly FederatedSource[], manner: QueryOptions): FanOut<FederatedSource> {
    const share = (part: number): number => Math.ceil(this.deadline * part);
    return new FanOut(sources, this.clock, manner, {
      direct: share(FAN_OUT_DEADLINE_SHARE),
      relayed: share(RELAYED_DEADLINE_SHARE),
    });
  }

  /**
   * One news item, by the id that the list shows: it names the source that owns it (decisions.md, section 4, "Ids"). A list of one;
   * an empty one when the owner says that there is no such item; undefined when no source owns the id.
   */
  async item(
    query: Query,
    id: number,
    manner: QueryOptions = defaultQueryOptions,
  ): Promise<FederatedAnswer | undefined> {
    const owned = findItemOwner(id, query.resource, this.sources);
    if (owned === undefined) return undefined;
    const { source, native } = owned;
    const round = this.startFanOut([source], manner);
    await round.request(source, (asking) => source.getItem(native, asking));
    return this.buildAnswer(query, round, () => Promise.resolve(new MergedList(query, recordSetsOf(round), 1)));
  }

  private async buildAnswer(
    query: Query,
    round: FanOut<FederatedSource>,
    merge: () => Promise<MergedList>,
  ): Promise<FederatedAnswer> {
    if (!this.isAnswerable(round.outcomes)) return outcomesOf(round);
    const merged = await merge();
    // Reading further, a source may have failed.
    if (!this.isAnswerable(round.outcomes)) return outcomesOf(round);
    const list = await this.buildListPage(query, round, merged);
    return { list, ...outcomesOf(round) };
  }

  /** Whether what came is a list: one that sources gave, or an empty one that needed none. */
  private isAnswerable(outcomes: FederatedAnswer['outcomes']): boolean {
    const given = outcomes.some(({ outcome }) => findSnapshot(outcome) !== undefined);
    const nobodyToAsk = outcomes.every(({ outcome }) => isNotNeeded(outcome));
    return (given || nobodyToAsk) && !this.isRequiredSourceMissing(outcomes);
  }

  /** decisions.md, section 6: without a source that is registered as required, fresh or stale, no answer is given. */
  private isRequiredSourceMissing(outcomes: FederatedAnswer['outcomes']): boolean {
    return outcomes.some(
      ({ code, outcome }) =>
        this.requiredCodes.has(code) && !COMPLETE_STATES.has(outcome.state) && !isNotNeeded(outcome),
    );
  }

  private async buildListPage(
    query: Query,
    { outcomes, startedAt: started }: FanOut<FederatedSource>,
    merged: MergedList,
  ): Promise<ListPage> {
    const copies = outcomes.flatMap(({ outcome }) => findSnapshot(outcome) ?? []);
    const parts = changeDatesOf(copies, await merged.newestDates());
    const { newest, unchangedSince } = outcomes.some(isExcludedAsLoop) ? {} : computeAnswerDates(parts, started);
    const records = await this.mergedLists.readPage(query, merged);
    const completeness = completenessOf(outcomes);
    return {
      mergedList: merged,
      total: await merged.total(),
      records,
      ...(newest !== undefined && { newest }),
      completeness,
      ...(completeness === 'complete' && unchangedSince !== undefined && { unchangedSince }),
      leases: copies.flatMap(({ leases }) => leases),
    };
  }
}

/** Asks sources, each for what is wanted of it. */
async function requestRecords(
  round: FanOut<FederatedSource>,
  sources: ReadonlyMap<FederatedSource, RecordsRequest>,
): Promise<void> {
  await Promise.all(
    [...sources].map(([source, wanted]) => round.request(source, (asking) => source.getRecords(wanted, asking))),
  );
}

/** All that a source has for a query; or where that is too much, so many records at least of those that come first. */
function recordsRequestFor(query: Query, first: number): RecordsRequest {
  return { pushDownQuery: { query, first }, ...query, readsKeys: dependsOnPgpKeys(query) };
}

/** How far a front is to reach next. Records beyond the resource's window are not fetched until the front reaches it: they may not be needed. */
function nextTopRecordsCount(
  { resource: { pagingWindow: window } }: Query,
  { records: { length } }: RecordSet,
  more: number,
): number {
  return length < window ? Math.min(length + more, window) : length + more;
}

function recordSetOf(came: SourceOutcome<Snapshot> | undefined): RecordSet | undefined {
  return came && findSnapshot(came.outcome)?.set;
}

function recordSetsOf({ outcomes }: FanOut<FederatedSource>): readonly RecordSet[] {
  return outcomes.flatMap((one) => recordSetOf(one) ?? []);
}

function outcomesOf({
  outcomes,
  waitReason: waited,
}: FanOut<FederatedSource>): Pick<FederatedAnswer, 'outcomes' | 'waitReason'> {
  return { outcomes, ...(waited && { waitReason: waited }) };
}

function changeDatesOf(
  copies: readonly Snapshot[],
  newest: readonly (number | undefined)[],
): readonly SourceChangeDates[] {
  return copies.map(({ lastModified, since, floor }, at) => ({
    newest: laterDate(newest[at], lastModified),
    since,
    floor,
  }));
}

/** Whether the source was left out though the query needs it: the set is another one without it, and no date tells which. */
function isExcludedAsLoop({ outcome }: SourceOutcome<Snapshot>): boolean {
  return outcome.state === 'excluded' && outcome.reason === 'loop';
}

/** Whether the query did not need the source; one that leads back here was needed, and asked. */
function isNotNeeded(outcome: Outcome<Snapshot>): boolean {
  return outcome.state === 'excluded' && outcome.reason !== 'loop';
}

/**
 * Has the sources that a `source-name` excludes fetch the same as those that it names, and nobody wait for them: whom a private query
 * is about is not to be told by who is asked.
 */
function sendCoverRequests(
  excluded: SourceSelection<FederatedSource>['excluded'],
  query: Query,
  round: FanOut<FederatedSource>,
): void {
  for (const { source, reason } of excluded) {
    const asking = round.contextFor(source);
    if (reason !== 'resource') void source.getRecords(query, createSourceRequestContext(asking.signal, asking));
  }
}

function completenessOf(outcomes: FederatedAnswer['outcomes']): Completeness {
  const states = new Set(outcomes.map(({ outcome }) => outcome.state));
  for (const state of ['fresh', 'excluded'] as const) states.delete(state);
  if (states.size === 0) return 'complete';
  return states.size === 1 && states.has('stale') ? 'stale' : 'partial';
}

function laterDate(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
