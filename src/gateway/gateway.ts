import { setMaxListeners } from 'node:events';
import { kWayMerge } from '../merge/k-way-merge.js';
import type { Clock } from '../model/clock.js';
import { copyOf } from '../model/outcome.js';
import type { Exclusion, Outcome, SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { HeldRecord } from '../model/record.js';
import { inSlices } from '../model/slices.js';
import { planQuery } from '../plan/plan.js';
import type { Candidate } from '../plan/plan.js';
import { totalOrder } from '../records/order.js';
import type { Place } from '../records/order.js';
import { search } from '../records/search.js';
import type { Found } from '../records/search.js';
import { ID_FACTOR } from '../source/record-reader.js';
import type { Copy, Wanted } from '../source/source.js';
import { datesOf } from './last-modified.js';

/** A source as the gateway sees it. */
export interface Asked extends Candidate {
  readonly required: boolean;
  readonly number: number;
  /** Never rejects; see `Source.ask`. */
  ask(wanted: Wanted, signal: AbortSignal): Promise<Outcome<Copy>>;
  /** One news item by the source's own id. Never rejects. */
  item(native: number, signal: AbortSignal): Promise<Outcome<Copy>>;
}

/** What the sources said about a query. */
export interface Answer {
  /** One for every registered source, by number. */
  readonly outcomes: readonly SourceOutcome<Copy>[];
  /** Absent when sources were asked and none gave records, or a required one did not: then there is no list, not an empty one. */
  readonly list?: List;
}

/**
 * decisions.md, section 1: `complete` when every source that was asked gave all that it has, `stale` when a last good copy stood in
 * for one, `partial` when one gave nothing, or not all, or may not have.
 */
export type Completeness = 'complete' | 'stale' | 'partial';

/** The records of an answer. */
export interface List {
  /** Matches in all sources: what paging through to the end yields. */
  readonly total: number;
  /** From `offset` on, `limit` at most, in the query's total order. */
  readonly records: readonly HeldRecord[];
  /** When the set changed last, in milliseconds since 1970 (`datesOf`). Never in the future. */
  readonly newest?: number;
  /** From here on whoever asked got the set as it is, in milliseconds since 1970; absent unless the list is complete, and that date is over. */
  readonly unchangedSince?: number;
  readonly completeness: Completeness;
  /** Milliseconds for which every source's copy is still within its time to live. */
  readonly freshFor: number;
  /** Names of the further properties among all matches, those of other pages too; looked for when they are asked for. */
  readonly furtherNames: () => Promise<ReadonlySet<string>>;
}

/** States in which a source gave all that it has. */
const GIVING: ReadonlySet<Outcome<Copy>['state']> = new Set(['fresh', 'stale']);

/** Share of the deadline after which the answer is put together from what has come; the rest is for putting together. */
const ASKING_SHARE = 0.85;

/** The federation: one query in, one answer from all sources out. */
export class Gateway {
  constructor(
    /** Ordered by number. */
    private readonly sources: readonly Asked[],
    private readonly clock: Clock,
    /** Milliseconds for a whole answer. */
    private readonly deadline: number,
  ) {}

  /** Asks every source that the plan names, at the same time, and makes one list of what came (decisions.md, section 5). */
  async answer(query: Query): Promise<Answer> {
    const started = this.clock.now();
    const { ask, excluded } = planQuery(query, this.sources);
    const asked = new Map<Asked, SourceOutcome<Copy>>();
    for (const { source, reason } of excluded) asked.set(source, excludedBy(source, reason));
    const signal = this.asking();
    const answers = ask.map(async (source) =>
      asked.set(source, await this.timed(source, () => source.ask(query, signal))),
    );
    await Promise.all(answers);
    const outcomes = this.sources.flatMap((source) => asked.get(source) ?? []);
    return this.answerOf(query, outcomes, started);
  }

  private asking(): AbortSignal {
    const signal = AbortSignal.timeout(Math.ceil(this.deadline * ASKING_SHARE));
    // Every source waits for it, and a hundred are not a leak.
    setMaxListeners(0, signal);
    return signal;
  }

  /**
   * One news item, by the id that the list shows: it names the source that owns it (decisions.md, section 4, "Ids"). A list of one;
   * an empty one when the owner says that there is no such item; undefined when no source owns the id.
   */
  async item(query: Query, id: number): Promise<Answer | undefined> {
    // No list shows an id that large, and a number that large cannot be taken apart exactly.
    if (!Number.isSafeInteger(id)) return undefined;
    const owner = this.sources.find((source) => source.number === id % ID_FACTOR && source.serves(query.resource));
    if (owner === undefined) return undefined;
    const started = this.clock.now();
    const outcome = await this.timed(owner, () => owner.item(Math.floor(id / ID_FACTOR), this.asking()));
    return this.answerOf(query, [outcome], started);
  }

  private async answerOf(query: Query, outcomes: Answer['outcomes'], started: number): Promise<Answer> {
    const copies = outcomes.flatMap(({ outcome }) => copyOf(outcome) ?? []);
    const nobodyToAsk = outcomes.every(({ outcome }) => isNeedless(outcome));
    if ((copies.length === 0 && !nobodyToAsk) || this.lacksRequired(outcomes)) return { outcomes };
    return { outcomes, list: await this.listOf(query, { outcomes, copies, started }) };
  }

  /** decisions.md, section 6: without a source that is registered as required, fresh or stale, no answer is given. */
  private lacksRequired(outcomes: Answer['outcomes']): boolean {
    const required = new Set(this.sources.filter((source) => source.required).map(({ code }) => code));
    return outcomes.some(
      ({ code, outcome }) => required.has(code) && !GIVING.has(outcome.state) && !isNeedless(outcome),
    );
  }

  private async timed(source: Asked, ask: () => Promise<Outcome<Copy>>): Promise<SourceOutcome<Copy>> {
    const { code, sourceName } = source;
    const started = this.clock.now();
    const outcome = await ask();
    return { code, sourceName, outcome, milliseconds: this.clock.now() - started };
  }

  private async listOf(query: Query, { outcomes, copies, started }: Gathered): Promise<List> {
    const { where, order, offset, limit } = query;
    const first = limit === 0 ? 0 : offset + limit;
    const found = await Promise.all(copies.map(({ set }) => search(set, { where, order, first })));
    const now = this.clock.now();
    const parts = copies.map(({ lastModified, since, floor }, at) => ({
      newest: later(found[at]?.newest, lastModified),
      since,
      floor,
    }));
    const { newest, unchangedSince } = outcomes.some(leadsBack) ? {} : datesOf(parts, started);
    const completeness = completenessOf(outcomes);
    return {
      total: found.reduce((sum, { total }) => sum + total, 0),
      records: await page(query, found),
      ...(newest !== undefined && { newest }),
      completeness,
      ...(completeness === 'complete' && unchangedSince !== undefined && { unchangedSince }),
      freshFor: copies.length === 0 ? 0 : Math.max(0, Math.min(...copies.map(({ staleAt }) => staleAt)) - now),
      furtherNames: async () => union(await Promise.all(found.map(({ furtherNames }) => furtherNames()))),
    };
  }
}

/** What came for a query. */
interface Gathered {
  readonly outcomes: Answer['outcomes'];
  readonly copies: readonly Copy[];
  /** When the sources began to be asked, in milliseconds since 1970. */
  readonly started: number;
}

/** Whether the source was left out though the query needs it: the set is another one without it, and no date tells which. */
function leadsBack({ outcome }: SourceOutcome<Copy>): boolean {
  return outcome.state === 'excluded' && outcome.reason === 'loop';
}

/** Whether the query did not need the source; one that leads back here was needed, and asked. */
function isNeedless(outcome: Outcome<Copy>): boolean {
  return outcome.state === 'excluded' && outcome.reason !== 'loop';
}

function completenessOf(outcomes: Answer['outcomes']): Completeness {
  const states = new Set(outcomes.map(({ outcome }) => outcome.state));
  for (const state of ['fresh', 'excluded'] as const) states.delete(state);
  if (states.size === 0) return 'complete';
  return states.size === 1 && states.has('stale') ? 'stale' : 'partial';
}

function excludedBy({ code, sourceName }: Asked, reason: Exclusion): SourceOutcome<Copy> {
  return { code, sourceName, outcome: { state: 'excluded', reason }, milliseconds: 0 };
}

/** Records that are merged in one slice. */
const SLICE = 4_096;

async function page({ order, offset, limit }: Query, found: readonly Found[]): Promise<readonly HeldRecord[]> {
  const records: HeldRecord[] = [];
  const total = found.reduce((sum, { total }) => sum + total, 0);
  const end = limit === 0 ? 0 : Math.min(offset + limit, total);
  const streams = found.map(({ places }) => places);
  const merged = kWayMerge(streams, totalOrder(order));
  await inSlices(end, SLICE, (from, to) => {
    for (let place = from; place < to; place += 1) {
      const record = recordOf(merged.next());
      if (place >= offset && record !== undefined) records.push(record);
    }
  });
  return records;
}

function recordOf({ value }: IteratorResult<Place, void>): HeldRecord | undefined {
  return value?.from.set.records[value.at];
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
