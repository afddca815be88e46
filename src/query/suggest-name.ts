import { findNearestName } from '../text/nearest-name.js';

/** A longer name is not compared word by word; no known name is longer. */
const MAX_NAME_LENGTH = 60;

/** A shorter known name is not matched inside another name: `id` occurs in too many. */
const MIN_PART_LENGTH = 3;

/**
 * The known name nearest in spelling, else one that contains all words of the unknown one, else one whose words it
 * contains. So `team` of one interface suggests `short-team-name` of the other.
 */
export function suggestName(name: string, known: readonly string[]): string | undefined {
  const nearest = findNearestName(name, known);
  if (nearest !== undefined || name.length > MAX_NAME_LENGTH) return nearest;
  return (
    known.find((candidate) => containsWords(candidate, name)) ??
    known.find((candidate) => candidate.length >= MIN_PART_LENGTH && containsWords(name, candidate))
  );
}

function containsWords(name: string, part: string): boolean {
  const words = splitIntoWords(name);
  return splitIntoWords(part).every((word) => words.includes(word));
}

function splitIntoWords(name: string): readonly string[] {
  return name.toLowerCase().split(/[-_]/);
}
