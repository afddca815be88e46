import type { FederatedAnswer, Gateway, ListPage } from '../../gateway/gateway.js';
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

/** Milliseconds after which the sources are asked again although their snapshots are fresh: asking marks a snapshot as recently used. */
const MAX_REUSE_MS = 1_000;

/** The last answer made of a merged set. */
interface CachedAnswer {
  readonly outcomes: Outcomes;
  readonly report: AnswerSourceReport;
  /** Absent where another page takes asking the sources again. */
  readonly reusable?: ReusableAnswer | undefined;
}

/** A complete answer that waited for no source. */
interface ReusableAnswer {
  readonly list: ListPage;
  /** `ChangeCounter.changes` before the sources were asked. */
  readonly changes: number;
  /** Whether the answer would not be complete without keys. */
  readonly readsKeys: boolean;
  /** In milliseconds since 1970, the last exclusive. */
  readonly validFrom: number;
  readonly validUntil: number;
}

export interface AnswerCacheDependencies {
  readonly gateway: Pick<Gateway, 'answer' | 'item'>;
  readonly mergedLists: MergedListCache;
  /** Of the snapshots of the sources. */
  readonly changeCounter: ChangeCounter;
  readonly clock: Clock;
}

/**
 * The last answer of each merged set, for as long as that is held. Another page is cut from it without asking the sources while every snapshot
 * is fresh and none has changed; and the report about the sources is made only when the outcome of one is another.
 */
export class AnswerCache {
  private readonly entries = new WeakMap<MergedList, CachedAnswer>();
  /** The merged set of each resource that was asked for last: answers to different queries share a report. */
  private readonly latestByResource = new WeakMap<Resource, WeakRef<MergedList>>();

  constructor(private readonly dependencies: AnswerCacheDependencies) {}

  async getList(query: Query, manner: QueryOptions): Promise<AnswerWithReport> {
    const { gateway, changeCounter: pulse } = this.dependencies;
    const { changes } = pulse;
    return (await this.getCachedPage(query)) ?? this.store(query, await gateway.answer(query, manner), changes);
  }

  /** An answer with one record; undefined where no source owns the id. */
  async getItem(query: Query, id: number, manner: QueryOptions): Promise<AnswerWithReport | undefined> {
    const answer = await this.dependencies.gateway.item(query, id, manner);
    return answer && this.store(query, answer);
  }

  /** Keeps an answer; without `changes`, for its report only. */
  private store(query: Query, answer: FederatedAnswer, changes?: number): AnswerWithReport {
    const { outcomes, list } = answer;
    if (list === undefined) return { ...answer, report: createSourceReport(outcomes) };
    const { mergedList: merged } = list;
    const known = [merged, this.latestByResource.get(query.resource)?.deref()].map(
      (set) => set && this.entries.get(set),
    );
    const same = known.find((entry) => entry !== undefined && areSameOutcomes(entry.outcomes, outcomes));
    const entry = same ?? { outcomes: outcomes.map(withoutDuration), report: createSourceReport(outcomes) };
    const reusable = changes === undefined ? undefined : this.createReusableAnswer(query, answer, changes);
    this.entries.set(merged, { ...entry, reusable });
    this.latestByResource.set(query.resource, new WeakRef(merged));
    return { ...answer, report: entry.report };
  }

  private createReusableAnswer(
    query: Query,
    { list, waitReason: waited }: FederatedAnswer,
    changes: number,
  ): ReusableAnswer | undefined {
    if (list === undefined || waited !== undefined || !isIndependentOfClock(list)) return undefined;
    const from = this.dependencies.clock.now();
    const until = Math.min(from + MAX_REUSE_MS, ...list.leases.map(({ staleAt }) => staleAt));
    return { list, changes, readsKeys: dependsOnPgpKeys(query), validFrom: from, validUntil: until };
  }

  /** The page of a query; undefined where the sources must be asked. */
  private async getCachedPage(query: Query): Promise<AnswerWithReport | undefined> {
    const { mergedLists: merged, changeCounter: pulse, clock } = this.dependencies;
    const set = merged.get(query.canonicalKey);
    const { reusable, outcomes, report } = (set && this.entries.get(set)) ?? {};
    if (set === undefined || reusable?.changes !== pulse.changes || outcomes === undefined) return undefined;
    const now = clock.now();
    if (now < reusable.validFrom || now >= reusable.validUntil) return undefined;
    // Fields are no part of the key: an answer that is complete without keys may not be for a query that reads them.
    if (!reusable.readsKeys && dependsOnPgpKeys(query)) return undefined;
    const { list } = reusable;
    const records = await merged.readPage(query, set);
    const isWhole = records.length === Math.min(query.limit, Math.max(0, list.total - query.offset));
    return isWhole && report ? { outcomes, report, list: { ...list, records } } : undefined;
  }
}

/** Whether the answer is complete, and its dates do not move with the clock. */
function isIndependentOfClock({ completeness, newest, unchangedSince }: ListPage): boolean {
  return completeness === 'complete' && (newest === undefined || unchangedSince !== undefined);
}

function areSameOutcomes(some: Outcomes, others: Outcomes): boolean {
  return (
    some.length === others.length &&
    some.every(({ code, outcome }, at) => code === others[at]?.code && outcome === others[at].outcome)
  );
}
