import type { Held } from '../hold/held.js';
import { Shared } from '../hold/shared.js';
import { copyOf } from '../model/outcome.js';
import type { Outcome, StaleReason } from '../model/outcome.js';
import { Suspended } from './breaker.js';
import type { Collected, Collector, Wish } from './collect.js';
import { asFailure } from './failure.js';
import type { SourceFailure } from './failure.js';
import type { Findings } from './findings.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { ShrinkGuard, isFarLess } from './shrink.js';

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
export const HELD_PER_BYTE = 3;

/** Bytes that a record takes beside its text, however short that is. */
const HELD_PER_RECORD = 500;

/** How long an outcome in doubt is kept, in milliseconds: the next look may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** How long a failure is kept, in milliseconds, so that a failing source is not asked by every waiting client. */
const FAILURE_TTL = 2_000;

/** Bytes that anything held takes beside its records: also that there is no such item, which anybody can ask for any number of ids. */
const HELD_AT_LEAST = 1_024;

/** The held copies of one source: the last good one of everything that was asked, and for seconds what was not good. */
export class HeldCopies {
  private readonly drains = new Shared<Outcome<Copy>>();
  private readonly guard: ShrinkGuard;

  constructor(
    private readonly registration: Registration,
    private readonly collector: Collector,
    private readonly house: SourceHouse,
  ) {
    this.guard = new ShrinkGuard(registration.confirmShrink);
  }

  /**
   * The good copy within its time to live, else what a drain brings, which all who ask meanwhile share. When `signal` (the asker's
   * deadline) ends the waiting, the last good copy stands in, and the drain goes on for the next. Never rejects.
   */
  get(wish: Wish, signal: AbortSignal): Promise<Outcome<Copy>> {
    const { store, clock } = this.house;
    const key = this.keyOf(wish);
    const now = clock.now();
    const good = store.get(key, now);
    if (good !== undefined && now < good.staleAt) return Promise.resolve(good.value);
    const recent = store.get(recentOf(key), now);
    if (recent !== undefined) return Promise.resolve(recent.value);
    const drain = this.drains.run(key, () => this.refresh(key, wish));
    return Promise.race([drain, whenAborted(signal, () => this.standIn(key, 'timeout') ?? LATE)]);
  }

  private keyOf({ resource, parameters, native }: Wish): string {
    return [this.registration.code, resource.name, native ?? '', JSON.stringify(parameters)].join(' ');
  }

  private async refresh(key: string, wish: Wish): Promise<Outcome<Copy>> {
    const { clock, log } = this.house;
    const facts = { source: this.registration.code, resource: wish.resource.name, ...wish.parameters };
    const started = clock.now();
    try {
      const collected = await this.collector.collect(wish);
      const { received: records, bytes, findings } = collected.drained;
      const milliseconds = clock.now() - started;
      log.info({ ...facts, records, bytes, milliseconds, findings: Object.fromEntries(findings) }, 'source drained');
      return this.told(wish, this.accept(key, collected, started), findings);
    } catch (error) {
      const failure = asFailure(error);
      const { reason, message } = failure;
      log.warn({ ...facts, reason, detail: message, milliseconds: clock.now() - started }, 'source failed');
      return this.told(wish, this.remember(key, this.replaced(key, failure), FAILURE_TTL));
    }
  }

  /** Tells the meter what whole resources came to; what is narrowed to a channel, to keys or to an item has no state of its own. */
  private told({ resource, parameters, native }: Wish, outcome: Outcome<Copy>, findings?: Findings): Outcome<Copy> {
    if (native !== undefined || Object.keys(parameters).length > 0) return outcome;
    const copy = copyOf(outcome);
    this.house.meter.fetched({
      source: this.registration.code,
      resource: resource.name,
      outcome,
      records: copy?.set.records.length ?? 0,
      ...(copy && { fetchedAt: copy.fetchedAt }),
      ...(findings && { findings }),
    });
    return outcome;
  }

