import type { Held, HeldStore } from '../hold/held.js';
import type { Pulse } from '../hold/pulse.js';
import { copyOf, isTooLarge, viaOf } from '../model/outcome.js';
import type { FailureDetail, Outcome, StaleReason } from '../model/outcome.js';
import type { Collected } from './collect.js';
import type { History, Placed } from './history.js';
import type { Copy, Kept, Registration, SourceHouse } from './registration.js';
import { HELD_AT_LEAST, weightOf, weightOfNames } from './weight.js';
import { keyOf, reaches } from './wish.js';
import type { Wish } from './wish.js';

/** What is wished, and under what it is held. */
export interface Question {
  readonly wish: Wish;
  /** Names the last good copy. */
  readonly key: string;
  /** Names what came last and was not good. */
  readonly recentKey: string;
}

/** What a wish asks of the source with this code; copies of another generation are others. */
export function questionOf(code: string, wish: Wish, generation = 0): Question {
  const key = generation === 0 ? keyOf(code, wish) : `${keyOf(code, wish)} ${generation}`;
  // By the reach of a front, and by its bounds, too: that one is too large says nothing of a shorter one, or of one that may be larger.
  return {
    wish,
    key,
    recentKey: `recent ${key} ${wish.pushed?.front?.first ?? ''}${wish.however === true ? ' large' : ''}`,
  };
}

/** An outcome that brings nothing. */
export type Copyless = Extract<Outcome<Copy>, { readonly state: 'failed' | 'suspended' }>;

/** Whether it brings nothing, for the source could not be asked or is not believed. */
export function isCopyless(outcome: Outcome<Copy>): outcome is Copyless {
  return outcome.state === 'failed' || outcome.state === 'suspended';
}

/** What came out of time: nothing was known by then. */
export const LATE: Copyless = { state: 'failed', reason: 'timeout' };

/** What a shelf is made of. */
export interface ShelfParts {
  readonly store: HeldStore<Kept>;
  readonly history: History;
}

/** Where the copies of one source are held: under each key the last good one, and beside it for a while what was not good. */
export class Shelf {
  constructor(
    private readonly registration: Registration,
    private readonly house: SourceHouse,
    private readonly parts: ShelfParts,
  ) {}

  /** The last good copy that is held under the key, however far it reaches. */
  at(key: string): Held<Kept> | undefined {
    return this.parts.store.get(key, this.house.clock.now());
  }

  /** The last good copy of what is wished. */
  good({ key, wish }: Question): Held<Kept> | undefined {
    return usable(this.at(key), wish);
  }

  /** What came last, where that was not good and is remembered. */
  recent({ recentKey, wish }: Question): Held<Kept> | undefined {
    return usable(this.at(recentKey), wish);
  }

  /**
   * The last good copy, as long as it may stand in for something better. That there was no such item may not: there may be one now, and only
   * its source can tell (decisions.md, section 2).
   */
  standIn(question: Question, reason: StaleReason, detail?: FailureDetail): Outcome<Copy> | undefined {
    const copy = copyOf(this.good(question)?.value.outcome ?? LATE);
    if (copy === undefined || (question.wish.native !== undefined && copy.set.size === 0)) return undefined;
    return { state: 'stale', reason, copy, ...(detail && { detail }) };
  }

  /** What stands in for nothing, as long as it may; else that nothing came. */
  insteadOf(question: Question, nothing: Copyless): Outcome<Copy> {
    const { state, reason, detail } = nothing;
    const standIn = state === 'suspended' ? this.standIn(question, state) : this.standIn(question, reason, detail);
    return standIn ?? nothing;
  }

  /** Keeps what is not good for so many milliseconds; `weight` is in bytes. */
  remember(
    question: Question,
    outcome: Outcome<Copy>,
    { milliseconds, weight = HELD_AT_LEAST }: { readonly milliseconds: number; readonly weight?: number },
  ): Outcome<Copy> {
    const now = this.house.clock.now();
    const { ttl, staleIfError } = this.registration;
    const { key, recentKey } = question;
    this.demote(key, outcome, now);
    this.lose(key);
    // A copy that stands in is not remembered for longer than it may stand in.
    const end = outcome.state === 'stale' ? outcome.copy.staleAt + staleIfError : Infinity;
    const until = Math.min(now + milliseconds, now + ttl, end);
    // That a source leads back here is given beyond that, while it is being looked at again.
    const dropAt = outcome.state === 'excluded' ? Math.max(until, now + staleIfError) : until;
    const held = { value: { outcome, weight }, heldAt: now, staleAt: until, waitAt: dropAt, dropAt };
    this.put(recentKey, held, this.at(recentKey)?.value);
    return outcome;
  }

