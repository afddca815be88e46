import { findSnapshot, reportFailureDetail } from '../../model/outcome.js';
import type { Outcome, SourceOutcome } from '../../model/outcome.js';
import type { Snapshot, Lease } from '../../source/source.js';
import { serializeSourceStatus } from '../../headers/source-status.js';
import type { SourceStatusMember } from '../../headers/source-status.js';

/** Over so many sources, those that need no attention share one member (decisions.md, section 6). */
const MAX_NAMED_SOURCES = 20;

/** Longest field that names every source that needs attention: beyond, clients would refuse the whole answer for its headers. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** What an answer's headers tell of one source; it holds none of its records. */
export interface SourceContribution {
  readonly code: string;
  readonly state: Outcome<Snapshot>['state'];
  readonly reason?: string;
  /** What more is known of a failure, as named values. */
  readonly detail: Readonly<Record<string, string | number>>;
  /** Absent where the source gave none. */
  readonly snapshot?: { readonly records: number; readonly leases: readonly Lease[] };
}

/** What each registered source contributed. */
export function createContributions(outcomes: readonly SourceOutcome<Snapshot>[]): readonly SourceContribution[] {
  return outcomes.map(({ code, outcome }) => {
    const copy = findSnapshot(outcome);
    return {
      code,
      state: outcome.state,
      ...('reason' in outcome && { reason: outcome.reason }),
      detail: reportFailureDetail(outcome),
      ...(copy && { snapshot: { records: copy.set.totalCount, leases: copy.leases } }),
    };
  });
}

/** The Source-Status field of an answer at the time `now` (milliseconds since 1970). */
export function formatSourceStatus(contributions: readonly SourceContribution[], now: number): string {
  if (contributions.length <= MAX_NAMED_SOURCES)
    return serializeSourceStatus(contributions.map((one) => toStatusMember(one, now)));
  const named = contributions.filter(needsAttention);
  const field = serializeSourceStatus([
    ...summarizeContributions(contributions),
    ...named.map((one) => toStatusMember(one, now)),
  ]);
  return field.length <= MAX_FIELD_LENGTH
    ? field
    : serializeSourceStatus([...summarizeContributions(contributions), ...groupByReason(named)]);
}

/** A Source-Status field, and until when it is so (milliseconds since 1970, exclusive) for its ages alone. */
export interface SourceStatusField {
  readonly text: string;
  readonly validUntil: number;
}

interface CachedSourceStatusField extends SourceStatusField {
  readonly validFrom: number;
  /** What its ages were told by, added up. */
  readonly verifiedAtSum: number;
}

/** As they were written last: all pages of a set tell the same for a second. */
const cachedFields = new WeakMap<readonly SourceContribution[], CachedSourceStatusField>();

/** The Source-Status field of an answer at the time `now` (milliseconds since 1970), and until when it is so. */
export function getSourceStatusField(contributions: readonly SourceContribution[], now: number): SourceStatusField {
  const known = cachedFields.get(contributions);
  const verified = contributions.reduce((sum, { snapshot: held }) => sum + (held ? sumVerifiedAt(held) : 0), 0);
  if (known?.verifiedAtSum === verified && known.validFrom <= now && now < known.validUntil) return known;
  const field = {
    text: formatSourceStatus(contributions, now),
    validUntil: nextAgeChange(contributions, now),
    validFrom: now,
    verifiedAtSum: verified,
  };
  cachedFields.set(contributions, field);
  return field;
}

function sumVerifiedAt({ leases }: ContributedSnapshot): number {
  return leases.reduce((sum, { verifiedAt }) => sum + verifiedAt, 0);
}

/** When the field will be another one for its ages alone, in milliseconds since 1970; Infinity where it tells none. */
export function nextAgeChange(contributions: readonly SourceContribution[], now: number): number {
  const named = contributions.length <= MAX_NAMED_SOURCES ? contributions : contributions.filter(needsAttention);
  return Math.min(
    ...named.map(({ snapshot: held }) =>
      held ? oldestVerifiedAt(held) + (ageInSeconds(held, now) + 1) * SECOND_MS : Infinity,
    ),
  );
}

function needsAttention({ state }: SourceContribution): boolean {
  return state !== 'fresh' && state !== 'excluded';
}

const SECOND_MS = 1_000;

type ContributedSnapshot = Required<SourceContribution>['snapshot'];

/** What is made of several copies is as old as the oldest. */
function oldestVerifiedAt({ leases }: ContributedSnapshot): number {
  return Math.min(...leases.map((lease) => lease.verifiedAt));
}

function ageInSeconds(held: ContributedSnapshot, now: number): number {
  return Math.max(0, Math.floor((now - oldestVerifiedAt(held)) / SECOND_MS));
}

/** The envelope's `sources` name them all the same. */
function groupByReason(contributions: readonly SourceContribution[]): SourceStatusMember[] {
  const groups = new Map<string, { state: string; reason: string; sources: number }>();
  for (const { state, reason = '' } of contributions) {
    const group = groups.get(`${state} ${reason}`) ?? { state, reason, sources: 0 };
    groups.set(`${state} ${reason}`, { ...group, sources: group.sources + 1 });
  }
  return [...groups.values()].map((parameters) => ({ code: '*', parameters }));
}

function toStatusMember(
  { code, state, reason, detail, snapshot: held }: SourceContribution,
  now: number,
): SourceStatusMember {
  const why = reason === undefined ? {} : { reason, ...detail };
  return { code, parameters: { state, ...why, ...(held && { records: held.records, age: ageInSeconds(held, now) }) } };
}

function summarizeContributions(contributions: readonly SourceContribution[]): SourceStatusMember[] {
  const fresh = contributions.filter(({ state }) => state === 'fresh');
  const records = fresh.reduce((sum, { snapshot: held }) => sum + (held?.records ?? 0), 0);
  const excluded = contributions.filter(({ state }) => state === 'excluded').length;
  return [
    ...toSummaryMember({ state: 'fresh', sources: fresh.length, records }),
    ...toSummaryMember({ state: 'excluded', sources: excluded }),
  ];
}

function toSummaryMember(parameters: { state: string; sources: number; records?: number }): SourceStatusMember[] {
  return parameters.sources === 0 ? [] : [{ code: '*', parameters }];
}
