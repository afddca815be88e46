/** Letters that NFKD does not decompose, and the final sigma, with their folded forms (decisions 2.24). */
const LETTERS = new Map(
  Array.from('øłßæđþıς', (letter, at) => [letter, ['o', 'l', 'ss', 'ae', 'd', 'th', 'i', 'σ'][at]]),
);

const folded = new Map<string, string>();

/** Folds a text. Cached, because the simple sort of the oracle folds each text many times. */
export function fold(text: string): string {
  const known = folded.get(text) ?? foldCharacters(text);
  folded.set(text, known);
  return known;
}

function foldCharacters(text: string): string {
  const plain = Array.from(text.normalize('NFKD')).filter((character) => !/\p{M}/u.test(character));
  return plain.map((character) => LETTERS.get(character.toLowerCase()) ?? character.toLowerCase()).join('');
}

/** Compares two texts code point by code point. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [pointsOf(a), pointsOf(b)];
  const at = left.findIndex((point, position) => point !== right[position]);
  if (at < 0) return left.length - right.length;
  return (left[at] ?? -1) - (right[at] ?? -1);
}

const points = new Map<string, readonly number[]>();

/** The code points of a text. Cached, because a sort compares each text many times. */
function pointsOf(text: string): readonly number[] {
  const known = points.get(text) ?? Array.from(text, (character) => character.codePointAt(0) ?? 0);
  points.set(text, known);
  return known;
}

/** A date with its precision: 0 for a year, 1 for a month, 2 for a day, 3 for a second. */
export interface ReadDate {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly exactness: 0 | 1 | 2 | 3;
}

/** Parses the dates of the generated records with `Date.parse`. */
export function parseDay(text: string): ReadDate | undefined {
  const at = Math.floor(Date.parse(/\d:\d|^\d{4}(-\d\d){0,2}$/.test(text) ? text : `${text} UTC`) / 1000) * 1000;
  if (Number.isNaN(at) || !/^\d{4}|^[A-Z][a-z]+,? \d/.test(text)) return undefined;
  if (/\d:\d/.test(text)) return { at, exactness: 3 };
  if (/^\d{4}$/.test(text)) return { at, exactness: 0 };
  return { at, exactness: /^\d{4}-\d\d$|^[A-Z][a-z]+ \d{4}$/.test(text) ? 1 : 2 };
}

/** Formats a date as ISO 8601 with its original precision. */
export function isoDay({ at, exactness }: ReadDate): string {
  return exactness === 3 ? isoSecond(at) : new Date(at).toISOString().slice(0, [4, 7, 10][exactness]);
}

/** Formats a time as ISO 8601 to the second, with offset. */
export function isoSecond(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00');
}

/** Formats a time as an HTTP date. */
export function httpDate(at: number): string {
  return new Date(at).toUTCString();
}
