import { findNearestName } from '../text/nearest-name.js';

/** Characters of a name in which words are looked for; no name has as many. */
const MAX_NAME_LENGTH = 60;

/** Characters of a name that is found within another at least: `id` is within too many. */
const MIN_PART_LENGTH = 3;

/**
 * The known name that was probably meant by an unknown one: one that is spelled almost so, else one that has all its words, else one whose
 * words it has: what is `team` on one interface is `short-team-name` on the other.
 */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const near = findNearestName(name, known);
  if (near !== undefined || name.length > MAX_NAME_LENGTH) return near;
  return (
    known.find((one) => containsWords(one, name)) ??
    known.find((one) => one.length >= MIN_PART_LENGTH && containsWords(name, one))
  );
}

function containsWords(name: string, part: string): boolean {
  const words = splitIntoWords(name);
  return splitIntoWords(part).every((word) => words.includes(word));
}

function splitIntoWords(name: string): readonly string[] {
  return name.toLowerCase().split(/[-_]/);
}
