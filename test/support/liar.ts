import type { Noun } from '../oracle/nouns.js';
import { listedBy, repository } from './habits.js';
import type { Habit, Shelves } from './habits.js';
import { nounOf, sorted } from './honest.js';
import type { Raw } from './paging.js';
import type { Answering, Asked } from './upstream.js';

/** A repository whose lies about filters and orders can be seen. */
export interface Liar {
  readonly shelves: Shelves;
  /** What it does whatever it is asked. */
  readonly habits: readonly Habit[];
  /** What it does where a list shows it. */
  readonly lies: readonly Habit[];
  /** Records from the start of a list that show a lie, 2 at least. */
  readonly depth: number;
}

/**
 * Answers as a repository with all these habits, but that what breaks a filter, or stands out of the order that is asked for, is among the first
 * records of the list. Where there is no such record nothing is wrong with the list, and it is answered without the lies: what is left out, say, no
 * check on an answer can see.
 */
export function boldly(liar: Liar): Answering {
  const known = new Map<string, Answering>();
  return (asked, response) => {
    const whole = { ...asked, query: wholeOf(asked) };
    const key = `${asked.path}?${whole.query.toString()}`;
    const answering = known.get(key) ?? answeringTo(liar, whole);
    known.set(key, answering);
    answering(asked, response);
  };
}

function answeringTo(liar: Liar, whole: Asked): Answering {
  const { shelves, habits, lies } = liar;
  const shown = shownBy(liar, whole);
  if (shown === undefined) return repository(shelves, habits);
  return repository(shelves, [...habits, ...lies, { arranges: () => shown }]);
}

/** The same list, whatever page of it was asked for. */
function wholeOf({ query }: Asked): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== 'limit' && name !== 'offset'));
}

/** The list as the lies have it, and what shows that near its start; undefined where nothing does. */
function shownBy({ shelves, habits, lies, depth }: Liar, asked: Asked): readonly Raw[] | undefined {
  const [right, wrong] = [listedBy(shelves, habits, asked), listedBy(shelves, [...habits, ...lies], asked)];
  if (right === undefined || wrong === undefined) return undefined;
  const matching = new Set(right);
  const stray = wrong.findIndex((record) => !matching.has(record));
  // Of a list of which nothing but its length is wanted one record is asked for.
  if (stray >= 0) return earlier(wrong, { from: stray, count: 1, to: depth - 2 });
  const misplaced = wrong.length === right.length ? misplacedIn(wrong, asked) : -1;
  return misplaced < 0 ? undefined : earlier(wrong, { from: misplaced, count: 2, to: depth - 2 });
}

interface Move {
  readonly from: number;
  readonly count: number;
  readonly to: number;
}

function earlier(records: readonly Raw[], { from, count, to }: Move): readonly Raw[] {
  if (from <= to) return records;
  const moved = records.slice(from, from + count);
  return [...records.slice(0, to), ...moved, ...records.slice(to, from), ...records.slice(from + count)];
}

/** Position of the first record that should stand behind the next one; -1 where there is none. */
function misplacedIn(records: readonly Raw[], { path, query }: Asked): number {
  const sort = query.get('sort');
  if (sort === null) return -1;
  return records.findIndex((record, at) => {
    const next = records[at + 1];
    return next !== undefined && sorted([record, next], sort, noun(path))[0] !== record;
  });
}

function noun(path: string): Noun {
  return nounOf(path.includes('/directory/') ? 'directory' : 'data', path.slice(path.lastIndexOf('/') + 1));
}
