import type { Draft } from '../model/record.js';
import { NO_PAGE } from './page.js';
import type { FetchPage, Page } from './page.js';
import { refusesParameter } from './refusal.js';
import { contradictedTotal, isSame } from './stream-compare.js';

/** What of a stream is read further behind. */
export interface Look {
  /** Records at its start that were received already. */
  readonly received: number;
  readonly total: number;
  /** Records of a page. */
  readonly size: number;
  /** The first record of the stream, where there is one. */
  readonly first: Draft | undefined;
  /** Whether pages over the whole stream are read, beside its last record. */
  readonly spread: boolean;
}

/** Shares of a stream at which a page is read. Collations differ by case, marks, punctuation and script: the differences stand together, or at the end. */
const SHARES = [1 / 3, 2 / 3] as const;

/**
 * Reads a few records behind the front of a stream, so that its filters, order and total can be checked against them; in the order of the stream. Undefined
 * where the source counts another number by now. Rejects with a `Contradiction` where the last record that is counted is not there, or is not the last.
 */
export async function lookFurther(fetchPage: FetchPage<Draft>, look: Look): Promise<readonly Draft[] | undefined> {
  const { total, size, spread } = look;
  const offsets = spread ? offsetsOf(look) : [];
  const cuts = [...offsets.map((offset) => [offset, size] as const), [total - 1, 2] as const];
  const pages = await Promise.all(cuts.map(([offset, limit]) => unlessRefused(fetchPage(offset, limit))));
  if (pages.some((page) => page.total !== undefined && page.total !== total)) return undefined;
  const last = pages.at(-1) ?? NO_PAGE;
  if (last === NO_PAGE) return [];
  if (last.received === 0) throw contradictedTotal(`it counts ${total}, and gives nothing behind ${total - 1}`);
  if (last.received > 1) throw contradictedTotal(`it counts ${total}, and gives ${excess(last, look)}`);
  return pages.slice(spread ? 0 : -1, spread ? -1 : undefined).flatMap(({ records }) => records);
}

function excess({ records: [record] }: Page<Draft>, { first, total }: Look): string {
  const isFirst = record !== undefined && first !== undefined && isSame(record, first);
  return isFirst ? `the first page again behind ${total - 1}` : 'more';
}

/** Where pages begin that stand behind what was received and do not overlap: at some shares of the stream, and at its end. */
function offsetsOf({ received, total, size }: Look): readonly number[] {
  const wanted = [...SHARES.map((share) => Math.floor(total * share)), Math.max(received, total - size)];
  return wanted.reduce<readonly number[]>((offsets, offset) => {
    const free = (offsets.at(-1) ?? received - size) + size;
    return offset >= free ? [...offsets, offset] : offsets;
  }, []);
}

/** A page that is requested to check something: a source that refuses the request has nothing there. */
export async function unlessRefused(page: Promise<Page<Draft>>): Promise<Page<Draft>> {
  try {
    return await page;
  } catch (error) {
    if (refusesParameter(error)) return NO_PAGE;
    throw error;
  }
}
