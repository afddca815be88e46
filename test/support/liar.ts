import type { Noun } from '../oracle/nouns.js';
import { listedBy, repository } from './habits.js';
import type { Habit, Shelves } from './habits.js';
import { nounOf, sorted } from './honest.js';
import type { Raw } from './paging.js';
import type { Answering, Asked } from './upstream.js';

/** A repository that lies, but only in what can be seen. */
export interface Liar {
  readonly shelves: Shelves;
  /** What it does whatever it is asked. */
  readonly habits: readonly Habit[];
  /** What it does where the first records of the list show it. */
  readonly lies: readonly Habit[];
  /** Records from the start of a list that show a lie, 2 at least: who asks for one less, and for one beside the end of what is wanted, sees it. */
  readonly depth: number;
}

/**
 * Answers as a repository with all these habits where one of the first records breaks a filter or stands out of the order that is asked for; else
 * without the lies. Of one list all pages tell the same: a lie that shows on a later page only is another one, that no check on the first can see.
 */
export function boldly(liar: Liar): Answering {
  const { shelves, habits, lies } = liar;
  const [good, bad] = [repository(shelves, habits), repository(shelves, [...habits, ...lies])];
  const known = new Map<string, boolean>();
  return (asked, response) => {
    const whole = { ...asked, query: wholeOf(asked) };
    const key = `${asked.path}?${whole.query.toString()}`;
    const shown = known.get(key) ?? isShown(liar, whole);
    known.set(key, shown);
    (shown ? bad : good)(asked, response);
  };
}

/** The same list, whatever page of it was asked for. */
function wholeOf({ query }: Asked): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => name !== 'limit' && name !== 'offset'));
}

function isShown({ shelves, habits, lies, depth }: Liar, asked: Asked): boolean {
  const [right, wrong] = [listedBy(shelves, habits, asked), listedBy(shelves, [...habits, ...lies], asked)];
  if (right === undefined || wrong === undefined) return false;
  const matching = new Set(right);
  if (wrong.slice(0, depth - 1).some((record) => !matching.has(record))) return true;
  // Of a list of which nothing but its length is wanted one record is asked for: its order must not matter then.
  return wrong.length === right.length && isMisplaced(wrong.slice(0, depth), asked);
}

function isMisplaced(records: readonly Raw[], { path, query }: Asked): boolean {
  const sort = query.get('sort');
  if (sort === null) return false;
  const placed = sorted(records, sort, noun(path));
  return placed.some((record, at) => record !== records[at]);
}

function noun(path: string): Noun {
  return nounOf(path.includes('/directory/') ? 'directory' : 'data', path.slice(path.lastIndexOf('/') + 1));
}
