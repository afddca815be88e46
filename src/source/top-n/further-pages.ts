import type { DraftRecord } from '../../model/record.js';
import { EMPTY_PAGE } from '../body/page.js';
import type { FetchPage, SourcePage } from '../body/page.js';
import { isParameterRefusal } from '../drain/refused-parameters.js';
import { createTotalContradiction, isSameRecord } from './record-comparison.js';

/** What of a stream is read further behind. */
export interface FurtherPagesRequest {
  /** Records at its start that were received already. */
  readonly receivedCount: number;
  readonly total: number;
  /** Records of a page. */
  readonly pageSize: number;
  /** The first record of the stream, where there is one. */
  readonly firstRecord: DraftRecord | undefined;
  /** Whether pages over the whole stream are read, beside its last record. */
  readonly isSpread: boolean;
}

/** Shares of a stream at which a page is read. Collations differ by case, marks, punctuation and script: the differences stand together, or at the end. */
const CHECK_POSITIONS = [1 / 3, 2 / 3] as const;

/**
 * Reads a few records behind the front of a stream, so that its filters, order and total can be checked against them; in the order of the stream. Undefined
 * where the source counts another number by now. Rejects with a `CapabilityContradiction` where the last record that is counted is not there, or is not the last.
 */
export async function readFurtherPages(
  fetchPage: FetchPage<DraftRecord>,
  look: FurtherPagesRequest,
): Promise<readonly DraftRecord[] | undefined> {
  const { total, pageSize: size, isSpread: spread } = look;
  const offsets = spread ? checkOffsets(look) : [];
  const cuts = [...offsets.map((offset) => [offset, size] as const), [total - 1, 2] as const];
  const pages = await Promise.all(cuts.map(([offset, limit]) => emptyPageIfRefused(fetchPage(offset, limit))));
  if (pages.some((page) => page.total !== undefined && page.total !== total)) return undefined;
  const last = pages.at(-1) ?? EMPTY_PAGE;
  if (last === EMPTY_PAGE) return [];
  if (last.receivedCount === 0)
    throw createTotalContradiction(`it counts ${total}, and gives nothing behind ${total - 1}`);
  if (last.receivedCount > 1)
    throw createTotalContradiction(`it counts ${total}, and gives ${describeExcess(last, look)}`);
  return pages.slice(spread ? 0 : -1, spread ? -1 : undefined).flatMap(({ records }) => records);
}

function describeExcess(
  { records: [record] }: SourcePage<DraftRecord>,
  { firstRecord: first, total }: FurtherPagesRequest,
): string {
  const isFirst = record !== undefined && first !== undefined && isSameRecord(record, first);
  return isFirst ? `the first page again behind ${total - 1}` : 'more';
}

/** Where pages begin that stand behind what was received and do not overlap: at some shares of the stream, and at its end. */
function checkOffsets({ receivedCount: received, total, pageSize: size }: FurtherPagesRequest): readonly number[] {
  const wanted = [...CHECK_POSITIONS.map((share) => Math.floor(total * share)), Math.max(received, total - size)];
  return wanted.reduce<readonly number[]>((offsets, offset) => {
    const free = (offsets.at(-1) ?? received - size) + size;
    return offset >= free ? [...offsets, offset] : offsets;
  }, []);
}

/** A page that is requested to check something: a source that refuses the request has nothing there. */
export async function emptyPageIfRefused(page: Promise<SourcePage<DraftRecord>>): Promise<SourcePage<DraftRecord>> {
  try {
    return await page;
  } catch (error) {
    if (isParameterRefusal(error)) return EMPTY_PAGE;
    throw error;
  }
}
