import { describeReason } from '../../model/reasons.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { ListActivity } from './list-activity.js';
import type { ListSituation, SourceCondition } from './source-status.js';

interface JudgedList {
  readonly state: ListSituation;
  /** Records are cached that may be served. */
  readonly isServed: boolean;
  readonly activity: ListActivity;
}

/** Operation 3.5. */
export function findCondition({ state, isServed, activity }: JudgedList): SourceCondition {
  if (activity.consecutiveFailures > 0)
    return isServed || state === 'large' || givesIncompleteList({ state, activity }) ? 'warning' : 'failed';
  if (state === 'suspended') return isServed ? 'warning' : 'failed';
  return state === 'none' ? 'unknown' : 'ok';
}

/** The last fetch was incomplete and is cached no more: the next query gets such a list. */
export function givesIncompleteList({ state, activity }: Pick<JudgedList, 'state' | 'activity'>): boolean {
  return state === 'none' && activity.incompleteCount !== undefined;
}

const CONDITIONS = ['unknown', 'ok', 'warning', 'failed'] as const;

/** `unknown` only where none is known. */
export function findWorstCondition(conditions: readonly SourceCondition[]): SourceCondition {
  return CONDITIONS.findLast((condition) => conditions.includes(condition)) ?? 'unknown';
}

/** In words: `stale: timed out, since 2026-11-24T12:40:00+00:00`. It has no text of the source. */
export function summarizeState({ state, isServed, activity }: JudgedList): string {
  const problem = describeFailure(activity);
  const served = isServed ? 'the last records are served' : 'no records are served';
  switch (state) {
    case 'fresh':
      return problem === undefined ? 'fresh' : `fresh, but the last refresh failed: ${problem}`;
    case 'stale':
      return problem === undefined ? 'stale: the next query starts a refresh' : `stale: ${problem}`;
    case 'expired':
      return problem === undefined ? 'expired: the next query waits for a refresh' : `expired: ${problem}; ${served}`;
    case 'none':
      if (problem !== undefined)
        return givesIncompleteList({ state, activity }) ? `incomplete: ${problem}` : `no records: ${problem}`;
      return activity.lastSuccess === undefined ? 'not requested yet' : 'nothing is cached';
    case 'rejected':
      return isServed ? `incomplete: ${problem ?? 'not admitted'}` : `no records: ${problem ?? 'not admitted'}`;
    case 'excluded':
      return `excluded: ${problem ?? 'leads back to this gateway'}`;
    case 'suspended':
      return `suspended after repeated failures: ${problem ?? 'the cause is in the log'}; ${served}`;
    case 'large':
      return problem === undefined
        ? 'more records than drain-threshold: a query gets what it needs of them'
        : `more records than drain-threshold; ${problem}`;
  }
}

/** With the time since which requests fail; undefined where they do not. */
function describeFailure({ lastError, failingSince }: ListActivity): string | undefined {
  if (failingSince === undefined || lastError === undefined) return undefined;
  const { reason, failureDetail: detail } = lastError;
  return `${describeReason({ reason, detail })}, since ${formatIsoTimestamp(failingSince)}`;
}
