import { getErrorMessage } from '../../text/get-error-message.js';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DateAgreement } from '../../gateway/agreed-dates.js';
import type { Publish } from '../../events/event.js';
import type { Clock } from '../../model/clock.js';
import { ChangeSignals } from './change-signals.js';
import type { EntrySealer } from '../../lists/store/redis/entry-sealer.js';
import { InstanceAgreement, MAX_CLOCK_DIFFERENCE_MS, NOTICE_MS } from './instance-agreement.js';
import type { DisagreementReason, PendingChange, ReportResult } from './instance-agreement.js';
import { MemoryClock } from './memory-clock.js';
import type { SharedState, SharedStore } from './shared-store.js';

const REPORT_INTERVAL_MS = NOTICE_MS / 4;

/** In milliseconds: a new epoch takes one notice period. */
const REPORTED_DISAGREEMENT_MS = 2 * NOTICE_MS;

export interface ObservedList {
  /**
   * Another instance may have replaced the entry. This instance is not in agreement from `dueAt` on, by the monotonic
   * clock, unless it serves the entry. `isNewEpoch`: the memory may have lost the entry.
   */
  noteChange(dueAt: number, isNewEpoch: boolean): void;
  noteReport(): void;
}

/** Times are in milliseconds since 1970. */
export interface AgreementState {
  /** Undefined: it is in agreement. */
  readonly reason: DisagreementReason | undefined;
  /** Since when it is in agreement, or is not. */
  readonly since: number;
  /** Without the password. */
  readonly lastError: { readonly at: number; readonly message: string } | undefined;
  /** In milliseconds; undefined: unknown. */
  readonly clockAhead: number | undefined;
}

interface SharedMemoryOptions {
  readonly store: SharedStore;
  readonly sealer: EntrySealer;
  readonly clock: Clock;
  readonly publish: Publish;
  /** Hash of everything that shapes responses: the configuration and the version of the program. */
  readonly configuration: string;
  /** Absent: the clock of the process. */
  readonly monotonic?: () => number;
  /** Absent: timers that do not keep the process alive. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

/** The memory that this instance shares with others, and whether it serves what they serve (operation 2.5.4). */
export class SharedMemory implements DateAgreement {
  readonly store: SharedStore;
  readonly sealer: EntrySealer;
  readonly clock: Clock;
  readonly publish: Publish;
  readonly agreement: InstanceAgreement;
  readonly time: MemoryClock;
  readonly instance = randomUUID();
  readonly clockTolerance = 2 * MAX_CLOCK_DIFFERENCE_MS;
  readonly monotonic: () => number;
  private readonly pause: (milliseconds: number) => Promise<void>;
  private readonly lists = new Map<string, ObservedList>();
  private readonly agreementListeners = new Set<() => void>();
  private configuration: string;
  private known: SharedState | undefined;
  private reachable = false;
  /** Errors before the first report are those of a connection that was not open yet. */
  private wasReached = false;
  private isClosed = false;
  private wasInAgreement = false;
  private agreementChangedAt: number;
  private lastError: AgreementState['lastError'];
  /** When the agreement was last seen, or the start, by the monotonic clock. */
  private inAgreementAt: number;
  /** Undefined: nothing was reported. */
  private reported: DisagreementReason | 'none' | undefined;
  private readonly changes = new ChangeSignals();
  private report: Promise<void> | undefined;

  constructor(options: SharedMemoryOptions) {
    const { store, sealer, clock, publish, configuration } = options;
    this.store = store;
    this.sealer = sealer;
    this.clock = clock;
    this.publish = publish;
    this.configuration = configuration;
    this.monotonic = options.monotonic ?? (() => performance.now());
    this.pause = options.pause ?? ((milliseconds) => sleep(milliseconds, undefined, { ref: false }));
    this.agreement = new InstanceAgreement(clock, this.monotonic);
    this.time = new MemoryClock(clock, this.monotonic);
    this.inAgreementAt = this.monotonic();
    this.agreementChangedAt = clock.now();
    store.onChange((name) => {
      this.changes.notify(name);
      // A report shows nothing about an entry that no list of this instance follows.
      if (name === undefined || this.lists.has(name)) void this.synchronize();
    });
  }

  get isReachable(): boolean {
    return this.reachable && !this.isClosed;
  }

  /** Times by a wrong clock mean something else to the others. */
  get mayPublish(): boolean {
    return this.isReachable && !this.time.isWrong;
  }

  /** Undefined before the first report. Entries of an earlier epoch may be lost. */
  get epoch(): string | undefined {
    return this.known?.epoch.id;
  }

  /** Undefined: this instance is in agreement. */
  get disagreement(): DisagreementReason | undefined {
    const reason = this.agreement.findReason();
    // The wait for the last reply was too long to compare the clocks.
    return reason === 'unreachable' && this.isReachable && !this.time.isConclusive ? 'clock' : reason;
  }

  /** For the operator (operation 3.5.6). */
  get state(): AgreementState {
    const { disagreement: reason, agreementChangedAt: since, lastError } = this;
    const { clockAhead } = this.time;
    return { reason, since, lastError, clockAhead };
  }

  /**
   * Race: (1) the agreement ends; (2) an answer without dates is cached; (3) the agreement begins again before the next
   * report looks. So an end is noted here, too, and listeners learn of the beginning.
   */
  agreedSince(): number | undefined {
    this.checkAgreement();
    return this.agreement.agreedSince();
  }

