import { isoTimestamp } from '../text/date.js';
import type { Parameters } from '../source/dialect.js';
import { counted } from './finding.js';
import type { Answered } from './finding.js';
import { open, rightly } from './filters.js';
import type { Known } from './known.js';
import { READ_WHOLE, compare, comparisonCost, faultOf } from './matching.js';
import type { Comparison } from './matching.js';
import type { Subject } from './subject.js';

/** Requests of one bound at most. */
export function boundCost(subject: Subject): number {
  return 2 * comparisonCost(subject, READ_WHOLE);
}

const SECOND = 1_000;

const DAY = 86_400_000;

/**
 * `before` and `after`, which exclude their bound, each asked twice: at the very second of an item, where an inclusive one lets that item
 * through, and a second further, where one that goes by the day, or by another zone, leaves it out.
 */
export async function askBound(subject: Subject, known: Known, bound: 'before' | 'after'): Promise<Answered[]> {
  const topic = `filter ${bound}`;
  const at = await instantFor(known, bound);
  if (at === undefined) return open(topic, 'the items nearest to one end have too few different seconds');
  const further = bound === 'before' ? at + SECOND : at - SECOND;
  const sharp = await compare(subject, known, written(bound, at));
  const wide = await compare(subject, known, written(bound, further));
  const asked = [...sharp.asked, ...wide.asked];
  const [fault, other] = [faultOf(subject, sharp), faultOf(subject, wide)];
  const facts = { topic, asked };
  if (fault === undefined && other === undefined) {
    const evidence = `at the second of an item ${rightly(sharp, known)}; a second further ${rightly(wide, known)}`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { filter: bound } }];
  }
  const extra = await onBound(known, sharp, at);
  if (other === undefined && extra > 0) {
    const evidence = `${counted(extra, 'item')} of the very second came too, which it has to exclude; all others rightly`;
    return [{ ...facts, verdict: 'proved', evidence, grant: { coarse: bound } }];
  }
  return [{ ...facts, verdict: 'refuted', evidence: fault ?? other ?? '' }];
}

function written(bound: 'before' | 'after', at: number): Parameters {
  return { [bound]: isoTimestamp(at) };
}

/** How many items came too that are all on the bound itself; 0 where anything else is wrong. */
async function onBound(known: Known, { missing, extra, refused, ended }: Comparison, at: number): Promise<number> {
  if (refused !== undefined || missing.length > 0 || !ended) return 0;
  const dates = await known.set.modified();
  const places = extra.map((draft) => known.placeOf(draft));
  return places.every((place) => place !== undefined && dates[place] === at) ? extra.length : 0;
}

/** The second of an item with items on the side that is asked for, so few that they are all read, together with its own. */
async function instantFor(known: Known, bound: 'before' | 'after'): Promise<number | undefined> {
  const sign = bound === 'before' ? 1 : -1;
  const all = [...(await known.set.modified())].filter((at) => !Number.isNaN(at));
  const nearest = all.sort((a, b) => sign * (a - b)).slice(0, Math.min(READ_WHOLE, known.size - 1) + 1);
  const [first, last] = [nearest[0], nearest.at(-1)];
  // The second of the last one may have more items than fit.
  const fitting = nearest.filter((at) => at !== first && (at !== last || nearest.length === all.length));
  // Not at midnight, where days and seconds are alike.
  return fitting.filter((at) => at % DAY !== 0).at(-1) ?? fitting.at(-1);
}
