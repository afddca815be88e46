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
import type { Copy } from '../source/source.js';

/** A source as the gateway sees it. */
export interface Asked extends Candidate {
  /** Never rejects; see `Source.ask`. */
  ask(resource: Query['resource'], signal: AbortSignal): Promise<Outcome<Copy>>;
}

/** What the sources said about a query. */
export interface Answer {
  /** One for every registered source, by number. */
  readonly outcomes: readonly SourceOutcome<Copy>[];
  /** Absent when no source that was asked gave records: then there is no list, not an empty one. */
  readonly list?: List;
}

/** The records of an answer. */
export interface List {
  /** Matches in all sources: what paging through to the end yields. */
  readonly total: number;
  /** From `offset` on, `limit` at most, in the query's total order. */
  readonly records: readonly HeldRecord[];
  /** Newest date known of the matches and from the sources, in milliseconds since 1970; never in the future. */
  readonly newest?: number;
  /** Whether every source that was asked gave all that it has. */
  readonly complete: boolean;
  /** Milliseconds for which every source's copy is still within its time to live. */
  readonly freshFor: number;
}

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
    const { ask, excluded } = planQuery(query, this.sources);
    const signal = AbortSignal.timeout(Math.ceil(this.deadline * ASKING_SHARE));
    // Every source waits for it, and a hundred are not a leak.
    setMaxListeners(0, signal);
    const asked = new Map<Asked, SourceOutcome<Copy>>();
    await Promise.all(ask.map(async (source) => asked.set(source, await this.ask(source, query, signal))));
    for (const { source, reason } of excluded) asked.set(source, excludedBy(source, reason));
    const outcomes = this.sources.flatMap((source) => asked.get(source) ?? []);
    const copies = outcomes.flatMap(({ outcome }) => copyOf(outcome) ?? []);
    return copies.length === 0 ? { outcomes } : { outcomes, list: await this.listOf(query, outcomes, copies) };
  }

  private async ask(source: Asked, query: Query, signal: AbortSignal): Promise<SourceOutcome<Copy>> {
    const started = this.clock.now();
    const outcome = await source.ask(query.resource, signal);
    return { code: source.code, sourceName: source.sourceName, outcome, milliseconds: this.clock.now() - started };
  }

  private async listOf(query: Query, outcomes: Answer['outcomes'], copies: readonly Copy[]): Promise<List> {
    const { where, order, offset, limit } = query;
    const first = limit === 0 ? 0 : offset + limit;
    const found = await Promise.all(copies.map(({ set }) => search(set, { where, order, first })));
    const now = this.clock.now();
    const newest = newestOf(found, copies);
    return {
      total: found.reduce((sum, { total }) => sum + total, 0),
      records: await page(query, found),
      ...(newest !== undefined && { newest: Math.min(newest, now) }),
      complete: outcomes.every(({ outcome }) => outcome.state === 'fresh' || outcome.state === 'excluded'),
      freshFor: Math.max(0, Math.min(...copies.map(({ staleAt }) => staleAt)) - now),
    };
  }
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

function newestOf(found: readonly Found[], copies: readonly Copy[]): number | undefined {
  const dates = [...found.map(({ newest }) => newest), ...copies.map(({ lastModified }) => lastModified)];
  const known = dates.filter((date) => date !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
