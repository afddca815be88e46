/** What one source has to do with the date of a set. Times in milliseconds since 1970. */
export interface SourceChangeDates {
  /** The newest date of its matches and of its own headers. */
  readonly newest?: number | undefined;
  /** When its records were first held as they are. */
  readonly since: number;
  /** The newest date that its earlier records may have been shown with; absent where there were none. */
  readonly floor?: number | undefined;
}

/** The dates that an answer is told by, in milliseconds since 1970. */
export interface AnswerDates {
  /** When the set changed last, as far as that is not in the future; absent where nothing is known of any date. */
  readonly newest?: number;
  /** From here on whoever asked got the set as it is; absent as long as the date of its last change is not over. */
  readonly unchangedSince?: number;
}

/** Clients know dates to the second. */
const SECOND = 1_000;

/**
 * The dates of an answer for which the sources were asked from `asked` on. What changed while they were being asked may be missing in
 * it, so that it claims no later date.
 */
export function computeAnswerDates(parts: readonly SourceChangeDates[], asked: number): AnswerDates {
  const changed = computeLastModified(parts);
  if (changed === undefined) return {};
  if (changed > asked) return { newest: asked };
  // Who asked in the very millisecond in which a copy was replaced may have got the one before.
  const since = parts.map((part) => part.since + (part.floor === undefined ? 0 : 1));
  return { newest: changed, unchangedSince: Math.max(...since) };
}

/**
 * When a set changed last (decisions.md, section 7), in whole seconds: its newest date, but not before a source was seen to change,
 * unless that very date tells of it. Two states of a set never have one date, for an equal date means an unchanged set to a client:
 * a change in a second that the set may have been shown with already counts to the next. Undefined where nothing is known of any date.
 */
export function computeLastModified(parts: readonly SourceChangeDates[]): number | undefined {
  const [most, second] = parts.map(latestPossibleDate).sort((a, b) => b - a);
  const dates = parts.flatMap((part) => {
    const others = (latestPossibleDate(part) === most ? second : most) ?? -Infinity;
    return dateOfSource(part, others) ?? [];
  });
  return dates.length === 0 ? undefined : dates.reduce((newest, date) => Math.max(newest, date));
}

/** No earlier date of the set came from this source and was newer. */
function latestPossibleDate({ newest = -Infinity, since, floor }: SourceChangeDates): number {
  return floor === undefined ? floorToSecond(newest) : Math.max(floorToSecond(newest), nextSecond(since));
}

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

/** The second after the one that it lies in. */
function nextSecond(at: number): number {
  return floorToSecond(at) + SECOND;
}
