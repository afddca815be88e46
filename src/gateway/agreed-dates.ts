import type { Snapshot } from '../source/snapshot/snapshot.js';
import { computeAnswerDates } from './last-modified.js';
import type { AnswerDates, SourceChangeDates } from './last-modified.js';

/** This instance serves what all other instances of the gateway serve (operation 2.5.4; decisions 7.19). */
export interface DateAgreement {
  /** In milliseconds since 1970; undefined while this instance does not know what the others serve. */
  agreedSince(): number | undefined;
  /** Between the clocks of two instances in agreement, in milliseconds. */
  readonly clockTolerance: number;
}

export interface DatedParts {
  readonly snapshots: readonly Snapshot[];
  readonly parts: readonly SourceChangeDates[];
  /** When the sources were queried, in milliseconds since 1970. */
  readonly requestedAt: number;
  /** Result of `agreedSince` at that moment. */
  readonly agreedAtStart: number | undefined;
}

/**
 * Dates of a complete answer of one of several instances: none unless every snapshot is the one that all instances
 * serve. Another instance may have sent an answer without a date, so `If-Modified-Since` matches only the exact
 * `Last-Modified`.
 */
export function computeAgreedDates(
  agreement: DateAgreement,
  { snapshots, parts, requestedAt, agreedAtStart }: DatedParts,
): AnswerDates {
  const since = agreement.agreedSince();
  const isAgreed = snapshots.length > 0 && snapshots.every(({ agreedVersion }) => agreedVersion !== undefined);
  if (since === undefined || !isAgreed) return {};
  // Race: a snapshot was read while a newer one was due, which this instance serves now.
  if (agreedAtStart !== since) return { pendingDate: Infinity };
  // Race: a snapshot is replaced between the readings of two sources. Another instance may have served the two together
  // before, with the same date and other records.
  const isRecent = parts.some((part) => part.since > requestedAt - agreement.clockTolerance);
  if (isRecent) return { pendingDate: Infinity };
  const dates = computeAnswerDates([...parts, { since, floor: Infinity }], requestedAt);
  return dates.newest === undefined ? dates : { ...dates, unchangedSince: Infinity };
}
