import { formatIsoTimestamp } from '../../text/date.js';
import type { SourceParameters } from '../../source/dialect/request-url.js';
import { pluralize } from '../findings/finding.js';
import type { CheckResult } from '../findings/finding.js';
import { openResult, describeMatches } from './country-filter.js';
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
  known: ReferenceRecords,
  bound: 'before' | 'after',
): Promise<CheckResult[]> {
  const topic = `filter ${bound}`;
  const at = await selectInstant(known, bound);
  if (at === undefined) return openResult(topic, 'the items nearest to one end have too few different timestamps');
  const further = bound === 'before' ? at + SECOND : at - SECOND;
  const sharp = await compareWithReference(subject, known, boundParameter(bound, at));
  const wide = await compareWithReference(subject, known, boundParameter(bound, further));
  const asked = [...sharp.targets, ...wide.targets];
  const [fault, other] = [describeMismatch(subject, sharp), describeMismatch(subject, wide)];
  const facts = { topic, asked };
  if (fault === undefined && other === undefined) {
    const evidence = `at the second of an item: ${describeMatches(sharp, known)}; one second further: ${describeMatches(wide, known)}`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { filter: bound } }];
  }
  const extra = await countExtraOnBound(known, sharp, at);
  if (other === undefined && extra > 0) {
    const evidence = `received ${pluralize(extra, 'item')} exactly at the bound, which the filter must exclude; all others are right`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { coarse: bound } }];
  }
  return [{ ...facts, verdict: 'refuted', evidence: fault ?? other ?? '' }];
}

function boundParameter(bound: 'before' | 'after', at: number): SourceParameters {
  return { [bound]: formatIsoTimestamp(at) };
}

/** Number of extra records if all of them are exactly on the bound; 0 if anything else is wrong. */
async function countExtraOnBound(
  known: ReferenceRecords,
  { missing, extra, refused, hasReachedEnd: ended }: ReferenceComparison,
  at: number,
): Promise<number> {
  if (refused !== undefined || missing.length > 0 || !ended) return 0;
  const dates = await known.recordSet.dateColumn();
  const places = extra.map((draft) => known.indexOf(draft));
  return places.every((place) => place !== undefined && dates[place] === at) ? extra.length : 0;
}

/**
 * The second of an item with so few items on the requested side that all of them are read, together with the item's
 * own.
 */
async function selectInstant(known: ReferenceRecords, bound: 'before' | 'after'): Promise<number | undefined> {
  const sign = bound === 'before' ? 1 : -1;
  const all = [...(await known.recordSet.dateColumn())].filter((at) => !Number.isNaN(at));
  const nearest = all.sort((a, b) => sign * (a - b)).slice(0, Math.min(MAX_COMPLETE_COMPARISON, known.size - 1) + 1);
  const [first, last] = [nearest[0], nearest.at(-1)];
  // The last item's second may have more items than fit.
  const fitting = nearest.filter((at) => at !== first && (at !== last || nearest.length === all.length));
  // Not midnight, where a comparison by day and one by second have the same result.
  return fitting.filter((at) => at % DAY !== 0).at(-1) ?? fitting.at(-1);
}
