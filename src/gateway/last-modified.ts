/** Of one source, in milliseconds since 1970. */
export interface SourceDates {
  /** Newest date of the matches, and of the source's own Last-Modified, that had passed when they were accepted. */
  readonly newest?: number | undefined;
  /** See `Snapshot.changedAt`. */
  readonly changedAt?: number | undefined;
}

export interface AnswerDate {
  /** In milliseconds since 1970, a whole second, or Infinity. Absent if no date is known. */
  readonly lastModified?: number;
  /** That second had not passed yet: the answer is sent without it, and not reused. */
  readonly isPending: boolean;
}

/** In milliseconds. Dates in HTTP are exact to the second. */
const SECOND = 1_000;

/**
 * The newest date of all sources. Answers with equal dates are equal, because what was accepted at `t` is dated after
 * the second of `t`, and an answer has no date that lies after its view. `viewedAt`: from then on the sources were queried,
 * in milliseconds since 1970 (decisions 7.7).
 */
export function dateAnswer(parts: readonly SourceDates[], viewedAt: number): AnswerDate {
  const latest = Math.max(...parts.flatMap(({ newest, changedAt }) => [newest ?? -Infinity, changedAt ?? -Infinity]));
  if (latest === -Infinity) return { isPending: false };
  const lastModified = Math.floor(latest / SECOND) * SECOND;
  return { lastModified, isPending: lastModified > viewedAt };
}
