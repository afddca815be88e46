import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { SnapshotValidators } from './reading/page-validators.js';
import { countListedRecords } from './count-listed-records.js';
import type { ListId } from './list-id.js';
import { isFailure, serveStale, serveStaleOrFail, usableSnapshot } from './list-state.js';
import type { FreshnessPolicy, ListState, Trouble } from './list-state.js';
import { hasShrunk, judgeSize } from './shrink-guard.js';
import type { TrustedSize } from './shrink-guard.js';
import type { Snapshot } from './snapshot.js';

/** Milliseconds (decisions 6.9). Otherwise every waiting client would cause a request. */
const FAILURE_TTL = 2_000;

/** Milliseconds until a `partial` or `inconsistent` reading is repeated: the next may be better (decisions 6.9). */
const PARTIAL_TTL = 5_000;

const SECOND = 1_000;

/** What a reading of a list gave. */
export interface Reading {
  readonly outcome: Outcome<Snapshot>;
  readonly validators?: SnapshotValidators | undefined;
  /** Of the snapshot, in estimated bytes; absent without one. */
  readonly weight?: number | undefined;
  /** The records are equal to those of the known snapshot, or the source confirmed them. */
  readonly isUnchanged: boolean;
  /** Only a failure that another instance has met: when the source may be queried again, in milliseconds since 1970. */
  readonly retryAt?: number | undefined;
}

export interface JudgePolicy extends FreshnessPolicy {
  readonly confirmShrink: number;
  readonly drainThreshold: number;
}

/** What is known of a list before a reading, and after it. */
export interface KnownList {
  readonly id: ListId;
  readonly state: ListState;
  /** Undefined where the number of records is not guarded, or not known. */
  readonly size?: TrustedSize | undefined;
}

/** In milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** As `now`, but never before that of an earlier reading, whatever the clock does. */
  readonly instant: number;
}

interface Verdict extends Omit<KnownList, 'id'> {
  /** Far fewer records than the trusted number (decisions 6.11). */
  readonly shrunk?: { readonly records: number; readonly before: number } | undefined;
}

/**
 * Decides what the next state of a list is: the reading becomes its snapshot, confirms it, or is a trouble beside it. A
 * result with far fewer records than before, too many, or most of them lacking, replaces nothing: then the last snapshot is
 * served stale (decisions 6.12).
 */
export function judge(known: KnownList, reading: Reading, { now, instant }: Moment, policy: JudgePolicy): Verdict {
  const { id } = known;
  const state = withKnownAge(known.state, now);
  const last = usableSnapshot(state, now, policy);
  const { outcome } = reading;
  if (isFailure(outcome)) {
    const retryAt = reading.retryAt ?? now + FAILURE_TTL;
    return { ...known, state: withTrouble(state, serveStaleOrFail(id, last, outcome), { now, retryAt, policy }) };
  }
  const fallback = isTooLarge(outcome) ? serveStale(id, last, { reason: 'too-large' }) : undefined;
  const { size, shrunk } = measure(known, fallback ?? outcome, now, policy);
  if (shrunk !== undefined) {
    const served = serveStaleOrFail(id, last, { state: 'failed', reason: 'shrunk' });
    return { state: withTrouble(state, served, { now, retryAt: now + policy.ttl, policy }), size, shrunk };
  }
  if (outcome.state === 'fresh') return { state: accept(state, outcome.snapshot, reading, { now, instant }), size };
  const served = fallback ?? chooseMoreComplete(id, outcome, last);
  // That a source is too large counts for the time to live (decisions 5.4).
  const retryAt = reading.retryAt ?? now + (isTooLarge(outcome) ? policy.ttl : PARTIAL_TTL);
  const own = served === outcome && findSnapshot(outcome) !== undefined ? reading.weight : undefined;
  return { state: withTrouble(state, served, { now, retryAt, policy, weight: own }), size };
}

