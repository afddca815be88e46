/** What one source has to do with the date of a set. Times in milliseconds since 1970. */
export interface Part {
  /** The newest date of its matches and of its own headers. */
  readonly newest?: number | undefined;
  /** When its records were first seen as they are. */
  readonly since: number;
  /** The newest date that its earlier records may have been shown with; absent where there were none. */
  readonly floor?: number | undefined;
}

/**
 * When a set changed last (decisions.md, section 7): its newest date, but not before a source was seen to change, unless that very
 * date tells of it. Two states of a set never have one date, for an equal date means an unchanged set to a client. Undefined where
 * nothing is known of any date.
 */
export function lastModifiedOf(parts: readonly Part[]): number | undefined {
  const [most, second] = parts.map(boundOf).sort((a, b) => b - a);
  const dates = parts.flatMap((part) => {
    const others = (boundOf(part) === most ? second : most) ?? -Infinity;
    return dateOf(part, others) ?? [];
  });
  return dates.length === 0 ? undefined : dates.reduce((newest, date) => Math.max(newest, date));
}

/** No earlier date of the set came from this source and was newer. */
function boundOf({ newest = -Infinity, since, floor }: Part): number {
  return floor === undefined ? newest : Math.max(newest, since);
}

function dateOf({ newest, since, floor }: Part, others: number): number | undefined {
  if (floor === undefined) return newest;
  const tells = newest !== undefined && newest > Math.max(floor, others);
  return tells ? newest : Math.max(newest ?? since, since);
}
