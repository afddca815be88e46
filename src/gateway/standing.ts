import type { Pulse } from '../hold/pulse.js';
import type { Clock } from '../model/clock.js';
import type { Query } from '../model/query.js';
import { readsKeys } from '../plan/reads-keys.js';
import type { Manner } from '../source/asking.js';
import type { Answer, List } from './gateway.js';
import type { MergedSet, MergedSets } from './merged.js';

/** Milliseconds after which sources are asked again, though their copies are fresh: what is asked for is the last to give way. */
const LONGEST = 1_000;

/** A complete answer for which nothing was waited, but for its page. */
interface Stood {
  readonly outcomes: Answer['outcomes'];
  readonly list: List;
  /** Of what is held of the sources (`Pulse.changes`), from before they were asked. */
  readonly changes: number;
  /** Whether it would not be complete if keys were missing. */
  readonly readsKeys: boolean;
  /** In milliseconds since 1970, the last exclusive. */
  readonly from: number;
  readonly until: number;
}

/** What further pages are cut from. */
export interface StandingParts {
  readonly answer: (query: Query, manner?: Manner) => Promise<Answer>;
  readonly merged: MergedSets;
  /** Of what is held of the sources. */
  readonly pulse: Pulse;
  readonly clock: Clock;
}

/**
 * Answers that stand as they did a moment ago: another page of a set is cut without asking each source again, as long as nothing has changed
 * that is held of any, and every copy is fresh. All else is asked.
 */
export class StandingAnswers {
  /** Gone with its set. */
  private readonly stood = new WeakMap<MergedSet, Stood>();

  constructor(private readonly parts: StandingParts) {}

  async answer(query: Query, manner: Manner): Promise<Answer> {
    const { answer, pulse, clock } = this.parts;
    const { changes } = pulse;
    const stood = this.standing(query);
    const cut = stood && (await this.cut(query, stood));
    if (cut !== undefined) return cut;
    const asked = await answer(query, manner);
    const { list, waited } = asked;
    if (list !== undefined && waited === undefined && lasts(list)) {
      const from = clock.now();
      const until = Math.min(from + LONGEST, ...list.leases.map(({ staleAt }) => staleAt));
      const outcomes = asked.outcomes.map((one) => (one.milliseconds === 0 ? one : { ...one, milliseconds: 0 }));
      this.stood.set(list.merged, { outcomes, list, changes, readsKeys: readsKeys(query), from, until });
    }
    return asked;
  }

  private standing(query: Query): Stood | undefined {
    const { merged, pulse, clock } = this.parts;
    const set = merged.held(query.key);
    const stood = set && this.stood.get(set);
    const now = clock.now();
    // Fields are no part of the key: an answer that is complete without keys may not be for a query that reads them.
    if (stood?.readsKeys === false && readsKeys(query)) return undefined;
    return stood?.changes === pulse.changes && stood.from <= now && now < stood.until ? stood : undefined;
  }

  /** The page of a query; undefined where its set has more than is known of it. */
  private async cut(query: Query, { outcomes, list }: Stood): Promise<Answer | undefined> {
    const { merged, total } = list;
    const records = await this.parts.merged.page(query, merged);
    const { offset, limit } = query;
    const whole = records.length === Math.min(limit, Math.max(0, total - offset));
    return whole ? { outcomes, list: { ...list, records } } : undefined;
  }
}

/** Whether it is complete, and has dates that do not go with the clock. */
function lasts({ completeness, newest, unchangedSince }: List): boolean {
  return completeness === 'complete' && (newest === undefined || unchangedSince !== undefined);
}
