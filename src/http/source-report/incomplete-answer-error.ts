import type { FederatedAnswer, ListPage } from '../../gateway/gateway.js';
import type { Problem } from '../../model/error-catalogue.js';
import { findSnapshot } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';
import type { Preferences } from '../request/preferences.js';
import { isIncomplete, summarizeSourceFailures } from './source-failure-summary.js';

type Outcomes = FederatedAnswer['outcomes'];

/**
 * Whether there is a list, and one that may be given to the client (decisions.md, section 6). `item`: the id of the one item that was asked for; that it does not
 * exist is never concluded from a partial answer, whatever the client prefers.
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

/** Whether nothing matches, and a source that was asked gave nothing or not all: that must not read as "no such team". */
function isInconclusiveEmptyList({ total, completeness }: ListPage): boolean {
  return total === 0 && completeness === 'partial';
}

/** A source that could not answer without being told of a private query: it is not left out, for it is well. */
function isBlockedByPrivacy({ outcome }: Outcomes[number]): boolean {
  return outcome.state === 'failed' && outcome.reason === 'private';
}

/** What decides how a refusal is explained, beside what the sources gave. */
export interface IncompleteAnswerContext {
  /** Whether a stale copy is as good as a fresh one: then a source that gave one is no cause of the refusal. */
  readonly acceptsStale?: boolean;
  /** Whether there is a list, which is refused because nothing matches in it and it is partial. */
  readonly isEmptyList?: boolean;
}

/** What {@link refusalOf} needs to know of an answer that is not given. */
export function createIncompleteAnswerContext(
  { list }: FederatedAnswer,
  { handling }: Preferences,
): IncompleteAnswerContext {
  return { acceptsStale: handling !== 'strict', isEmptyList: list !== undefined && isInconclusiveEmptyList(list) };
}

/**
 * Why no list is given (decisions.md, section 6), with what each source came to: 504 when all the sources that are the cause only came
 * too late.
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
  /** Of those that were asked: how many are the cause. */
  readonly incomplete: number;
  /** Whether all of these were late. */
  readonly areAllLate: boolean;
  readonly isEmptyList: boolean;
  /** Whether one of these gave records, though not all: that is no useless answer. */
  readonly hasPartialRecords: boolean;
}

/** What happened to the sources together. */
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
