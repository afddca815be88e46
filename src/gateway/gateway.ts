import type { Publish } from '../events/event.js';
import type { Clock } from '../model/clock.js';
import { findSnapshot } from '../model/outcome.js';
import type { Outcome, SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import type { SourceWait } from '../model/cache-result.js';
import { selectSources } from '../plan/source-selection.js';
import type { SourceCandidate } from '../plan/source-selection.js';
import { dependsOnPgpKeys } from '../plan/pgp-key-dependency.js';
import type { RecordSet } from '../records/record-set.js';
import type { SearchEngine } from '../search/search-engine.js';
import { defaultQueryOptions } from '../source/request/source-request-context.js';
import type { SourceRequestContext, QueryOptions } from '../source/request/source-request-context.js';
import type { Snapshot, UsedList } from '../lists/snapshot.js';
import type { RecordsRequest } from '../lists/source/source.js';
import { dateAnswer } from './last-modified.js';
import type { AnswerDate, SourceDates } from './last-modified.js';
import { MergedList } from './merged-list.js';
import { explainMissingTeam, keepPositions, keepRecords } from './missing-item.js';
import type { MissingItem } from './missing-item.js';
import type { MergedListCache } from './merged-list-cache.js';
import { findItemOwner } from './item-owner.js';
import { FanOut } from './fan-out.js';
import { judgeUnreadValues } from './unreadable-filter-values.js';
import { IndexedSearch, searchRequestFor } from './indexed-search.js';
import { SameTeamFinder } from './links/same-team.js';
import type { RecordPair, TeamLink } from './links/team-link.js';

interface FederatedSource extends SourceCandidate {
  readonly required: boolean;
  readonly number: number;
  /** See `Source.getRecords`. Never rejects. */
  getRecords(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>>;
  /** `native` is the source's own id. Never rejects. */
  getItem(native: number, context: SourceRequestContext): Promise<Outcome<Snapshot>>;
}

export interface FederatedAnswer {
  /** For every registered source, by number. */
  readonly outcomes: readonly SourceOutcome<Snapshot>[];
  /**
   * Absent if no source returned records, or a required one is missing (decisions 6.5, 6.6): an error, no empty list.
   */
  readonly list?: ListPage;
  /** Absent if nothing was waited for. */
  readonly waitReason?: SourceWait;
  /** Absent where there is such a record, and for a list. */
  readonly missingItem?: MissingItem;
}

/** Records of other repositories that are probably of the same team (decisions 2.38). */
export interface SameTeamAnswer extends FederatedAnswer {
  /** In the order of the ids. `list` has the linked records. */
  readonly links: readonly TeamLink[];
  /** The pairs of all records of the team, also of links of links; absent without a record. */
  readonly findGroup?: () => readonly RecordPair[];
}

/** Decisions 2.40. */
export interface SearchAnswer extends FederatedAnswer {
  /** The most relevant first; their records are `list.records`. */
  readonly hits: readonly SearchHit[];
  /** All hits, in no order of relevance, to be counted; absent with `list`. */
  readonly collectHits?: () => MergedList;
  /** The searched text with its misspelled words as the records spell them; absent where none is misspelled. */
  readonly suggestion?: string | undefined;
}

export interface SearchHit {
  readonly record: StoredRecord;
  /** At least 1; up to 1000 for a record that is exactly what was searched for. */
  readonly score: number;
}

/**
 * `complete`: every queried source contributed all its records. `stale`: the last snapshot was served for at least one
 * source. `partial`: a source contributed nothing, or possibly not all records (decisions 6.1).
 */
export type Completeness = 'complete' | 'stale' | 'partial';

export interface ListPage {
  /** In all sources: what paging to the end returns. */
  readonly total: number;
  /** At most `limit` records from `offset` on, in the order of the query. */
  readonly records: readonly StoredRecord[];
  /** See `dateAnswer`. It identifies the answer only where that is complete. */
  readonly date: AnswerDate;
  readonly completeness: Completeness;
  /** From which it was built. They show their times at any later moment. */
  readonly lists: readonly UsedList[];
  /** With the matches of other pages. All pages of the list share this object. */
  readonly mergedList: MergedList;
}

interface ListContent {
  readonly merged: MergedList;
  /** No date identifies the list. */
  readonly isUndated?: boolean;
}

/** The source contributed all its records. */
const COMPLETE_STATES: ReadonlySet<Outcome<Snapshot>['state']> = new Set(['fresh', 'stale']);

const UNDATED: AnswerDate = { isPending: false };

/** The rest of the deadline is for rendering and sending (decisions 5.8). */
const FAN_OUT_DEADLINE_SHARE = 0.85;

/** A page far from the start is merged from many sources, and of each no more should be fetched than is read. */
const TOP_RECORDS_STEP = 100;

/**
 * For an aggregate, if the query comes from another gateway (decisions 5.23). Gateways in a ring wait for each other
 * until the first one responds, which it must do before the requesting one times out (decision record 0014).
 */
const RELAYED_DEADLINE_SHARE = 0.25;

export interface GatewayDependencies {
  readonly mergedLists: MergedListCache;
  readonly clock: Clock;
  /** For a whole response (`server.deadline`), in milliseconds. */
  readonly deadline: number;
  readonly searchEngine: SearchEngine;
  /** Absent: nothing is traced. */
  readonly publish?: Publish;
  /** Otherwise somebody else may serve other records with the same date. Absent: always. */
  readonly givesDates?: () => boolean;
}

/** Answers one query from all sources. */
export class Gateway {
  /** Registered with `required: true`. */
  private readonly requiredCodes: ReadonlySet<string>;

  constructor(
    /** Ordered by number. */
    private readonly sources: readonly FederatedSource[],
    private readonly dependencies: GatewayDependencies,
  ) {
    this.requiredCodes = new Set(sources.filter((source) => source.required).map(({ code }) => code));
  }

  /** Queries all selected sources in parallel and merges their records (decisions 5.1 to 5.3). */
  async answer(query: Query, options: QueryOptions = defaultQueryOptions): Promise<FederatedAnswer> {
    const { selected, excluded } = selectSources(query, this.sources);
    const round = this.startFanOut(this.sources, options);
    for (const exclusion of excluded) round.exclude(exclusion);
    const request = recordsRequestFor(query, Math.min(query.limit, TOP_RECORDS_STEP));
    await requestRecords(round, new Map(selected.map((source) => [source, request])));
    const answer = await this.buildAnswer(query, round, async () => {
      const merged = await this.mergeForPage(query, round, query.offset);
      this.noteUnreadValues(query, round);
      return merged;
    });
    if (options.prefetchNextPage === true && answer.list !== undefined)
      this.prefetchNextPage(query, round, answer.list.mergedList);
    return answer;
  }

  /**
   * Fetches in the background the top records that the next page needs (decisions 5.15): a client that requested a page
   * after the first one will probably request the next. What fails is requested again when it is needed.
   */
  private prefetchNextPage(query: Query, round: FanOut<FederatedSource>, { sets }: MergedList): void {
    const { offset, limit } = query;
    if (offset === 0 || !sets.some(({ hasMore }) => hasMore)) return;
    const next = offset + limit;
    void this.mergeForPage(query, round, next)
      .then((merged) => this.dependencies.mergedLists.readPage({ ...query, offset: next }, merged))
      .catch(() => undefined);
  }

  /**
   * Merges the received records. As long as the top records of a source are used up before the page from `offset` on is
   * full, more are requested, because the next match may follow them. If that did not reduce the number of missing
   * matches, as with very many records that are equal in the order, twice as many are requested the next time.
   */
  private async mergeForPage(query: Query, round: FanOut<FederatedSource>, offset: number): Promise<MergedList> {
    let [step, before] = [Math.min(query.limit, TOP_RECORDS_STEP), Infinity];
    for (;;) {
      const merged = this.dependencies.mergedLists.getOrCreate(query, recordSetsOf(round));
      const extendableSets = merged.sets.filter(({ hasMore }) => hasMore);
      const missing = extendableSets.length === 0 ? undefined : await merged.findMissing(offset, query.limit);
      if (missing === undefined) return merged;
      if (missing.count >= before) step *= 2;
      before = missing.count;
      const more = Math.max(step, Math.ceil(missing.count / extendableSets.length));
      const requests = this.sources.flatMap((source) => {
        const set = recordSetOf(round.outcomeOf(source));
        if (set === undefined || !missing.sets.has(set)) return [];
        return [[source, recordsRequestFor(query, nextTopRecordsCount(query, set, more))] as const];
      });
      await requestRecords(round, new Map(requests));
    }
  }

  /** For sources with unreadable values that the query filters on (decisions 4.6). */
  private noteUnreadValues(query: Query, round: FanOut<FederatedSource>): void {
    for (const source of this.sources) {
      const outcome = round.outcomeOf(source)?.outcome;
      const judged = outcome && judgeUnreadValues(outcome, query);
      if (judged !== undefined && judged !== outcome) round.replace(source, judged);
    }
  }

  private startFanOut(sources: readonly FederatedSource[], options: QueryOptions): FanOut<FederatedSource> {
    const share = (part: number): number => Math.ceil(this.dependencies.deadline * part);
    return new FanOut(sources, this.dependencies.clock, options, {
      direct: share(FAN_OUT_DEADLINE_SHARE),
      relayed: share(RELAYED_DEADLINE_SHARE),
      publish: this.dependencies.publish ?? (() => undefined),
    });
  }

  /**
   * One news item or team by its public id, which names its source (decisions 2.34, 2.35): a list of one record; an
   * empty list if the source has no such record; undefined if no source owns the id.
   */
  async item(
    query: Query,
    id: string,
    options: QueryOptions = defaultQueryOptions,
  ): Promise<FederatedAnswer | undefined> {
    const owner = findItemOwner(id, query.resource, this.sources);
    if (owner === undefined) return undefined;
    const { source, nativeId } = owner;
    const round = this.startFanOut([source], options);
    if (nativeId === undefined) return this.team(query, id, { source, round });
    await round.request(source, (context) => source.getItem(nativeId, context));
    const answer = await this.buildAnswer(query, round, () =>
      Promise.resolve(new MergedList(query, recordSetsOf(round), 1)),
    );
    return answer.list?.total === 0 ? { ...answer, missingItem: { reason: 'unknown' } } : answer;
  }

  /** From the list of its source. The query's predicates do not apply. */
  private async team(
    query: Query,
    id: string,
    { source, round }: { readonly source: FederatedSource; readonly round: FanOut<FederatedSource> },
  ): Promise<FederatedAnswer> {
    const { resource, scope } = query;
    const request: RecordsRequest = { resource, scope, readsKeys: dependsOnPgpKeys(query) };
    await round.request(source, (context) => source.getRecords(request, context));
    const sets = recordSetsOf(round);
    const found = sets.map((set) => keepRecords(set, (record) => record.id === id));
    const answer = await this.buildAnswer(query, round, () =>
      Promise.resolve(new MergedList({ ...query, predicates: [] }, found, 1)),
    );
    if (answer.list === undefined || answer.list.total > 0) return answer;
    return { ...answer, missingItem: explainMissingTeam(id, source, sets) };
  }

  /** From the complete lists of all sources. Undefined if no source owns the id. */
  async sameTeam(
    query: Query,
    id: string,
    options: QueryOptions = defaultQueryOptions,
  ): Promise<SameTeamAnswer | undefined> {
    const owner = findItemOwner(id, query.resource, this.sources);
    if (owner === undefined) return undefined;
    const { selected, excluded } = selectSources(query, this.sources);
    const round = this.startFanOut(this.sources, options);
    for (const exclusion of excluded) round.exclude(exclusion);
    const request: RecordsRequest = { resource: query.resource, scope: query.scope, readsKeys: true };
    await requestRecords(round, new Map(selected.map((source) => [source, request])));
    const own = recordSetOf(round.outcomeOf(owner.source));
    if (own === undefined) return { ...outcomesOf(round), links: [] };
    const record = own.records.find((one) => one.id === id);
    const finder = await SameTeamFinder.over(listCompleteSets(round.outcomes));
    const links = record === undefined ? [] : finder.find(record);
    const linkedIds = new Set(links.map((link) => link.record.id));
    // A set for each snapshot: their dates are paired by position.
    const linked = recordSetsOf(round).map((set) => keepRecords(set, (one) => linkedIds.has(one.id)));
    const answer = await this.buildAnswer(query, round, () =>
      Promise.resolve(new MergedList(query, linked, query.limit)),
    );
    if (record !== undefined) return { ...answer, links, findGroup: () => finder.findGroup(record) };
    if (answer.list === undefined) return { ...answer, links };
    return {
      ...answer,
      links,
      missingItem: explainMissingTeam(id, owner.source, [own]),
    };
  }

  /**
   * Searches the complete lists of the selected sources. A source whose present records are not indexed in time is
   * `stale`, or `partial` where there is no earlier index: reason `index`.
   */
  async search(query: Query, options: QueryOptions = defaultQueryOptions): Promise<SearchAnswer> {
    const { selected, excluded } = selectSources(query, this.sources);
    const round = this.startFanOut(this.sources, options);
    for (const exclusion of excluded) round.exclude(exclusion);
    const request = searchRequestFor(query, options.isPrivate);
    const search = new IndexedSearch(this.dependencies.searchEngine, round);
    await search.requestIndexes(selected, request);
    if (!this.isAnswerable(round.outcomes)) return { ...outcomesOf(round), hits: [] };
    const elapsed = this.dependencies.clock.now() - round.startedAt;
    const result = await search.search(query, options.client ?? '', this.dependencies.deadline - elapsed);
    this.noteUnreadValues(query, round);
    if (result === undefined || !this.isAnswerable(round.outcomes)) return { ...outcomesOf(round), hits: [] };
    const { sets } = search;
    const { total, hits, positions, suggestion } = result;
    const found = hits.flatMap(({ source, position, score }): SearchHit[] => {
      const record = sets[source]?.records[position];
      return record === undefined ? [] : [{ record, score }];
    });
    const everyRecord = { ...query, predicates: [], limit: 0, offset: 0 };
    const merged = new MergedList(everyRecord, recordSetsOf(round), 0);
    // Indexes are behind the view.
    const page = await this.buildListPage(everyRecord, round, { merged, isUndated: true });
    return {
      ...outcomesOf(round),
      list: { ...page, total, records: found.map(({ record }) => record) },
      hits: found,
      collectHits: () =>
        new MergedList(
          everyRecord,
          sets.map((set, at) => keepPositions(set, positions[at])),
          0,
        ),
      suggestion,
    };
  }

  private async buildAnswer(
    query: Query,
    round: FanOut<FederatedSource>,
    merge: () => Promise<MergedList>,
  ): Promise<FederatedAnswer> {
    if (!this.isAnswerable(round.outcomes)) return outcomesOf(round);
    const merged = await merge();
    // A source may have failed while more of its top records were requested.
    if (!this.isAnswerable(round.outcomes)) return outcomesOf(round);
    const list = await this.buildListPage(query, round, { merged });
    return { list, ...outcomesOf(round) };
  }

  /** A source contributed records, or the query needs no source. */
  private isAnswerable(outcomes: FederatedAnswer['outcomes']): boolean {
    const hasRecords = outcomes.some(({ outcome }) => findSnapshot(outcome) !== undefined);
    const needsNoSource = outcomes.every(({ outcome }) => isNotNeeded(outcome));
    return (hasRecords || needsNoSource) && !this.isRequiredSourceMissing(outcomes);
  }

  /** A queried source that is registered as required is neither `fresh` nor `stale`. */
  private isRequiredSourceMissing(outcomes: FederatedAnswer['outcomes']): boolean {
    return outcomes.some(
      ({ code, outcome }) =>
        this.requiredCodes.has(code) && !COMPLETE_STATES.has(outcome.state) && !isNotNeeded(outcome),
    );
  }

  private async buildListPage(
    query: Query,
    { outcomes, startedAt }: FanOut<FederatedSource>,
    { merged, isUndated = false }: ListContent,
  ): Promise<ListPage> {
    const snapshots = outcomes.flatMap(({ outcome }) => findSnapshot(outcome) ?? []);
    const completeness = completenessOf(outcomes);
    const isDated = !isUndated && !outcomes.some(isExcludedAsLoop);
    const records = await this.dependencies.mergedLists.readPage(query, merged);
    return {
      mergedList: merged,
      total: await merged.total(),
      records,
      date: isDated ? this.dateAnswer(snapshots, await merged.newestDates(), startedAt) : UNDATED,
      completeness,
      lists: snapshots.flatMap(({ lists }) => lists),
    };
  }

  private dateAnswer(
    snapshots: readonly Snapshot[],
    newest: readonly (number | undefined)[],
    viewedAt: number,
  ): AnswerDate {
    const { givesDates = () => true } = this.dependencies;
    if (!givesDates()) return UNDATED;
    const parts = snapshots.map(({ changedAt, lastModified, set: { readAt } }, at): SourceDates => {
      const isPast = lastModified !== undefined && lastModified <= readAt;
      return { changedAt, newest: laterDate(newest[at], isPast ? lastModified : undefined) };
    });
    return dateAnswer(parts, viewedAt);
  }
}

async function requestRecords(
  round: FanOut<FederatedSource>,
  sources: ReadonlyMap<FederatedSource, RecordsRequest>,
): Promise<void> {
  await Promise.all(
    [...sources].map(([source, request]) => round.request(source, (context) => source.getRecords(request, context))),
  );
}

/** For all records, or of a large source for at least the first `first` ones. */
function recordsRequestFor(query: Query, first: number): RecordsRequest {
  return { pushDownQuery: { query, first }, ...query, readsKeys: dependsOnPgpKeys(query) };
}

/** Records beyond the resource's window are not fetched until paging reaches the window (decisions 5.9). */
function nextTopRecordsCount(
  { resource: { pagingWindow: window } }: Query,
  { records: { length } }: RecordSet,
  more: number,
): number {
  return length < window ? Math.min(length + more, window) : length + more;
}

/** Of sources that contributed all their records: only there a fact that one record has is known to be unique. */
export function listCompleteSets(outcomes: FederatedAnswer['outcomes']): readonly RecordSet[] {
  const complete = outcomes.filter(({ outcome }) => COMPLETE_STATES.has(outcome.state));
  return complete.flatMap((source) => recordSetOf(source) ?? []);
}

function recordSetOf(sourceOutcome: SourceOutcome<Snapshot> | undefined): RecordSet | undefined {
  return sourceOutcome && findSnapshot(sourceOutcome.outcome)?.set;
}

function recordSetsOf({ outcomes }: FanOut<FederatedSource>): readonly RecordSet[] {
  return outcomes.flatMap((outcome) => recordSetOf(outcome) ?? []);
}

function outcomesOf({
  outcomes,
  waitReason,
}: FanOut<FederatedSource>): Pick<FederatedAnswer, 'outcomes' | 'waitReason'> {
  return { outcomes, ...(waitReason && { waitReason }) };
}

/** Without the source the set is a different one, and no date would distinguish the two (decisions 7.7). */
function isExcludedAsLoop({ outcome }: SourceOutcome<Snapshot>): boolean {
  return outcome.state === 'excluded' && outcome.reason === 'loop';
}

/** A source that is excluded as a loop was needed and queried. */
function isNotNeeded(outcome: Outcome<Snapshot>): boolean {
  return outcome.state === 'excluded' && outcome.reason !== 'loop';
}

function completenessOf(outcomes: FederatedAnswer['outcomes']): Completeness {
  const states = new Set(outcomes.map(({ outcome }) => outcome.state));
  for (const state of ['fresh', 'excluded'] as const) states.delete(state);
  if (states.size === 0) return 'complete';
  return states.size === 1 && states.has('stale') ? 'stale' : 'partial';
}

function laterDate(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
