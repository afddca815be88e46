import { readFileSync } from 'node:fs';

/** One row of the table of docs/failures.md. */
export interface FailureRow {
  readonly id: string;
  readonly state: string;
  /** Undefined where the row states no single reason. */
  readonly reason: string | undefined;
  /** Requests sent for one page before the drain fails. */
  readonly tries: number;
  /** Seconds after which the source is requested again, where the row states them. */
  readonly again: number | undefined;
}

const ROW = /^\| `(?<id>[^`]+)` +\| [^|]+ \| `(?<state>[^`]+)`, (?:`(?<reason>[^`]+)`|[^|`]+) +\| (?<next>[^|]+) \|$/gm;

/** Reads the table of docs/failures.md. */
export function readFailureTable(): readonly FailureRow[] {
  const text = readFileSync(new URL('../../docs/failures.md', import.meta.url), 'utf8');
  return [...text.matchAll(ROW)].map(({ groups = {} }) => {
    const { id = '', state = '', reason, next = '' } = groups;
    const again = /(?:asked|drained) again after (\d+) s/.exec(next)?.[1];
    return {
      id,
      state,
      reason,
      tries: /one retry|retried/.test(next) ? 2 : 1,
      again: again === undefined ? undefined : Number(again),
    };
  });
}
