import type { SeededRandom } from '../../../config/demo/generator/seeded-random.js';

/** Rows of a keyboard. A finger that slips hits a letter beside the right one. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Letters of a word in which an error is made; in a shorter word one error makes another word. */
const MIN_LETTERS = 5;

/** Makes an error at a position of a word. Returns the word unchanged where the error is not possible. */
type ErrorMaker = (letters: readonly string[], at: number, dice: SeededRandom) => readonly string[];

const errors = {
  substitution: (letters, at, dice) => letters.with(at, besides(letters[at] ?? '', dice)),
  omission: (letters, at) => letters.toSpliced(at, 1),
  insertion: (letters, at, dice) => letters.toSpliced(at, 0, besides(letters[at] ?? '', dice)),
  transposition: (letters, at) => [
    ...letters.slice(0, at),
    ...letters.slice(at, at + 2).reverse(),
    ...letters.slice(at + 2),
  ],
} satisfies Readonly<Record<string, ErrorMaker>>;

export type TypingError = keyof typeof errors;

export const typingErrors = Object.keys(errors) as TypingError[];

/** At least one of them on a key of its own, and not all equal. */
const LATIN_LETTERS = /^(?=.*[a-z])(?!(.)\1*$)\p{Script=Latin}+$/u;

/** Whether every error can be made in a lower-case word: it has at least five Latin letters and nothing else. */
export function canHaveError(word: string): boolean {
  return word.length >= MIN_LETTERS && LATIN_LETTERS.test(word);
}

/** Makes one error at a random position of a word for which {@link canHaveError} holds. */
export function misspell(word: string, error: TypingError, dice: SeededRandom): string {
  const letters = Array.from(word);
  const misspelt = letters.map((_, at) => errors[error](letters, at, dice).join(''));
  return dice.pick(misspelt.filter((other) => other !== word));
}

/** A letter beside this one on the keyboard; the letter itself if it is in none of the rows. */
function besides(letter: string, dice: SeededRandom): string {
  const row = ROWS.find((one) => one.includes(letter)) ?? '';
  const at = row.indexOf(letter);
  return dice.pick([row[at - 1], row[at + 1]].flatMap((other) => other ?? (row === '' ? letter : [])));
}

/** Whether at most one error makes one word of the other: a letter more, less or other, or two neighbours exchanged. */
export function isOneErrorApart(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one.charAt(start) === other.charAt(start)) start += 1;
  const [rest, otherRest] = [one.slice(start), other.slice(start)];
  return (
    rest.slice(1) === otherRest.slice(1) ||
    rest.slice(1) === otherRest ||
    rest === otherRest.slice(1) ||
    (rest.slice(2) === otherRest.slice(2) && rest.slice(0, 2) === otherRest.charAt(1) + otherRest.charAt(0))
  );
}