  /**
   * The last good copy is not given as fresh any more: it is stale for the reason for which it stood in; and where something newer came,
   * though in doubt, who asks waits for the next.
   */
  private demote(key: string, outcome: Outcome<Copy>, now: number): void {
    const good = this.at(key);
    if (good === undefined) return;
    const { value, waitAt } = good;
    const stoodIn = outcome.state === 'stale';
    const demoted = stoodIn ? { value: { ...value, outcome } } : { waitAt: Math.min(waitAt, now) };
    this.put(key, { ...good, ...demoted }, value);
  }

  /** Something else than the good copy is shown: when that is back, the set has changed, be its records the same. */
  lose(key: string): void {
    // What fails because the process stops is shown to nobody.
    if (this.house.stop.aborted) return;
    this.parts.history.lose(key);
  }

  /** `last` is what was held under the key. */
  private put(key: string, held: Held<Kept>, last: Kept | undefined, what: keyof Pulse = 'changes'): void {
    const { code, number } = this.registration;
    const { log, changed, pulse } = this.house;
    const { store } = this.parts;
    pulse[what] += 1;
    const { weight, outcome } = held.value;
    const before = copyOf(last?.outcome ?? LATE)?.set;
    if (!store.put(key, held, weight + weightOfNames(viaOf(outcome)))) {
      log.warn({ source: code, weight }, 'source does not fit into cache.memory and is not held');
    }
    if (before !== undefined && before !== copyOf(outcome)?.set) changed(number, before.resource.path);
  }

  /** Holds a good copy in place of the last one, and gives it as it is held. */
  hold(
    { key }: Question,
    { copy, placed }: { readonly copy: Copy; readonly placed: Placed },
    { drained, proof, front }: Collected,
  ): Outcome<Copy> {
    const { staleIfError, staleWhileRevalidate } = this.registration;
    const { staleAt, verifiedAt } = copy;
    // What may not stand in for a source that fails any more is dropped, and given to nobody who could wait either.
    const [waitAt, dropAt] = [staleAt + staleWhileRevalidate, staleAt + staleIfError];
    const last = this.at(key)?.value;
    const before = last?.outcome;
    // It was made for this, and is nobody's yet.
    const now = Object.assign(copy, placed);
    const same = before?.state === 'fresh' && isAsBefore(before.copy, now);
    const leases = same ? before.copy.leases : copy.leases;
    for (const lease of leases) {
      lease.verifiedAt = verifiedAt;
      lease.staleAt = staleAt;
      lease.waitAt = waitAt;
    }
    const outcome = { state: 'fresh', copy: Object.assign(now, { leases }) } as const;
    const weight = drained === undefined ? (last?.weight ?? HELD_AT_LEAST) : weightOf(drained, proof);
    const grown = front ?? (drained === undefined ? last?.front : undefined);
    const value = { outcome, weight, ...(proof && { proof }), ...(grown && { front: grown }) };
    const heldAt = this.house.clock.now();
    this.put(key, { value, heldAt, staleAt, waitAt, dropAt }, last, same ? 'moves' : 'changes');
    return outcome;
  }
}

function usable(held: Held<Kept> | undefined, wish: Wish): Held<Kept> | undefined {
  return held !== undefined && suffices(held.value.outcome, wish) ? held : undefined;
}

/** Whether it can be given to who has this wish. */
export function suffices(outcome: Outcome<Copy>, wish: Wish): boolean {
  if (isTooLarge(outcome)) return true;
  const copy = copyOf(outcome);
  return copy === undefined || reaches(copy, wish);
}

/** Whether whoever has an answer made of the one may be told of the other that it is the same, but for its instants. */
function isAsBefore(before: Copy, now: Copy): boolean {
  const { set, since, floor, lastModified, via } = now;
  const same = before.set === set && before.since === since && before.floor === floor;
  return same && before.lastModified === lastModified && (before.via === via || before.via.join() === via.join());
}
