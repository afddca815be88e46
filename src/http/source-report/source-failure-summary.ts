import { needsAttention } from '../../model/outcome.js';
import type { Outcome, SourceOutcome } from '../../model/outcome.js';
import { describeReason, getReason } from '../../model/reasons.js';

/** A message counts the others (decisions 6.8). */
const MAX_DESCRIBED_SOURCES = 5;

const MAX_CODE_LENGTH = 40;

/**
 * For an error message: "first: HTTP status 500; ti: timed out". Without an incomplete source, it describes the sources
 * that lead back to this gateway. Empty where there is nothing to describe.
 */
export function summarizeSourceFailures(outcomes: readonly SourceOutcome<unknown>[]): string {
  const incomplete = outcomes.filter(({ outcome }) => needsAttention(outcome));
  const subjects = incomplete.length > 0 ? incomplete : outcomes.filter(isLoop);
  const described = subjects.slice(0, MAX_DESCRIBED_SOURCES).map(({ code, outcome }) => {
    return `${code.slice(0, MAX_CODE_LENGTH)}: ${describeOutcome(outcome)}`;
  });
  const omitted = subjects.length - described.length;
  return [...described, ...(omitted > 0 ? [`and ${omitted} more`] : [])].join('; ');
}

function isLoop({ outcome }: SourceOutcome<unknown>): boolean {
  return outcome.state === 'excluded' && outcome.reason === 'loop';
}

function describeOutcome(outcome: Outcome<unknown>): string {
  switch (outcome.state) {
    case 'fresh':
      return 'complete';
    case 'excluded':
      return outcome.reason === 'loop' ? getReason('loop').text : 'not needed';
    case 'stale':
      return `stale (${describeReason(outcome)})`;
    case 'suspended':
      return `${getReason('suspended').text} (${describeReason(outcome)})`;
    case 'failed':
    case 'partial':
    case 'inconsistent':
      return describeReason(outcome);
  }
}