  /** Called when the agreement begins or ends. Returns the end of the subscription. */
  onAgreementChange(listener: () => void): () => void {
    this.agreementListeners.add(listener);
    return () => this.agreementListeners.delete(listener);
  }

  async run(): Promise<void> {
    while (!this.isClosed) {
      await this.synchronize();
      await this.pause(REPORT_INTERVAL_MS);
      this.checkAgreement();
    }
  }

  /** At most for these milliseconds. */
  async waitUntilReachable(milliseconds: number): Promise<void> {
    const end = this.monotonic() + milliseconds;
    while (!this.reachable && this.monotonic() < end) {
      await this.pause(Math.min(25, milliseconds));
      await this.synchronize();
    }
  }

  /** Never rejects. */
  synchronize(): Promise<void> {
    this.report ??= this.reportOnce().finally(() => {
      this.report = undefined;
      this.checkAgreement();
    });
    return this.report;
  }

  /** There is no agreement before the next report (operation 6.2). */
  async reconfigure(configuration: string): Promise<void> {
    if (configuration === this.configuration) return;
    this.configuration = configuration;
    this.known = undefined;
    this.agreement.forgetReport();
    await this.report;
    await this.synchronize();
  }

  observe(name: string, list: ObservedList): void {
    this.lists.set(name, list);
  }

  unobserve(name: string, list: ObservedList): void {
    if (this.lists.get(name) === list) this.lists.delete(name);
  }

  /** Resolves when the entry or its lease may have changed, and at the latest at the next report. */
  nextChange(name: string): Promise<void> {
    return this.changes.wait(name, this.pause(REPORT_INTERVAL_MS));
  }

  /** A time by the clock of the memory, in milliseconds since 1970. */
  async waitUntil(time: number): Promise<void> {
    while (!this.time.hasPassed(time) && !this.isClosed) await this.pause(this.time.millisecondsUntil(time));
  }

  /** By the clock of the memory. */
  expectAt(activeAt: number): PendingChange {
    return this.agreement.expect(this.time.toMonotonic(activeAt));
  }

  /** Rejects when the memory has been closed. */
  async retryUntilClosed<T>(name: string, operation: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await operation();
      } catch (error) {
        if (this.isClosed) throw error;
        await this.nextChange(name);
      }
    }
  }

  /** The entry is not what an instance of this gateway wrote: it was forged, damaged, or is of another version. */
  noteRefused(source: string, error: unknown): void {
    this.publish({ type: 'entry of the shared memory refused', source, error: getErrorMessage(error) });
  }

  /** Never rejects. */
  async close(): Promise<void> {
    this.isClosed = true;
    // After the end of the reports, this instance is not in agreement.
    this.agreement.forgetReport();
    this.changes.notify();
    await this.report;
    await this.store.close();
  }

  private async reportOnce(): Promise<void> {
    const { store, clock, instance, configuration, known } = this;
    const sent = this.time.startReport();
    try {
      const state = await store.synchronize({ instance, configuration, known, notice: NOTICE_MS });
      // Race: the memory was closed, or a configuration came into force, while the report was under way.
      if (this.isClosed || configuration !== this.configuration) return;
      this.time.noteReply(state.time, sent);
      const { epoch, isMixed } = state;
      const result = { sentAt: sent.monotonic, epochSince: epoch.since, isMixed, hasSameTime: !this.time.isWrong };
      this.follow(state, this.time.isConclusive ? result : undefined);
    } catch (error) {
      this.reachable = false;
      this.lastError = { at: clock.now(), message: getErrorMessage(error) };
    }
  }

  /** `result` is undefined where the report does not count, because its reply took too long. */
  private follow(state: SharedState, result: ReportResult | undefined): void {
    const isNewEpoch = this.known?.epoch.id !== state.epoch.id;
    // A change that the report before did not show was stored after it: it becomes active when that report ends to count.
    const dueAt = isNewEpoch ? -Infinity : this.agreement.coveredUntil;
    this.known = state;
    this.reachable = true;
    if (result !== undefined) this.agreement.noteReport(result);
    if (!this.wasReached) this.lastError = undefined;
    this.wasReached = true;
    const changed = isNewEpoch ? [...this.lists.keys()] : state.changed;
    for (const name of changed) this.lists.get(name)?.noteChange(dueAt, isNewEpoch);
    for (const list of this.lists.values()) list.noteReport();
    if (isNewEpoch) this.changes.notify();
    else for (const name of changed) this.changes.notify(name);
  }

  private checkAgreement(): void {
    const reason = this.disagreement;
    const now = this.monotonic();
    if (reason === undefined) this.inAgreementAt = now;
    const isInAgreement = reason === undefined;
    if (isInAgreement !== this.wasInAgreement) {
      this.wasInAgreement = isInAgreement;
      this.agreementChangedAt = this.clock.now();
      for (const listener of this.agreementListeners) listener();
    }
    const lasts = now - this.inAgreementAt >= REPORTED_DISAGREEMENT_MS;
    const reported = isInAgreement || lasts ? (reason ?? 'none') : this.reported;
    if (reported === this.reported) return;
    this.reported = reported;
    this.publish({ type: 'agreement changed', reason });
  }
}
