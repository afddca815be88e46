import type { SampleRecord } from './json-response.js';
import { httpDateSeconds } from './date-parsing.js';

/** NFKD does not decompose these, and lower-casing writes the final sigma by its place in a word. */
const specialLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  ß: 'ss',
  æ: 'ae',
  đ: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

const nonFilterParameters: ReadonlySet<string> = new Set(['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty']);

/** Folds case and diacritics (decisions 2.24). */
export function foldForComparison(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[øłßæđþıς]/g, (letter) => specialLetters[letter] ?? letter);
}

/** `q`, `team`, `country`, and properties by name. */
export function matchesTeamQuery(team: SampleRecord, query: URLSearchParams): boolean {
  return [...query].every(([name, value]) => {
    if (nonFilterParameters.has(name)) return true;
    if (name === 'q') return containsWords(searchableTexts(team), value);
    if (name === 'team') return containsWords(textValues(team, ['short-team-name', 'official-team-name']), value);
    const wanted = value.toLowerCase();
    if (name !== 'country') return textValues(team, [name]).some((text) => text.toLowerCase() === wanted);
    const codes = textValues(team, ['country-code', 'additional-country-code']);
    return codes.some((code) => wanted.split(',').includes(code.toLowerCase()));
  });
}

/**
 * Records without the property come last in both directions. A token that is the complete name of a property sorts
 * ascending by it, even if it begins with a hyphen (decisions 2.23).
 */
export function sortRecords(
  records: readonly SampleRecord[],
  sort: string,
  properties: ReadonlySet<string>,
): readonly SampleRecord[] {
  const keys = sort.split(',').map((token) => {
    const descending = token.startsWith('-') && !properties.has(token);
    return { name: descending ? token.slice(1) : token, sign: descending ? -1 : 1 };
  });
  const rows = records.map((record) => ({ record, values: keys.map(({ name }) => sortValue(record, name)) }));
  const compare = (left: string | undefined, right: string | undefined, sign: number): number => {
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? -sign : sign;
  };
  rows.sort((a, b) => keys.reduce((result, { sign }, at) => result || compare(a.values[at], b.values[at], sign), 0));
  return rows.map(({ record }) => record);
}

/**
 * Of the first value. Text is folded, then as written, which also orders ISO dates; numbers and HTTP dates become
 * padded digits.
 */
function sortValue(record: SampleRecord, name: string): string | undefined {
  const [value] = [record[name]].flat();
  if (typeof value === 'number') return padNumber(value);
  if (typeof value !== 'string') return undefined;
  const seconds = httpDateSeconds(value);
  return seconds === undefined ? `${foldForComparison(value)}\0${value}` : padNumber(seconds);
}

function padNumber(number: number): string {
  return String(number).padStart(16, '0');
}

function searchableTexts(team: SampleRecord): readonly string[] {
  return textValues(
    team,
    Object.keys(team).filter((name) => name !== 'last-modified'),
  );
}

/** Every word of `value` occurs in one of the texts, ignoring case and diacritics. */
export function containsWords(searched: readonly string[], value: string): boolean {
  const folded = searched.map(foldForComparison);
  const words = value.split(/\s+/).map(foldForComparison);
  return words.every((word) => folded.some((text) => text.includes(word)));
}

export function textValues(record: SampleRecord, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => record[name]).filter((value) => typeof value === 'string');
}
