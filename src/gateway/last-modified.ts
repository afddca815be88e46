/** Of one source, in milliseconds since 1970. */
export interface SourceChangeDates {
  /** Newest date of the matches and of the source's own Last-Modified. */
  readonly newest?: number | undefined;
  /** When the records were first served in their present form. */
  readonly since: number;
  /** Newest date with which earlier records may have been served. Absent: there were none. */
  readonly floor?: number | undefined;
}

/** In milliseconds since 1970. */
export interface AnswerDates {
  /** In a second that has passed. Absent if no date is known. */
  readonly newest?: number;
  /**
   * From this time on every response contained the set in its present form; Infinity: unknown, so that only `newest`
   * itself identifies the set. Absent without `newest`.
   */
  readonly unchangedSince?: number;
  /** In place of `newest`: the date that the set has once that second has passed. Infinity: not known yet. */
  readonly pendingDate?: number;
}

/** In milliseconds. Dates in HTTP are exact to the second. */
const SECOND = 1_000;

/**
 * For sources that were queried from `requestedAt` on, in milliseconds since 1970. The response may lack changes that
 * happened while they were queried, so it has no later date: until then it has none (decisions 7.7).
 */
export function computeAnswerDates(parts: readonly SourceChangeDates[], requestedAt: number): AnswerDates {
  const changed = computeLastModified(parts);
  if (changed === undefined) return {};
  if (changed > requestedAt) return { pendingDate: changed };
  // A request in the very millisecond in which a snapshot was replaced may have got the earlier one.
  const since = parts.map((part) => part.since + (part.floor === undefined ? 0 : 1));
  return { newest: changed, unchangedSince: Math.max(...since) };
}

/**
 * In milliseconds since 1970 and whole seconds: the newest date, but not before the time at which a source was seen to
 * change, unless the newest date itself shows that change. Two states of a set never have the same date, because to a
 * client an equal date means an unchanged set: a change within a second with which the set may have been served already
 * is dated one second later. Undefined if no date is known.
 */
function computeLastModified(parts: readonly SourceChangeDates[]): number | undefined {
  const [most, second] = parts.map(latestPossibleDate).sort((a, b) => b - a);
  const dates = parts.flatMap((part) => {
    const others = (latestPossibleDate(part) === most ? second : most) ?? -Infinity;
    return dateOfSource(part, others) ?? [];
  });
  return dates.length === 0 ? undefined : dates.reduce((newest, date) => Math.max(newest, date));
}

/** Upper bound of the dates that this source may have given the set so far. */
function latestPossibleDate({ newest = -Infinity, since, floor }: SourceChangeDates): number {
  return floor === undefined ? floorToSecond(newest) : Math.max(floorToSecond(newest), nextSecond(since));
}

/** `others` is the upper bound of the other sources. */
function dateOfSource({ newest, since, floor }: SourceChangeDates, others: number): number | undefined {
  if (floor === undefined) return newest === undefined ? undefined : floorToSecond(newest);
  const shown = Math.max(nextSecond(floor), others);
  const date = newest === undefined ? -Infinity : floorToSecond(newest);
  if (date > shown) return date;
  return Math.max(date, floorToSecond(since) > shown ? floorToSecond(since) : nextSecond(since));
}

function floorToSecond(at: number): number {
  return Math.floor(at / SECOND) * SECOND;
}

function nextSecond(at: number): number {
  return floorToSecond(at) + SECOND;
}
