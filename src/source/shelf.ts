import type { Held, HeldStore } from '../hold/held.js';
import type { Pulse } from '../hold/pulse.js';
import { copyOf, isTooLarge, viaOf } from '../model/outcome.js';
import type { Outcome, StaleReason } from '../model/outcome.js';
import type { Collected } from './collect.js';
import type { History } from './history.js';
import type { Copy, Kept, Lease, Registration, SourceHouse } from './registration.js';
import { HELD_AT_LEAST, weightOf, weightOfNames } from './weight.js';
import { reaches } from './wish.js';
import type { Wish } from './wish.js';

/** What is wished, and the key under which it is held. */
export interface Question {
  readonly key: string;
  readonly wish: Wish;
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
  recent(question: Question): Held<Kept> | undefined {
    return usable(this.at(recentOf(question)), question.wish);
  }

  /**
   * The last good copy, as long as it may stand in for something better. That there was no such item may not: there may be one now, and only
   * its source can tell (decisions.md, section 2).
   */
  standIn(question: Question, reason: StaleReason): Outcome<Copy> | undefined {
    const copy = copyOf(this.good(question)?.value.outcome ?? LATE);
    if (copy === undefined || (question.wish.native !== undefined && copy.set.size === 0)) return undefined;
    return { state: 'stale', reason, copy };
  }

  /** What stands in for nothing, as long as it may; else that nothing came. */
  insteadOf(question: Question, nothing: Copyless): Outcome<Copy> {
    return this.standIn(question, nothing.state === 'suspended' ? nothing.state : nothing.reason) ?? nothing;
  }

  /** Keeps what is not good for so many milliseconds; `weight` is in bytes. */
  remember(
    question: Question,
    outcome: Outcome<Copy>,
    { milliseconds, weight = HELD_AT_LEAST }: { readonly milliseconds: number; readonly weight?: number },
  ): Outcome<Copy> {
    const now = this.house.clock.now();
    const { ttl, staleIfError } = this.registration;
    const { key } = question;
    this.demote(key, outcome, now);
    this.lose(key);
    // A copy that stands in is not remembered for longer than it may stand in.
    const end = outcome.state === 'stale' ? outcome.copy.staleAt + staleIfError : Infinity;
    const until = Math.min(now + milliseconds, now + ttl, end);
    // That a source leads back here is given beyond that, while it is being looked at again.
    const dropAt = outcome.state === 'excluded' ? Math.max(until, now + staleIfError) : until;
    this.put(recentOf(question), { value: { outcome, weight }, heldAt: now, staleAt: until, waitAt: dropAt, dropAt });
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
    this.put(key, stoodIn ? { ...good, value: { ...value, outcome } } : { ...good, waitAt: Math.min(waitAt, now) });
  }

  /** Something else than the good copy is shown: when that is back, the set has changed, be its records the same. */
  lose(key: string): void {
    // What fails because the process stops is shown to nobody.
    if (this.house.stop.aborted) return;
    this.parts.history.lose(key);
  }

  private put(key: string, held: Held<Kept>, what: keyof Pulse = 'changes'): void {
    const { code, number } = this.registration;
    const { clock, log, changed, pulse } = this.house;
    const { store } = this.parts;
    pulse[what] += 1;
    const { weight, outcome } = held.value;
    const before = copyOf(store.get(key, clock.now())?.value.outcome ?? LATE)?.set;
    if (!store.put(key, held, weight + weightOfNames(viaOf(outcome)))) {
      log.warn({ source: code, weight }, 'source does not fit into cache.memory and is not held');
    }
    if (before !== undefined && before !== copyOf(outcome)?.set) changed(number, before.resource.path);
  }

  /** Holds a good copy in place of the last one. */
  hold(
    { key }: Question,
    outcome: Extract<Outcome<Copy>, { readonly state: 'fresh' }>,
    { drained, proof, front }: Collected,
  ): void {
    const { staleIfError, staleWhileRevalidate } = this.registration;
    const { staleAt, verifiedAt } = outcome.copy;
    // What may not stand in for a source that fails any more is dropped, and given to nobody who could wait either.
    const [waitAt, dropAt] = [staleAt + staleWhileRevalidate, staleAt + staleIfError];
    const last = this.at(key)?.value;
    const before = last?.outcome;
    const same = before?.state === 'fresh' && isAsBefore(before.copy, outcome.copy);
    const leases = same ? before.copy.leases : outcome.copy.leases;
    for (const lease of leases) Object.assign(lease, { verifiedAt, staleAt, waitAt } satisfies Partial<Lease>);
    const kept: typeof outcome = { state: 'fresh', copy: { ...outcome.copy, leases } };
    const weight = drained === undefined ? (last?.weight ?? HELD_AT_LEAST) : weightOf(drained, proof);
    const grown = front ?? (drained === undefined ? last?.front : undefined);
    const value = { outcome: kept, weight, ...(proof && { proof }), ...(grown && { front: grown }) };
    const heldAt = this.house.clock.now();
    this.put(key, { value, heldAt, staleAt, waitAt, dropAt }, same ? 'moves' : 'changes');
  }
}

function usable(held: Held<Kept> | undefined, wish: Wish): Held<Kept> | undefined {
  return held !== undefined && suffices(held.value.outcome, wish) ? held : undefined;
}

/** Whether it can be given to who has this wish. */
export function suffices(outcome: Outcome<Copy>, wish: Wish): boolean {
  if (isTooLarge(outcome)) return wish.however !== true;
  const copy = copyOf(outcome);
  return copy === undefined || reaches(copy, wish);
}

/** Whether whoever has an answer made of the one may be told of the other that it is the same, but for its instants. */
function isAsBefore(before: Copy, now: Copy): boolean {
  const { set, since, floor, lastModified, via } = now;
  const same = before.set === set && before.since === since && before.floor === floor;
  return same && before.lastModified === lastModified && before.via.join() === via.join();
}

/** By the reach of a front, too: that one is too large says nothing of a shorter one. */
function recentOf({ key, wish }: Question): string {
  return `recent ${key} ${wish.pushed?.front?.first ?? ''}`;
}
