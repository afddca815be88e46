import type { FederatedAnswer, ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import { findSnapshot, needsAttention } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';
import type { Preferences } from '../request/preferences.js';
import { summarizeSourceFailures } from './source-failure-summary.js';

type Outcomes = FederatedAnswer['outcomes'];

/**
 * The list may be sent (decisions 6.5, 6.6, 6.7, 8.7). `item` is the id of a requested single item: a partial answer
 * never proves that it does not exist, whatever the preference of the client.
 */
export function isServable<A extends FederatedAnswer>(
  answer: A,
  { handling }: Preferences,
  item?: string,
): answer is A & { readonly list: ListPage } {
  const { list, outcomes } = answer;
  if (list === undefined || outcomes.some(isBlockedByPrivacy) || isUnprovenAbsence(answer)) return false;
  if (handling === 'strict') return list.completeness === 'complete';
  return (handling === 'lenient' && item === undefined) || !isInconclusiveEmptyList(list);
}

/** Such a list must not read as "no such team". */
function isInconclusiveEmptyList({ total, completeness }: ListPage): boolean {
  return total === 0 && completeness === 'partial';
}

/** The team may be in the list of its source by now: that list is not known to be its present one (decisions 2.35). */
function isUnprovenAbsence({ missingItem, list }: FederatedAnswer): boolean {
  return missingItem?.reason === 'unknown' && list?.completeness !== 'complete';
}

/** The source works, but would receive a private query: the response is an error instead of a list without it. */
function isBlockedByPrivacy({ outcome }: Outcomes[number]): boolean {
  return outcome.state === 'failed' && outcome.reason === 'private';
}

/** For the error message, besides the outcomes of the sources. */
interface IncompleteAnswerContext {
  /** A stale source is not a cause of the error: its snapshot is as good as a fresh one. */
  readonly acceptsStale?: boolean;
  /** The list is not sent because it is empty and partial. */
  readonly isEmptyList?: boolean;
}

/** For an answer that is not servable. */
export function createIncompleteAnswerContext(
  answer: FederatedAnswer,
  { handling }: Preferences,
): IncompleteAnswerContext {
  const { list } = answer;
  const isInconclusive = list !== undefined && isInconclusiveEmptyList(list);
  const isUnproven = isUnprovenAbsence(answer);
  return { acceptsStale: handling !== 'strict' && !isUnproven, isEmptyList: isInconclusive || isUnproven };
}

/**
 * Replaces a list, and describes the sources that are its cause (decisions 6.8): 504 where all of these only timed out,
 * 503 where a private query could not be answered, else 502.
 */
export function createIncompleteAnswerProblem(
  outcomes: readonly SourceOutcome<unknown>[],
  context: IncompleteAnswerContext = {},
): Problem {
  const { acceptsStale = false, isEmptyList = false } = context;
  const queried = outcomes.filter(({ outcome }) => outcome.state !== 'excluded');
  const incomplete = queried.filter(
    ({ outcome }) => needsAttention(outcome) && !(acceptsStale && outcome.state === 'stale'),
  );
  const reasons = incomplete.map(({ outcome }) => ('reason' in outcome ? outcome.reason : undefined));
  if (reasons.includes('private')) {
    const subject = incomplete.length === queried.length ? 'no source' : 'not every selected source';
    return { kind: 'not-held', message: `${subject} can contribute without receiving the private query` };
  }
  const areAllLate = reasons.length > 0 && reasons.every((reason) => reason === 'timeout');
  const summary = summarizeSourceFailures(incomplete.length > 0 ? incomplete : outcomes);
  const hasPartialRecords = incomplete.some(
    ({ outcome }) => outcome.state !== 'stale' && findSnapshot(outcome) !== undefined,
  );
  const message = createHeadline({
    queried: queried.length,
    incomplete: incomplete.length,
    areAllLate,
    isEmptyList,
    hasPartialRecords,
  });
  return {
    kind: areAllLate ? 'sources-late' : 'no-source',
    message: summary === '' ? message : `${message}: ${summary}`,
  };
}

interface FailureCounts {
  readonly queried: number;
  /** Queried sources that are the cause. */
  readonly incomplete: number;
  /** All of these timed out. */
  readonly areAllLate: boolean;
  readonly isEmptyList: boolean;
  /** One of these contributed some of its records, so that not every response was unusable. */
  readonly hasPartialRecords: boolean;
}

/** How many sources are the cause. */
function createHeadline({ queried, incomplete, areAllLate, isEmptyList, hasPartialRecords }: FailureCounts): string {
  if (queried === 0) return 'no source could be queried';
  const failure = areAllLate ? 'timed out' : 'returned no complete response';
  if (isEmptyList) {
    const subject = queried === 1 ? 'the only queried source' : `${incomplete} of the ${queried} sources`;
    return `no match was found, but ${subject} ${failure}`;
  }
  if (incomplete < queried) return `${incomplete} of the ${queried} sources ${failure}`;
  const isOnlySource = queried === 1;
  if (areAllLate) return isOnlySource ? 'the only queried source timed out' : `all ${queried} sources timed out`;
  if (hasPartialRecords)
    return isOnlySource
      ? 'the only queried source returned no complete response'
      : `none of the ${queried} sources returned a complete response`;
  return isOnlySource
    ? 'the only queried source returned no usable response'
    : `none of the ${queried} sources returned a usable response`;
}
