import { describeHttpStatus, describeMissingProperty, getFailureDetail } from '../../model/outcome.js';
import type { PartialReason, FailureReason, Outcome, SourceOutcome, StaleReason } from '../../model/outcome.js';

/** Maximum number of sources that a message describes; the others are counted (decisions 6.8). */
const MAX_DESCRIBED_SOURCES = 5;

/** Maximum length of a source's code in a message, in characters. */
const MAX_CODE_LENGTH = 40;

type IncompleteReason = FailureReason | StaleReason | PartialReason;

/** Description of each reason (decisions 6.3). No text of a source reaches a client (decisions 6.16). */
const DESCRIPTIONS: Readonly<Record<IncompleteReason, string>> = {
  timeout: 'timed out',
  connect: 'connection failed',
  tls: 'TLS failed',
  dns: 'host name not found',
  status: 'unexpected HTTP status',
  body: 'not a valid JSON response',
  schema: 'not in the expected form',
  size: 'response too large',
  redirect: 'redirect not allowed',
  loop: 'leads back to this gateway',
  access: 'answered at another access level',
  internal: 'internal error of this gateway',
  suspended: 'suspended after repeated failures',
  shrunk: 'far fewer records than before',
  private: 'would have to receive the private query',
  'too-large': 'too many records to read them all',
  offset: 'ignores offset',
  drift: 'changed while it was read',
  total: 'returned fewer records than its total',
  window: 'returns only its newest news',
  unreadable: 'returned entries that are not records',
  keys: 'did not return its PGP keys',
  filter: 'ignores the filter',
  search: 'its search found nothing, which could not be confirmed',
  'id-range': 'returned ids that are too large',
  upstream: 'reports an incomplete source of its own',
};

/** An outcome with less than all current records of a source. */
export type IncompleteOutcome = Extract<Outcome<unknown>, { readonly reason: IncompleteReason }>;

/** Whether the source was queried and contributed less than all of its current records. */
export function isIncomplete({ outcome }: SourceOutcome<unknown>): boolean {
  return outcome.state !== 'fresh' && outcome.state !== 'excluded';
}

/**
 * Describes each source that contributed less than all of its current records, for an error message: "first: HTTP
 * status 500; ti: timed out" (decisions 6.8). Where there is none, it describes the sources that lead back to this
 * gateway. Empty where there is nothing to describe.
 */
export function summarizeSourceFailures(outcomes: readonly SourceOutcome<unknown>[]): string {
  const incomplete = outcomes.filter(isIncomplete);
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
      return outcome.reason === 'loop' ? DESCRIPTIONS.loop : 'not needed';
    case 'stale':
      return `stale (${describeReason(outcome)})`;
    case 'suspended':
      return `${DESCRIPTIONS.suspended} (${describeReason(outcome)})`;
    case 'failed':
    case 'partial':
    case 'inconsistent':
      return describeReason(outcome);
  }
}

/**
 * Describes why a source contributed less than all of its current records: "timed out". It contains no text of a source
 * (decisions 6.16).
 */
export function describeReason(outcome: IncompleteOutcome): string {
  const { status, missing } = getFailureDetail(outcome);
  if (missing !== undefined) return describeMissingProperty(missing);
  return status === undefined ? DESCRIPTIONS[outcome.reason] : describeHttpStatus(status);
}
