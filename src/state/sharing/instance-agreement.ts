import type { Clock } from '../../model/clock.js';

/**
 * Notice period in milliseconds: nothing new is served, and no new epoch begins, earlier than this long after it was
 * stored. Instances report every quarter of it, so that three reports may be lost.
 */
export const NOTICE_MS = 1_000;

/** Difference in milliseconds by which the clocks of an instance and of the shared memory may differ. */
export const MAX_CLOCK_DIFFERENCE_MS = 250;

/** All reasons why an instance is not in agreement with the others (operation 2.5.4). */
export const DISAGREEMENT_REASONS = ['unreachable', 'clock', 'mixed', 'new-epoch', 'behind'] as const;

/** Why an instance is not in agreement with the others. */
export type DisagreementReason = (typeof DISAGREEMENT_REASONS)[number];

/** What one report to the shared memory showed. */
export interface ReportResult {
  /** When the report was sent, by the monotonic clock of this instance. */
  readonly sentAt: number;
  /** When the present epoch begins, in milliseconds since 1970. */
  readonly epochSince: number;
  readonly isMixed: boolean;
  readonly hasSameTime: boolean;
}

/** A change that this instance must serve from some moment on. */
export interface PendingChange {
  /** By the monotonic clock. */
  dueAt: number;
}

/**
 * Decides whether this instance serves what all others serve. Its last report counts for one notice period. Every
 * change that another instance has stored since becomes active after that period, or is known here.
 */
export class InstanceAgreement {
  private last: ReportResult | undefined;
  private readonly pending = new Set<PendingChange>();
  private earliestDue = Infinity;

  constructor(
    private readonly clock: Clock,
    /** Milliseconds by a clock that is never set. */
    private readonly monotonic: () => number,
  ) {}

  /** Until when the last report counts, by the monotonic clock. */
  get coveredUntil(): number {
    return this.last === undefined ? -Infinity : this.last.sentAt + NOTICE_MS - MAX_CLOCK_DIFFERENCE_MS;
  }

  noteReport(result: ReportResult): void {
    this.last = result;
  }

  /** Notes that the last report does not count any more. */
  forgetReport(): void {
    this.last = undefined;
  }

  /** Adds a change that becomes active at a time by the monotonic clock. */
  expect(dueAt: number): PendingChange {
    const change = { dueAt };
    this.pending.add(change);
    this.earliestDue = Math.min(this.earliestDue, dueAt);
    return change;
  }

  /** Corrects when a change becomes active. */
  reschedule(change: PendingChange, dueAt: number): void {
    change.dueAt = dueAt;
    this.computeEarliest();
  }

  /** Notes that this instance serves the change. */
  resolve(change: PendingChange): void {
    this.pending.delete(change);
    if (change.dueAt <= this.earliestDue) this.computeEarliest();
  }

  /** Returns since when dates mean the same to all instances (milliseconds since 1970); undefined: they do not. */
  agreedSince(): number | undefined {
    return this.findReason() === undefined ? this.last?.epochSince : undefined;
  }

  /** Returns why this instance is not in agreement; undefined: it is. */
  findReason(): DisagreementReason | undefined {
    const { last } = this;
    const now = this.monotonic();
    if (last === undefined || now >= this.coveredUntil) return 'unreachable';
    if (!last.hasSameTime) return 'clock';
    if (last.isMixed) return 'mixed';
    if (this.clock.now() < last.epochSince) return 'new-epoch';
    return now >= this.earliestDue ? 'behind' : undefined;
  }

  private computeEarliest(): void {
    this.earliestDue = Infinity;
    for (const { dueAt } of this.pending) this.earliestDue = Math.min(this.earliestDue, dueAt);
  }
}
