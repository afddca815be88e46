import type { DraftRecord } from '../../model/record.js';
import { MISSING_PAGE } from '../../source/body/page.js';
import type { FetchPage, SourcePage } from '../../source/body/page.js';
import { isParameterRefusal } from '../pages/parameter-refusal-status.js';
import { createTotalContradiction } from './believed-capabilities.js';
import { isSameRecord } from './same-record.js';

/** Beyond the top records. */
interface FurtherPagesRequest {
  /** At the start of the list. */
  readonly receivedCount: number;
  readonly total: number;
  readonly pageSize: number;
  readonly firstRecord: DraftRecord | undefined;
  /** Across the whole list, in addition to its last record. */
  readonly isSpread: boolean;
}

/**
 * Shares of the list. Collations differ in case, marks, punctuation and script; texts that they order differently are
 * adjacent or at the end.
 */
const CHECK_POSITIONS = [1 / 3, 2 / 3] as const;

/**
 * Reads a few records beyond the top records to check filters, order and total (decisions 5.17). Undefined if the
 * source reports another total by now. Rejects with a `CapabilityContradiction` if the last record by the total does
 * not exist, or others follow it.
 */
export async function readFurtherPages(
  fetchPage: FetchPage<DraftRecord>,
  request: FurtherPagesRequest,
): Promise<readonly DraftRecord[] | undefined> {
  const { total, pageSize: size, isSpread: spread } = request;
  const offsets = spread ? checkOffsets(request) : [];
  const ranges = [...offsets.map((offset) => [offset, size] as const), [total - 1, 2] as const];
  const pages = await Promise.all(ranges.map(([offset, limit]) => missingPageIfRefused(fetchPage(offset, limit))));
  if (pages.some((page) => page.total !== undefined && page.total !== total)) return undefined;
  const last = pages.at(-1) ?? MISSING_PAGE;
  if (last === MISSING_PAGE) return [];
  if (last.receivedCount === 0)
    throw createTotalContradiction(`total is ${total}, but there is no record at offset ${total - 1}`);
  if (last.receivedCount > 1) throw createTotalContradiction(`total is ${total}, but ${describeExcess(last, request)}`);
  return pages.slice(spread ? 0 : -1, spread ? -1 : undefined).flatMap(({ records }) => records);
}

function describeExcess(
  { records: [record] }: SourcePage<DraftRecord>,
  { firstRecord: first, total }: FurtherPagesRequest,
): string {
  const isFirst = record !== undefined && first !== undefined && isSameRecord(record, first);
  return isFirst ? `the first page repeats at offset ${total - 1}` : 'more records follow';
}

/** Beyond the received records, without overlap: at fixed shares of the list, and at its end. */
function checkOffsets({ receivedCount: received, total, pageSize: size }: FurtherPagesRequest): readonly number[] {
  const candidates = [...CHECK_POSITIONS.map((share) => Math.floor(total * share)), Math.max(received, total - size)];
  return candidates.reduce<readonly number[]>((offsets, offset) => {
    const free = (offsets.at(-1) ?? received - size) + size;
    return offset >= free ? [...offsets, offset] : offsets;
  }, []);
}

/** For a page requested only for a check, a refusal means that there are no records. */
async function missingPageIfRefused(page: Promise<SourcePage<DraftRecord>>): Promise<SourcePage<DraftRecord>> {
  try {
    return await page;
  } catch (error) {
    if (isParameterRefusal(error)) return MISSING_PAGE;
    throw error;
  }
}
