import type { FederatedAnswer, Gateway, ListPage, SameTeamAnswer, SearchAnswer } from '../../gateway/gateway.js';
import type { MergedList } from '../../gateway/merged-list.js';
import type { MergedListCache } from '../../gateway/merged-list-cache.js';
import type { ChangeCounter } from '../../cache/change-counter.js';
import type { Clock } from '../../model/clock.js';
import type { Query } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { dependsOnPgpKeys } from '../../plan/pgp-key-dependency.js';
import type { QueryOptions } from '../../source/request/source-request-context.js';
import type { AnswerSourceReport, AnswerWithReport, Outcomes } from '../source-report/answer-source-report.js';
import { withoutDuration, createSourceReport } from '../source-report/answer-source-report.js';

/** Shorter than snapshots stay fresh: querying the sources marks their snapshots as recently used. */
const MAX_REUSE_MS = 1_000;

interface CachedAnswer {
  readonly outcomes: Outcomes;
  readonly report: AnswerSourceReport;
  /** Absent where the sources must be queried for another page. */
  readonly reusable?: ReusableAnswer | undefined;
}

/** A complete answer that waited for no source. */
interface ReusableAnswer {
  readonly list: ListPage;
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
  /** A complete answer includes PGP keys (decisions 4.25). */
  readonly readsKeys: boolean;
  /** In milliseconds since 1970; `validUntil` is exclusive. */
  readonly validFrom: number;
  readonly validUntil: number;
}

interface AnswerCacheDependencies {
  readonly gateway: Pick<Gateway, 'answer' | 'item' | 'sameTeam' | 'search'>;
  readonly mergedLists: MergedListCache;
  readonly changeCounter: ChangeCounter;
  readonly clock: Clock;
}

/**
 * The last answer of each merged list, as long as the list is cached (decisions 5.20). Another page is cut from it
 * without querying the sources, while every snapshot is fresh and none has changed. The report about the sources is
 * built again only when an outcome changes.
 */
export class AnswerCache {
  private readonly entries = new WeakMap<MergedList, CachedAnswer>();
  /** Of the last query: answers to different queries share its report. */
  private readonly latestByResource = new WeakMap<Resource, WeakRef<MergedList>>();

  constructor(private readonly dependencies: AnswerCacheDependencies) {}

  /** From the cached answer where possible. */
  async getList(query: Query, options: QueryOptions): Promise<AnswerWithReport> {
    const { gateway, changeCounter } = this.dependencies;
    const { changes } = changeCounter;
    return (await this.getCachedPage(query)) ?? this.store(query, await gateway.answer(query, options), changes);
  }

  /** At most one record; undefined where no source owns the id. */
  async getItem(query: Query, id: string, options: QueryOptions): Promise<AnswerWithReport | undefined> {
    const answer = await this.dependencies.gateway.item(query, id, options);
    return answer && this.store(query, answer);
  }

  /** Undefined where no source owns the id. */
  async getSameTeam(
    query: Query,
    id: string,
    options: QueryOptions,
  ): Promise<(AnswerWithReport & SameTeamAnswer) | undefined> {
    const answer = await this.dependencies.gateway.sameTeam(query, id, options);
    return answer && { ...answer, report: createSourceReport(answer.outcomes) };
  }

  async search(query: Query, options: QueryOptions): Promise<AnswerWithReport & SearchAnswer> {
    const answer = await this.dependencies.gateway.search(query, options);
    return { ...answer, report: createSourceReport(answer.outcomes) };
  }

  /** Without `changes`, only the report is reused. */
  private store(query: Query, answer: FederatedAnswer, changes?: number): AnswerWithReport {
    const { outcomes, list } = answer;
    if (list === undefined) return { ...answer, report: createSourceReport(outcomes) };
    const { mergedList } = list;
    const knownEntries = [mergedList, this.latestByResource.get(query.resource)?.deref()].map(
      (set) => set && this.entries.get(set),
    );
    const reusableEntry = knownEntries.find(
      (entry) => entry !== undefined && areSameOutcomes(entry.outcomes, outcomes),
    );
    const entry = reusableEntry ?? { outcomes: outcomes.map(withoutDuration), report: createSourceReport(outcomes) };
    const reusable = changes === undefined ? undefined : this.createReusableAnswer(query, answer, changes);
    this.entries.set(mergedList, { ...entry, reusable });
    this.latestByResource.set(query.resource, new WeakRef(mergedList));
    return { ...answer, report: entry.report };
  }

  private createReusableAnswer(
    query: Query,
    { list, waitReason }: FederatedAnswer,
    changes: number,
  ): ReusableAnswer | undefined {
    if (list === undefined || waitReason !== undefined || !isReusable(list)) return undefined;
    const validFrom = this.dependencies.clock.now();
    const validUntil = Math.min(validFrom + MAX_REUSE_MS, ...list.lists.map(({ times }) => times.staleAt));
    return { list, changes, readsKeys: dependsOnPgpKeys(query), validFrom, validUntil };
  }

  /** From the cached answer; undefined where the sources must be queried. */
  private async getCachedPage(query: Query): Promise<AnswerWithReport | undefined> {
    const { mergedLists, changeCounter, clock } = this.dependencies;
    const mergedList = mergedLists.get(query.canonicalKey);
    const { reusable, outcomes, report } = (mergedList && this.entries.get(mergedList)) ?? {};
    if (mergedList === undefined || reusable?.changes !== changeCounter.changes || outcomes === undefined)
      return undefined;
    const now = clock.now();
    if (now < reusable.validFrom || now >= reusable.validUntil) return undefined;
    // The canonical key does not contain the fields: an answer that is complete without keys may be incomplete for a
    // query that reads them.
    if (!reusable.readsKeys && dependsOnPgpKeys(query)) return undefined;
    const { list } = reusable;
    const records = await mergedLists.readPage(query, mergedList);
    const isFullPage = records.length === Math.min(query.limit, Math.max(0, list.total - query.offset));
    return isFullPage && report ? { outcomes, report, list: { ...list, records } } : undefined;
  }
}

/** The answer is complete, and has all dates that it will have. */
function isReusable({ completeness, date }: ListPage): boolean {
  return completeness === 'complete' && !date.isPending;
}

function areSameOutcomes(some: Outcomes, others: Outcomes): boolean {
  return (
    some.length === others.length &&
    some.every(({ code, outcome }, at) => code === others[at]?.code && outcome === others[at].outcome)
  );
}