/** After the clock was set back, it is unknown: else the snapshot would be served until the clock is where it was. */
function withKnownAge(state: ListState, now: number): ListState {
  const { at, snapshot } = state;
  if (now >= at || snapshot === undefined) return state;
  return { ...state, snapshot: { ...snapshot, staleAt: Math.min(snapshot.staleAt, now) } };
}

/**
 * The records of a snapshot that were served before keep their `changedAt`; others are dated with the first whole second
 * after it, so that equal dates mean equal records (decisions 7.6).
 */
function accept(before: ListState, snapshot: Snapshot, reading: Reading, { now, instant }: Moment): ListState {
  const { isUnchanged, validators, weight = 0 } = reading;
  const isSame = isUnchanged && !before.isInterrupted && before.snapshot !== undefined;
  const isFirst = before.snapshot === undefined && !before.isInterrupted;
  const changedAt = isSame || isFirst ? before.snapshot?.changedAt : nextSecond(instant);
  return {
    at: now,
    snapshot: { ...snapshot, changedAt },
    validators,
    isInterrupted: false,
    weight,
  };
}

/** The first whole second after `at`: what was served up to then has an earlier date. */
export function nextSecond(at: number): number {
  return Math.floor(at / SECOND) * SECOND + SECOND;
}

function withTrouble(
  before: ListState,
  outcome: Outcome<Snapshot>,
  {
    now,
    retryAt: wanted,
    policy,
    weight = 0,
  }: {
    readonly now: number;
    readonly retryAt: number;
    readonly policy: FreshnessPolicy;
    readonly weight?: number | undefined;
  },
): ListState {
  const isFallback = outcome.state === 'stale';
  // A snapshot replaces a reading no longer than `stale-if-error` allows.
  const end = isFallback ? outcome.snapshot.staleAt + policy.staleIfError : Infinity;
  const retryAt = Math.min(wanted, now + policy.ttl, end);
  const until = outcome.state === 'excluded' ? Math.max(retryAt, now + policy.staleIfError) : retryAt;
  const trouble: Trouble = { outcome, at: now, retryAt, until, replacesSnapshot: !isFallback, weight };
  // Of a source that is too large, other lists are served meanwhile.
  const isInterrupted = before.isInterrupted || !isFallback || isTooLarge(outcome);
  return { ...before, at: now, trouble, isInterrupted };
}

/** The trusted number of records after the reading. A pushed-down query neither confirms a smaller one nor doubts it. */
function measure(
  { id: { sizeKey, kind, query }, size }: KnownList,
  outcome: Outcome<Snapshot>,
  now: number,
  policy: JudgePolicy,
): Pick<Verdict, 'size' | 'shrunk'> {
  const records = countProvenRecords(query, outcome, policy);
  if (records === undefined || sizeKey === undefined) return { size };
  const judged = judgeSize(size, records, now, policy);
  const shrunk = judged.doubt && { records, before: judged.records };
  return kind === 'pushed' ? { size, shrunk } : { size: judged, shrunk };
}

/** A too large list has at least one record more than may be drained; of the large one the size is known before. */
function countProvenRecords(
  { completeAtAnySize }: ListId['query'],
  outcome: Outcome<Snapshot>,
  { drainThreshold }: JudgePolicy,
): number | undefined {
  if (outcome.state === 'fresh') return countListedRecords(outcome.snapshot.set);
  // A fallback proves nothing.
  if (outcome.state === 'stale' || !isTooLarge(outcome) || completeAtAnySize === true) return undefined;
  return ('total' in outcome ? outcome.total : undefined) ?? drainThreshold + 1;
}

/** Prefers a `partial` or `inconsistent` result, because it is newer, unless it lacks most of the last snapshot. */
function chooseMoreComplete(id: ListId, result: Outcome<Snapshot>, last: Snapshot | undefined): Outcome<Snapshot> {
  if (result.state !== 'partial' && result.state !== 'inconsistent') return result;
  const [now, before] = [findSnapshot(result)?.set.records.length ?? 0, last?.set.records.length];
  const lacksMost = (now === 0 && before !== 0) || hasShrunk(now, before);
  return (lacksMost ? serveStale(id, last, result) : undefined) ?? result;
}