  private accept(key: string, { outcome, drained }: Collected, started: number): Outcome<Copy> {
    const copy = copyOf(outcome);
    if (outcome.state !== 'fresh' || copy === undefined) return this.doubted(key, outcome, drained.bytes);
    const now = this.house.clock.now();
    const { code, ttl, staleIfError } = this.registration;
    const counts = { now: copy.set.records.length, before: this.lastGood(key)?.set.records.length };
    if (!this.guard.believes(key, counts, now)) {
      this.house.log.warn(
        { source: code, records: counts.now, before: counts.before },
        'source gave far less than before',
      );
      return this.remember(key, this.standIn(key, 'shrunk') ?? { state: 'failed', reason: 'shrunk' }, ttl);
    }
    const staleAt = now + ttl;
    this.put(key, { value: outcome, fetchedAt: started, staleAt, dropAt: staleAt + staleIfError }, drained.bytes);
    return outcome;
  }

  /** A doubtful copy is newer than the last good one, and kept for that; but not one that lacks most of it. */
  private doubted(key: string, outcome: Outcome<Copy>, bytes: number): Outcome<Copy> {
    const counts = { now: copyOf(outcome)?.set.records.length ?? 0, before: this.lastGood(key)?.set.records.length };
    const doubt = outcome.state === 'partial' || outcome.state === 'inconsistent' ? outcome.reason : undefined;
    const lacks = doubt !== undefined && ((counts.now === 0 && counts.before !== 0) || isFarLess(counts));
    const instead = lacks ? this.standIn(key, doubt) : undefined;
    return this.remember(key, instead ?? outcome, DOUBT_TTL, instead === undefined ? bytes : 0);
  }

  private replaced(key: string, failure: SourceFailure): Outcome<Copy> {
    const { reason } = failure;
    const suspended = failure instanceof Suspended;
    return this.standIn(key, suspended ? 'suspended' : reason) ?? { state: suspended ? 'suspended' : 'failed', reason };
  }

  /** The last good copy, as long as it may stand in for something better. */
  private standIn(key: string, reason: StaleReason): Outcome<Copy> | undefined {
    const copy = this.lastGood(key);
    return copy && { state: 'stale', reason, copy };
  }

  private lastGood(key: string): Copy | undefined {
    const { store, clock } = this.house;
    return copyOf(store.get(key, clock.now())?.value ?? LATE);
  }

  private remember(key: string, outcome: Outcome<Copy>, milliseconds: number, bytes = 0): Outcome<Copy> {
    const now = this.house.clock.now();
    const { ttl, staleIfError } = this.registration;
    // A copy that stands in is not remembered for longer than it may stand in.
    const end = outcome.state === 'stale' ? outcome.copy.staleAt + staleIfError : Infinity;
    const until = Math.min(now + milliseconds, now + ttl, end);
    this.put(recentOf(key), { value: outcome, fetchedAt: now, staleAt: until, dropAt: until }, bytes);
    return outcome;
  }

  private put(key: string, held: Held<Outcome<Copy>>, bytes: number): void {
    const records = copyOf(held.value)?.set.records.length ?? 0;
    const weight = HELD_AT_LEAST + bytes * HELD_PER_BYTE + records * HELD_PER_RECORD;
    const kept = this.house.store.put(key, held, weight);
    const { code } = this.registration;
    if (!kept) this.house.log.warn({ source: code, bytes }, 'source does not fit into cache.memory and is not held');
  }
}

const LATE: Outcome<Copy> = { state: 'failed', reason: 'timeout' };

function recentOf(key: string): string {
  return `recent ${key}`;
}

/** What `give` gives when the signal is aborted. */
function whenAborted<T>(signal: AbortSignal, give: () => T): Promise<T> {
  return new Promise((resolve) => {
    const end = (): void => {
      resolve(give());
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
}
