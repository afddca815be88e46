import { getFailureDetail, describeMissingProperty } from '../../model/outcome.js';
import type { PartialReason, FailureReason, Outcome, SourceOutcome, StaleReason } from '../../model/outcome.js';

/** Sources that one message describes; the others are counted. */
const MAX_DESCRIBED_SOURCES = 5;

/** Characters of a code that a message shows. */
const MAX_CODE_LENGTH = 40;

type IncompleteReason = FailureReason | StaleReason | PartialReason;

/** What each reason means, in words of this gateway only: no text of an upstream reaches a client (decisions.md, section 6). */
const DESCRIPTIONS: Readonly<Record<IncompleteReason, string>> = {
  timeout: 'timed out',
  connect: 'connection failed',
  tls: 'TLS failed',
  dns: 'host name not found',
  status: 'unexpected HTTP status',
  body: 'no JSON over HTTP',
  schema: 'not in the expected form',
  size: 'answer too large',
  redirect: 'redirect not allowed',
  loop: 'leads back to this gateway',
  internal: 'internal error of this gateway',
  suspended: 'suspended after repeated failures',
  shrunk: 'far fewer records than before',
  private: 'would have to be sent the query',
  'too-large': 'too many records to read them all',
  offset: 'ignores offset',
  drift: 'changed while it was read',
  total: 'gave fewer records than it counts',
  window: 'lets only its newest news through',
  unreadable: 'gave entries that are not records',
  keys: 'did not give its PGP keys',
  filter: 'ignores the filter',
  search: 'its search found nothing, which could not be confirmed',
  'id-range': 'gave ids that are too large',
  upstream: 'lacks a source of its own',
};

/** Whether the outcome is one of a source that was asked and gave less than all of its current records. */
export function isIncomplete({ outcome }: SourceOutcome<unknown>): boolean {
  return outcome.state !== 'fresh' && outcome.state !== 'excluded';
}

/**
 * What each source that gave less than all came to, for the message of an error: "first: HTTP status 401; ti: timed out"; where none was
 * asked, the sources that lead back to this gateway. It describes a few sources and counts the others, so its length is bounded. Empty
 * where there is nothing to describe.
 */
export function summarizeSourceFailures(outcomes: readonly SourceOutcome<unknown>[]): string {
  const lacking = outcomes.filter(isIncomplete);
  const subjects = lacking.length > 0 ? lacking : outcomes.filter(isLoop);
  const described = subjects.slice(0, MAX_DESCRIBED_SOURCES).map(({ code, outcome }) => {
    return `${code.slice(0, MAX_CODE_LENGTH)}: ${describeOutcome(outcome)}`;
  });
  const more = subjects.length - described.length;
  return [...described, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
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

function describeReason(outcome: Extract<Outcome<unknown>, { readonly reason: IncompleteReason }>): string {
  const { status, missing } = getFailureDetail(outcome);
  if (missing !== undefined) return describeMissingProperty(missing);
  return status === undefined ? DESCRIPTIONS[outcome.reason] : `HTTP status ${status}`;
}
