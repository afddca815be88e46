import type { Clock } from '../../model/clock.js';

/**
 * Nothing new is served, and no new epoch begins, earlier than this many milliseconds after it was stored. Instances
 * report every quarter of it, so that three reports may be lost.
 */
export const NOTICE_MS = 1_000;

/** In milliseconds, between an instance and the shared memory. */
export const MAX_CLOCK_DIFFERENCE_MS = 250;

/** Why an instance is not in agreement with the others (operation 2.5.4). */
export const DISAGREEMENT_REASONS = ['unreachable', 'clock', 'mixed', 'new-epoch', 'behind'] as const;

export type DisagreementReason = (typeof DISAGREEMENT_REASONS)[number];

export interface ReportResult {
  readonly sentAt: number;
  /** In milliseconds since 1970. */
  readonly epochSince: number;
  readonly isMixed: boolean;
  readonly hasSameTime: boolean;
}

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
    private readonly monotonic: () => number,
  ) {}

  get coveredUntil(): number {
    return this.last === undefined ? -Infinity : this.last.sentAt + NOTICE_MS - MAX_CLOCK_DIFFERENCE_MS;
  }

  noteReport(result: ReportResult): void {
    this.last = result;
  }

  forgetReport(): void {
    this.last = undefined;
  }

  expect(dueAt: number): PendingChange {
    const change = { dueAt };
    this.pending.add(change);
    this.earliestDue = Math.min(this.earliestDue, dueAt);
    return change;
  }

  reschedule(change: PendingChange, dueAt: number): void {
    change.dueAt = dueAt;
    this.computeEarliest();
  }

  resolve(change: PendingChange): void {
    this.pending.delete(change);
    if (change.dueAt <= this.earliestDue) this.computeEarliest();
  }

  /** Undefined: dates do not mean the same to all instances. */
  agreedSince(): number | undefined {
    return this.findReason() === undefined ? this.last?.epochSince : undefined;
  }

  /** Undefined: this instance is in agreement. */
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
