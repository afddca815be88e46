import { copyOf, shownDetail } from '../model/outcome.js';
import type { Outcome, SourceOutcome } from '../model/outcome.js';
import type { Copy, Lease } from '../source/source.js';
import { writeSourceStatus } from '../wire/source-status.js';
import type { StatusMember } from '../wire/source-status.js';

/** Over so many sources, those that need no attention share one member (decisions.md, section 6). */
const MOST_NAMED = 20;

/** Longest field that names every source that needs attention: beyond, clients would refuse the whole answer for its headers. */
const LONGEST = 4 * 1024;

/** What an answer's headers tell of one source; it holds none of its records. */
export interface Contribution {
  readonly code: string;
  readonly state: Outcome<Copy>['state'];
  readonly reason?: string;
  /** What more is known of a failure, as named values. */
  readonly detail: Readonly<Record<string, string | number>>;
  /** Absent where the source gave none. */
  readonly held?: { readonly records: number; readonly leases: readonly Lease[] };
}

/** What each registered source contributed. */
export function contributionsOf(outcomes: readonly SourceOutcome<Copy>[]): readonly Contribution[] {
  return outcomes.map(({ code, outcome }) => {
    const copy = copyOf(outcome);
    return {
      code,
      state: outcome.state,
      ...('reason' in outcome && { reason: outcome.reason }),
      detail: shownDetail(outcome),
      ...(copy && { held: { records: copy.set.size, leases: copy.leases } }),
    };
  });
}

/** The Source-Status field of an answer at the time `now` (milliseconds since 1970). */
export function sourceStatus(contributions: readonly Contribution[], now: number): string {
  if (contributions.length <= MOST_NAMED) return writeSourceStatus(contributions.map((one) => member(one, now)));
  const named = contributions.filter(needsAttention);
  const field = writeSourceStatus([...summaries(contributions), ...named.map((one) => member(one, now))]);
  return field.length <= LONGEST ? field : writeSourceStatus([...summaries(contributions), ...byReason(named)]);
}

/** A Source-Status field, and until when it is so (milliseconds since 1970, exclusive) for its ages alone. */
export interface StatusField {
  readonly text: string;
  readonly until: number;
}

interface Written extends StatusField {
  readonly from: number;
  /** What its ages were told by, added up. */
  readonly verified: number;
}

/** As they were written last: all pages of a set tell the same for a second. */
const written = new WeakMap<readonly Contribution[], Written>();

/** The Source-Status field of an answer at the time `now` (milliseconds since 1970), and until when it is so. */
export function statusField(contributions: readonly Contribution[], now: number): StatusField {
  const known = written.get(contributions);
  const verified = contributions.reduce((sum, { held }) => sum + (held ? sumOf(held) : 0), 0);
  if (known?.verified === verified && known.from <= now && now < known.until) return known;
  const field = { text: sourceStatus(contributions, now), until: nextAge(contributions, now), from: now, verified };
  written.set(contributions, field);
  return field;
}

function sumOf({ leases }: HeldCopies): number {
  return leases.reduce((sum, { verifiedAt }) => sum + verifiedAt, 0);
}

/** When the field will be another one for its ages alone, in milliseconds since 1970; Infinity where it tells none. */
export function nextAge(contributions: readonly Contribution[], now: number): number {
  const named = contributions.length <= MOST_NAMED ? contributions : contributions.filter(needsAttention);
  return Math.min(...named.map(({ held }) => (held ? verifiedAt(held) + (ageOf(held, now) + 1) * SECOND : Infinity)));
}

function needsAttention({ state }: Contribution): boolean {
  return state !== 'fresh' && state !== 'excluded';
}

const SECOND = 1_000;

type HeldCopies = Required<Contribution>['held'];

/** What is made of several copies is as old as the oldest. */
function verifiedAt({ leases }: HeldCopies): number {
  return Math.min(...leases.map((lease) => lease.verifiedAt));
}

function ageOf(held: HeldCopies, now: number): number {
  return Math.max(0, Math.floor((now - verifiedAt(held)) / SECOND));
}

/** The envelope's `sources` name them all the same. */
function byReason(contributions: readonly Contribution[]): StatusMember[] {
  const groups = new Map<string, { state: string; reason: string; sources: number }>();
  for (const { state, reason = '' } of contributions) {
    const group = groups.get(`${state} ${reason}`) ?? { state, reason, sources: 0 };
    groups.set(`${state} ${reason}`, { ...group, sources: group.sources + 1 });
  }
  return [...groups.values()].map((parameters) => ({ code: '*', parameters }));
}

function member({ code, state, reason, detail, held }: Contribution, now: number): StatusMember {
  const why = reason === undefined ? {} : { reason, ...detail };
  return { code, parameters: { state, ...why, ...(held && { records: held.records, age: ageOf(held, now) }) } };
}

function summaries(contributions: readonly Contribution[]): StatusMember[] {
  const fresh = contributions.filter(({ state }) => state === 'fresh');
  const records = fresh.reduce((sum, { held }) => sum + (held?.records ?? 0), 0);
  const excluded = contributions.filter(({ state }) => state === 'excluded').length;
  return [
    ...summary({ state: 'fresh', sources: fresh.length, records }),
    ...summary({ state: 'excluded', sources: excluded }),
  ];
}

function summary(parameters: { state: string; sources: number; records?: number }): StatusMember[] {
  return parameters.sources === 0 ? [] : [{ code: '*', parameters }];
}
