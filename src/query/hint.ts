import { nearest } from '../text/nearest.js';

/** Characters of a name in which words are looked for; no name has as many. */
const LONGEST = 60;

/** Characters of a name that is found within another at least: `id` is within too many. */
const SHORTEST = 3;

/**
 * The known name that was probably meant by an unknown one: one that is spelled almost so, else one that has all its words, else one whose
 * words it has: what is `team` on one interface is `short-team-name` on the other.
 */
export function probablyMeant(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  if (near !== undefined || name.length > LONGEST) return near;
  return (
    known.find((one) => hasWordsOf(one, name)) ?? known.find((one) => one.length >= SHORTEST && hasWordsOf(name, one))
  );
}

function hasWordsOf(name: string, part: string): boolean {
  const words = wordsOf(name);
  return wordsOf(part).every((word) => words.includes(word));
}

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[-_]/);
}
