import type { SampleRecord } from './json-response.js';
import { httpDateSeconds } from './date-parsing.js';

/** What NFKD leaves whole, and the final sigma, which lower-casing chooses by its place. */
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

/** Parameters that are no filters on a property of their own name. */
const nonFilterParameters: ReadonlySet<string> = new Set(['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty']);

/** Case and diacritics taken off, for search and order (decisions.md, section 2). */
export function foldForComparison(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[øłßæđþıς]/g, (letter) => specialLetters[letter] ?? letter);
}

/** Whether a team meets every filter of a query: q, team, country, and properties by their names. */
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
 * Records in the order of a sort parameter; those without a property come last either way.
 * A token that is a property's whole name sorts upwards by it, even when it begins with a hyphen.
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
  rows.sort((a, b) => keys.reduce((so, { sign }, at) => so || compare(a.values[at], b.values[at], sign), 0));
  return rows.map(({ record }) => record);
}

/** The first value of a property, folded, then as it is: ISO dates order themselves that way; numbers and HTTP dates in digits. */
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

/** Whether every word of a value occurs in one of the texts, whatever the case and the diacritics. */
export function containsWords(searched: readonly string[], value: string): boolean {
  const folded = searched.map(foldForComparison);
  const words = value.split(/\s+/).map(foldForComparison);
  return words.every((word) => folded.some((text) => text.includes(word)));
}

/** The texts of some properties, the items of lists one by one. */
export function textValues(record: SampleRecord, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => record[name]).filter((value) => typeof value === 'string');
}
