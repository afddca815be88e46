import { formatIsoTimestamp } from '../../text/date.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, describeMatches } from './conclude-check.js';
import type { ReferenceRecords } from '../resource/reference-records.js';
import {
  MAX_COMPLETE_COMPARISON,
  compareWithReference,
  comparisonCost,
  describeMismatch,
} from './compare-with-reference.js';
import type { ReferenceComparison } from './compare-with-reference.js';
import type { ProbedResource } from '../resource/probed-resource.js';

/** Maximum number of requests for one bound. */
export function dateBoundCost(subject: ProbedResource): number {
  return 2 * comparisonCost(subject, MAX_COMPLETE_COMPARISON);
}

const SECOND = 1_000;

const DAY = 86_400_000;

/**
 * Checks `before` or `after`, which exclude their bound, with two queries. One is at the exact second of an item,
 * which an inclusive bound includes. The other is a second further, where a source that compares days or another time
 * zone omits the item.
 */
export async function checkDateBound(
  subject: ProbedResource,
  reference: ReferenceRecords,
  bound: 'before' | 'after',
): Promise<CheckResult[]> {
  const topic = `filter ${bound}`;
  const at = await selectInstant(reference, bound);
  if (at === undefined) return openResult(topic, 'the items nearest to one end have too few different timestamps');
  const beyond = bound === 'before' ? at + SECOND : at - SECOND;
  const atBound = await compareWithReference(subject, reference, boundParameter(bound, at));
  const beyondBound = await compareWithReference(subject, reference, boundParameter(bound, beyond));
  const targets = [...atBound.targets, ...beyondBound.targets];
  const [mismatchAtBound, mismatchBeyond] = [
    describeMismatch(subject, atBound),
    describeMismatch(subject, beyondBound),
  ];
  const facts = { topic, asked: targets };
  if (mismatchAtBound === undefined && mismatchBeyond === undefined) {
    const evidence = `at the second of an item: ${describeMatches(atBound, reference)}; one second further: ${describeMatches(beyondBound, reference)}`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { filter: bound } }];
  }
  const extra = await countExtraOnBound(reference, atBound, at);
  if (mismatchBeyond === undefined && extra > 0) {
    const evidence = `received ${pluralize(extra, 'item')} exactly at the bound, which the filter must exclude; all others are right`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { coarse: bound } }];
  }
  return [{ ...facts, verdict: 'refuted', evidence: mismatchAtBound ?? mismatchBeyond ?? '' }];
}

function boundParameter(bound: 'before' | 'after', at: number): SourceParameters {
  return { [bound]: formatIsoTimestamp(at) };
}

/** Number of extra records if all of them are exactly on the bound; 0 if anything else is wrong. */
async function countExtraOnBound(
  reference: ReferenceRecords,
  { missing, extra, refused, hasReachedEnd }: ReferenceComparison,
  at: number,
): Promise<number> {
  if (refused !== undefined || missing.length > 0 || !hasReachedEnd) return 0;
  const dates = await reference.recordSet.dateColumn();
  const indexes = extra.map((draft) => reference.indexOf(draft));
  return indexes.every((index) => index !== undefined && dates[index] === at) ? extra.length : 0;
}

/**
 * The second of an item with so few items on the requested side that all of them are read, together with the item's
 * own.
 */
async function selectInstant(reference: ReferenceRecords, bound: 'before' | 'after'): Promise<number | undefined> {
  const sign = bound === 'before' ? 1 : -1;
  const all = [...(await reference.recordSet.dateColumn())].filter((at) => !Number.isNaN(at));
  const nearest = all
    .sort((a, b) => sign * (a - b))
    .slice(0, Math.min(MAX_COMPLETE_COMPARISON, reference.size - 1) + 1);
  const [first, last] = [nearest[0], nearest.at(-1)];
  // The last item's second may have more items than fit.
  const fitting = nearest.filter((at) => at !== first && (at !== last || nearest.length === all.length));
  // Not midnight, where a comparison by day and one by second have the same result.
  return fitting.filter((at) => at % DAY !== 0).at(-1) ?? fitting.at(-1);
}
