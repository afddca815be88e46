/** Letters that NFKD leaves whole (decisions.md, section 2); a final sigma is a sigma. */
const LETTERS = new Map(
  Array.from('øłßæđþıς', (letter, at) => [letter, ['o', 'l', 'ss', 'ae', 'd', 'th', 'i', 'σ'][at]]),
);

const folded = new Map<string, string>();

/** Folded text, remembered: the plain sort of the oracle asks for it again and again. */
export function fold(text: string): string {
  const known = folded.get(text) ?? byCharacter(text);
  folded.set(text, known);
  return known;
}

function byCharacter(text: string): string {
  const plain = Array.from(text.normalize('NFKD')).filter((character) => !/\p{M}/u.test(character));
  return plain.map((character) => LETTERS.get(character.toLowerCase()) ?? character.toLowerCase()).join('');
}

/** Code point by code point. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [pointsOf(a), pointsOf(b)];
  const at = left.findIndex((point, position) => point !== right[position]);
  if (at < 0) return left.length - right.length;
  return (left[at] ?? -1) - (right[at] ?? -1);
}

const points = new Map<string, readonly number[]>();

/** The code points of a text, remembered: a sort compares each text many times. */
function pointsOf(text: string): readonly number[] {
  const known = points.get(text) ?? Array.from(text, (character) => character.codePointAt(0) ?? 0);
  points.set(text, known);
  return known;
}

/** A date with its exactness: 0 for a year, 1 for a month, 2 for a day, 3 for a second. */
export interface ReadDate {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly exactness: 0 | 1 | 2 | 3;
}

/** Reads the dates that the generated records have, with the engine's own parser. */
export function parseDay(text: string): ReadDate | undefined {
  const at = Math.floor(Date.parse(/\d:\d|^\d{4}(-\d\d){0,2}$/.test(text) ? text : `${text} UTC`) / 1000) * 1000;
  if (Number.isNaN(at) || !/^\d{4}|^[A-Z][a-z]+,? \d/.test(text)) return undefined;
  if (/\d:\d/.test(text)) return { at, exactness: 3 };
  if (/^\d{4}$/.test(text)) return { at, exactness: 0 };
  return { at, exactness: /^\d{4}-\d\d$|^[A-Z][a-z]+ \d{4}$/.test(text) ? 1 : 2 };
}

/** As ISO 8601, as exact as it was. */
export function isoDay({ at, exactness }: ReadDate): string {
  return exactness === 3 ? isoSecond(at) : new Date(at).toISOString().slice(0, [4, 7, 10][exactness]);
}

/** To the second, with offset. */
export function isoSecond(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, '+00:00');
}

/** As HTTP writes it. */
export function httpDate(at: number): string {
  return new Date(at).toUTCString();
}
