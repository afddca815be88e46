import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { describeReason } from '../../model/reasons.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { showHiddenCharacters } from '../../text/visible-text.js';
import type { Suspension } from '../../source/client/circuit-breaker.js';
import { countListedRecords } from '../count-listed-records.js';
import { currentTrouble, snapshotOutcome, timesOf, usableSnapshot } from '../list-state.js';
import type { FreshnessPolicy, ListState, OutcomeNow } from '../list-state.js';
import type { ShrinkDoubt } from '../shrink-guard.js';
import type { Snapshot } from '../snapshot.js';
import type { FetchError, ListActivity } from './list-activity.js';
import { findCondition, givesIncompleteList, summarizeState } from './list-summary.js';
import type {
  FindingStatus,
  ListErrorStatus,
  ListSharingStatus,
  ListSituation,
  ListStatus,
  ShrinkDoubtStatus,
} from './source-status.js';

/** At one moment. */
export interface ListInspection {
  readonly state: ListState;
  readonly current: OutcomeNow;
  readonly policy: FreshnessPolicy;
  readonly isRefreshing: boolean;
  readonly doubt: ShrinkDoubt | undefined;
  /** By several instances. */
  readonly isShared: boolean;
}

interface ListStatusInput {
  readonly activity: ListActivity;
  readonly inspection: ListInspection;
  readonly suspension: Suspension | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const DAY = 86_400_000;

/** From counters and small objects; no record is read. */
export function createListStatus(input: ListStatusInput): ListStatus {
  const { activity, inspection, now } = input;
  const { lastSuccess, lastError, consecutiveFailures, findings } = activity;
  const state = findState(input);
  const served = findServedOutcome(input);
  const snapshot = served && findSnapshot(served);
  const dayAgo = activity.recordsAt(now - DAY);
  const refreshFrom = findRefreshTime(state, input);
  const judged = { state, isServed: snapshot !== undefined, activity };
  const incompleteCount = givesIncompleteList(judged) ? activity.incompleteCount : undefined;
  const records = countRecords(served, snapshot, activity) ?? incompleteCount;
  return {
    state,
    condition: findCondition(judged),
    summary: summarizeState(judged),
    ...(served && { served: served.state }),
    ...(records !== undefined && { records }),
    ...(records !== undefined && dayAgo !== undefined && { recordsChangeInDay: records - dayAgo }),
    recordsHistory: activity.recordCounts.map((count) => ({
      at: formatIsoTimestamp(count.at),
      records: count.records,
    })),
    ...(snapshot && {
      verifiedAt: formatIsoTimestamp(snapshot.verifiedAt),
      age: countSeconds(now - snapshot.verifiedAt),
    }),
    ...(refreshFrom !== undefined && { refreshFrom: formatIsoTimestamp(refreshFrom) }),
    isRefreshing: inspection.isRefreshing,
    ...(inspection.isShared && snapshot && { sharing: toSharingStatus(activity) }),
    ...(lastSuccess !== undefined && { lastSuccess: formatIsoTimestamp(lastSuccess) }),
    ...(lastError && { lastError: toErrorStatus(lastError) }),
    consecutiveFailures,
    ...(inspection.doubt && { doubt: toDoubtStatus(inspection.doubt) }),
    findings: createFindingStatuses(findings),
  };
}

/**
 * As an operator sees it: a failure in whose place the last snapshot is served leaves it stale; an open circuit breaker
 * matters more than an expired time to live.
 */
function findState({ activity, inspection, suspension, now }: ListStatusInput): ListSituation {
  const { current, state: list, policy } = inspection;
  const { state } = current;
  if (state === 'fresh' || state === 'excluded') return state;
  if (suspension !== undefined) return 'suspended';
  if (state === 'rejected' && current.outcome.state === 'excluded') return 'excluded';
  if (state === 'rejected' && current.outcome.state === 'stale')
    return now < timesOf(list, current.outcome.snapshot, now, policy).waitAt ? 'stale' : 'expired';
  return activity.isLarge && (state === 'rejected' || state === 'none') ? 'large' : state;
}

/** Without waiting; of an expired list the snapshot that is served if a refresh fails. */
function findServedOutcome({ inspection, now }: ListStatusInput): Outcome<Snapshot> | undefined {
  const { current, state, policy } = inspection;
  if ('outcome' in current) return current.outcome;
  const snapshot = usableSnapshot(state, now, policy);
  return snapshot && snapshotOutcome(state, snapshot);
}

function countRecords(
  served: Outcome<Snapshot> | undefined,
  snapshot: Snapshot | undefined,
  activity: ListActivity,
): number | undefined {
  const total = served !== undefined && 'total' in served ? served.total : undefined;
  return (
    (snapshot && countListedRecords(snapshot.set)) ??
    total ??
    (activity.isLarge ? activity.recordCounts.at(-1)?.records : undefined)
  );
}

function findRefreshTime(
  situation: ListSituation,
  { inspection: { state }, suspension, now }: ListStatusInput,
): number | undefined {
  if (situation === 'fresh') return state.snapshot?.staleAt;
  if (situation === 'suspended') return suspension?.trialFrom;
  const trouble = currentTrouble(state, now);
  return trouble !== undefined && now < trouble.retryAt ? trouble.retryAt : undefined;
}

function toSharingStatus({ isAdopted }: ListActivity): ListSharingStatus {
  return { fetchedBy: isAdopted ? 'another instance' : 'this instance' };
}

function toErrorStatus({ at, reason, failureDetail, detail }: FetchError): ListErrorStatus {
  const description = describeReason({ reason, detail: failureDetail });
  return { at: formatIsoTimestamp(at), reason, description, ...(detail !== undefined && { detail }) };
}

function toDoubtStatus({ records, trustedRecords, since, acceptedFrom }: ShrinkDoubt): ShrinkDoubtStatus {
  return {
    records,
    trustedRecords,
    since: formatIsoTimestamp(since),
    ...(acceptedFrom !== undefined && { acceptedFrom: formatIsoTimestamp(acceptedFrom) }),
  };
}

function countSeconds(milliseconds: number): number {
  return Math.max(0, Math.floor(milliseconds / 1_000));
}

/** Kinds of findings. */
const MAX_FINDINGS = 200;

/** The most frequent first. */
function createFindingStatuses({ counts, examples }: ListActivity['findings']): readonly FindingStatus[] {
  const findings = Array.from(counts, ([key, count]): FindingStatus => {
    const space = key.indexOf(' ');
    const field = showHiddenCharacters(key.slice(space + 1));
    return { rule: key.slice(0, space), field, count, examples: examples.get(key) ?? [] };
  });
  return findings.sort((a, b) => b.count - a.count).slice(0, MAX_FINDINGS);
}
