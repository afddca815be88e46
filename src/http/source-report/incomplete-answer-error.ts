import type { FederatedAnswer, ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import { findSnapshot } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';
import type { Preferences } from '../request/preferences.js';
import { isIncomplete, summarizeSourceFailures } from './source-failure-summary.js';

type Outcomes = FederatedAnswer['outcomes'];

/**
 * Whether the answer has a list that may be sent to the client (decisions 6.5, 6.6, 6.7, 8.7). `item` is the id of a
 * requested single item: a partial answer never proves that it does not exist, whatever the preference of the client.
 */
export function isServable<A extends FederatedAnswer>(
  answer: A,
  { handling }: Preferences,
  item?: number,
): answer is A & { readonly list: ListPage } {
  const { list, outcomes } = answer;
  if (list === undefined || outcomes.some(isBlockedByPrivacy)) return false;
  if (handling === 'strict') return list.completeness === 'complete';
  return (handling === 'lenient' && item === undefined) || !isInconclusiveEmptyList(list);
}

/**
 * Whether nothing matches, and a queried source contributed nothing or not everything. Such a list must not read as "no
 * such team".
 */
function isInconclusiveEmptyList({ total, completeness }: ListPage): boolean {
  return total === 0 && completeness === 'partial';
}

/**
 * Whether the source would have had to receive a private query. The source works, so that the response is an error
 * instead of a list without it (decisions 8.7).
 */
function isBlockedByPrivacy({ outcome }: Outcomes[number]): boolean {
  return outcome.state === 'failed' && outcome.reason === 'private';
}

/** What determines the error message besides the outcomes of the sources. */
export interface IncompleteAnswerContext {
  /** Whether a stale snapshot is as good as a fresh one, so that a stale source is not a cause of the error. */
  readonly acceptsStale?: boolean;
  /** Whether there is a list that is not sent because it is empty and partial. */
  readonly isEmptyList?: boolean;
}

/** The context of {@link createIncompleteAnswerProblem} for an answer that is not servable. */
export function createIncompleteAnswerContext(
  { list }: FederatedAnswer,
  { handling }: Preferences,
): IncompleteAnswerContext {
  return { acceptsStale: handling !== 'strict', isEmptyList: list !== undefined && isInconclusiveEmptyList(list) };
}

/**
 * Creates the error in place of a list, with a description of the sources that are its cause (decisions 6.5, 6.6, 6.7,
 * 6.8): 504 where all of these only timed out, 503 where a private query could not be answered (decisions 8.7), else
 * 502.
 */
export function createIncompleteAnswerProblem(
  outcomes: readonly SourceOutcome<unknown>[],
  facts: IncompleteAnswerContext = {},
): Problem {
  const { acceptsStale = false, isEmptyList: zeroHits = false } = facts;
  const asked = outcomes.filter(({ outcome }) => outcome.state !== 'excluded');
  const lacking = asked.filter((one) => isIncomplete(one) && !(acceptsStale && one.outcome.state === 'stale'));
  const reasons = lacking.map(({ outcome }) => ('reason' in outcome ? outcome.reason : undefined));
  if (reasons.includes('private')) {
    const who = lacking.length === asked.length ? 'no source' : 'not every source that is needed';
    return { kind: 'not-held', message: `${who} can be answered for without telling it of the query` };
  }
  const late = reasons.length > 0 && reasons.every((reason) => reason === 'timeout');
  const summary = summarizeSourceFailures(lacking.length > 0 ? lacking : outcomes);
  const gaveRecords = lacking.some(({ outcome }) => outcome.state !== 'stale' && findSnapshot(outcome) !== undefined);
  const message = createHeadline({
    queried: asked.length,
    incomplete: lacking.length,
    areAllLate: late,
    isEmptyList: zeroHits,
    hasPartialRecords: gaveRecords,
  });
  return { kind: late ? 'sources-late' : 'no-source', message: summary === '' ? message : `${message}: ${summary}` };
}

interface FailureCounts {
  readonly queried: number;
  /** How many of the queried sources are the cause. */
  readonly incomplete: number;
  /** Whether all of these timed out. */
  readonly areAllLate: boolean;
  readonly isEmptyList: boolean;
  /** Whether one of these contributed records, though not all: then not every source gave an unusable answer. */
  readonly hasPartialRecords: boolean;
}

/** The first part of the message: how many sources are the cause (decisions 6.8). */
function createHeadline({
  queried: asked,
  incomplete: lacking,
  areAllLate: late,
  isEmptyList: zeroHits,
  hasPartialRecords: gaveRecords,
}: FailureCounts): string {
  if (asked === 0) return 'no source could be asked';
  if (zeroHits) {
    const who = asked === 1 ? 'the one source that was asked' : `${lacking} of the ${asked} sources`;
    return `no match was found, but ${who} did not answer ${late ? 'in time' : 'completely'}`;
  }
  if (lacking < asked) return `${lacking} of the ${asked} sources did not answer ${late ? 'in time' : 'completely'}`;
  const one = asked === 1;
  if (late)
    return one
      ? 'the one source that was asked did not answer in time'
      : `none of the ${asked} sources answered in time`;
  if (gaveRecords)
    return one
      ? 'the one source that was asked did not answer completely'
      : `none of the ${asked} sources answered completely`;
  return one
    ? 'the one source that was asked gave no usable answer'
    : `none of the ${asked} sources gave a usable answer`;
}
