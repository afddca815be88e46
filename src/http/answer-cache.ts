import type { Answer, Gateway, List } from '../gateway/gateway.js';
import type { MergedSet, MergedSets } from '../gateway/merged.js';
import type { Pulse } from '../hold/pulse.js';
import type { Clock } from '../model/clock.js';
import { shownDetail, viaOf } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { readsKeys } from '../plan/reads-keys.js';
import { lackingSources } from '../render/envelope.js';
import type { Manner } from '../source/asking.js';
import { sourceFacts } from './facts.js';
import { contributionsOf } from './source-status.js';
import type { Contribution } from './source-status.js';

/** Milliseconds after which the sources are asked again although their snapshots are fresh: asking marks a snapshot as recently used. */
const LONGEST = 1_000;

type Outcomes = Answer['outcomes'];

/** What an answer says about its sources, beside their records. */
export interface SourceReport {
  readonly contributions: readonly Contribution[];
  /** States, reasons and details of all sources, as text: part of what tells one answer from another. */
  readonly states: string;
  /** What the log says about the sources where the answer waited for none. */
  readonly facts: Readonly<Record<string, object>>;
  /** The sources that gave less than all, as the envelope lists them. */
  readonly lacking: ReturnType<typeof lackingSources>;
  /** Gateways behind the sources: a gateway in a ring finds itself among them. */
  readonly via: readonly string[];
}

export interface ReportedAnswer extends Answer {
  readonly report: SourceReport;
}

/** The last answer made of a merged set. */
interface Entry {
  readonly outcomes: Outcomes;
  readonly report: SourceReport;
  /** Absent where another page takes asking the sources again. */
  readonly reusable?: Reusable | undefined;
}

/** A complete answer that waited for no source. */
interface Reusable {
  readonly list: List;
  /** `Pulse.changes` before the sources were asked. */
  readonly changes: number;
  /** Whether the answer would not be complete without keys. */
  readonly readsKeys: boolean;
  /** In milliseconds since 1970, the last exclusive. */
  readonly from: number;
  readonly until: number;
}

export interface AnswerCacheParts {
  readonly gateway: Pick<Gateway, 'answer' | 'item'>;
  readonly merged: MergedSets;
  /** Of the snapshots of the sources. */
  readonly pulse: Pulse;
  readonly clock: Clock;
}

/**
 * The last answer of each merged set, for as long as that is held. Another page is cut from it without asking the sources while every snapshot
 * is fresh and none has changed; and the report about the sources is made only when the outcome of one is another.
 */
export class AnswerCache {
  private readonly entries = new WeakMap<MergedSet, Entry>();
  /** The merged set of each resource that was asked for last: answers to different queries share a report. */
  private readonly latest = new WeakMap<Resource, WeakRef<MergedSet>>();

  constructor(private readonly parts: AnswerCacheParts) {}

  async list(query: Query, manner: Manner): Promise<ReportedAnswer> {
    const { gateway, pulse } = this.parts;
    const { changes } = pulse;
    return (await this.cachedPage(query)) ?? this.stored(query, await gateway.answer(query, manner), changes);
  }

  /** An answer with one record; undefined where no source owns the id. */
  async item(query: Query, id: number, manner: Manner): Promise<ReportedAnswer | undefined> {
    const answer = await this.parts.gateway.item(query, id, manner);
    return answer && this.stored(query, answer);
  }

  /** Keeps an answer; without `changes`, for its report only. */
  private stored(query: Query, answer: Answer, changes?: number): ReportedAnswer {
    const { outcomes, list } = answer;
    if (list === undefined) return { ...answer, report: reportOf(outcomes) };
    const { merged } = list;
    const known = [merged, this.latest.get(query.resource)?.deref()].map((set) => set && this.entries.get(set));
    const same = known.find((entry) => entry !== undefined && areSame(entry.outcomes, outcomes));
    const entry = same ?? { outcomes: outcomes.map(withoutTime), report: reportOf(outcomes) };
    const reusable = changes === undefined ? undefined : this.reusable(query, answer, changes);
    this.entries.set(merged, { ...entry, reusable });
    this.latest.set(query.resource, new WeakRef(merged));
    return { ...answer, report: entry.report };
  }

  private reusable(query: Query, { list, waited }: Answer, changes: number): Reusable | undefined {
    if (list === undefined || waited !== undefined || !isSettled(list)) return undefined;
    const from = this.parts.clock.now();
    const until = Math.min(from + LONGEST, ...list.leases.map(({ staleAt }) => staleAt));
    return { list, changes, readsKeys: readsKeys(query), from, until };
  }

  /** The page of a query; undefined where the sources must be asked. */
  private async cachedPage(query: Query): Promise<ReportedAnswer | undefined> {
    const { merged, pulse, clock } = this.parts;
    const set = merged.held(query.key);
    const { reusable, outcomes, report } = (set && this.entries.get(set)) ?? {};
    if (set === undefined || reusable?.changes !== pulse.changes || outcomes === undefined) return undefined;
    const now = clock.now();
    if (now < reusable.from || now >= reusable.until) return undefined;
    // Fields are no part of the key: an answer that is complete without keys may not be for a query that reads them.
    if (!reusable.readsKeys && readsKeys(query)) return undefined;
    const { list } = reusable;
    const records = await merged.page(query, set);
    const isWhole = records.length === Math.min(query.limit, Math.max(0, list.total - query.offset));
    return isWhole && report ? { outcomes, report, list: { ...list, records } } : undefined;
  }
}

/** Whether the answer is complete, and its dates do not move with the clock. */
function isSettled({ completeness, newest, unchangedSince }: List): boolean {
  return completeness === 'complete' && (newest === undefined || unchangedSince !== undefined);
}

function areSame(some: Outcomes, others: Outcomes): boolean {
  return (
    some.length === others.length &&
    some.every(({ code, outcome }, at) => code === others[at]?.code && outcome === others[at].outcome)
  );
}

function withoutTime(one: Outcomes[number]): Outcomes[number] {
  return one.milliseconds === 0 ? one : { ...one, milliseconds: 0 };
}

function reportOf(outcomes: Outcomes): SourceReport {
  const states = outcomes.map(({ code, outcome }) => {
    const reason = 'reason' in outcome ? outcome.reason : '';
    return [code, outcome.state, reason, ...Object.values(shownDetail(outcome))];
  });
  return {
    contributions: contributionsOf(outcomes),
    states: states.join(),
    facts: sourceFacts(outcomes.map(withoutTime)),
    lacking: lackingSources(outcomes),
    via: outcomes.flatMap(({ outcome }) => viaOf(outcome)),
  };
}
