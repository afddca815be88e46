import { formatIsoTimestamp, parseDate } from '../text/date.js';

/** Exactly one bound is set, in milliseconds since 1970; both are exclusive. */
interface DateBounds {
  readonly after?: number;
  readonly before?: number;
}

const SECOND = 1_000;

/** Rounds outwards to a whole second, the precision of dates in records, so the same records are selected. */
export function widenToSecond({ after = 0, before }: DateBounds): string | undefined {
  const at = before === undefined ? Math.floor(after / SECOND) : Math.ceil(before / SECOND);
  return ifReadable(formatIsoTimestamp(at * SECOND));
}

/** Undefined for a date outside the years that can be written. */
function ifReadable(date: string): string | undefined {
  return parseDate(date) && date;
}
