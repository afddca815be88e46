import type { Kept } from './answer.js';
import { httpSeconds } from './moment.js';

/** What NFKD leaves whole, and the final sigma, which lower-casing chooses by its place. */
const unfoldable: Readonly<Record<string, string>> = {
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
const control: ReadonlySet<string> = new Set(['fields', 'limit', 'offset', 'sort', 'envelope', 'pretty']);

/** Case and diacritics taken off, for search and order (decisions.md, section 2). */
export function fold(text: string): string {
  const bare = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return bare.replaceAll(/[øłßæđþıς]/g, (letter) => unfoldable[letter] ?? letter);
}

/** Whether a team meets every filter of a query: q, team, country, and properties by their names. */
export function meets(team: Kept, query: URLSearchParams): boolean {
  return [...query].every(([name, value]) => {
    if (control.has(name)) return true;
    if (name === 'q') return hasWords(everything(team), value);
    if (name === 'team') return hasWords(texts(team, ['short-team-name', 'official-team-name']), value);
    const wanted = value.toLowerCase();
    if (name !== 'country') return texts(team, [name]).some((text) => text.toLowerCase() === wanted);
    const codes = texts(team, ['country-code', 'additional-country-code']);
    return codes.some((code) => wanted.split(',').includes(code.toLowerCase()));
  });
}

/**
 * Records in the order of a sort parameter; those without a property come last either way.
 * A token that is a property's whole name sorts upwards by it, even when it begins with a hyphen.
 */
export function ordered(records: readonly Kept[], sort: string, properties: ReadonlySet<string>): readonly Kept[] {
  const keys = sort.split(',').map((token) => {
    const descending = token.startsWith('-') && !properties.has(token);
    return { name: descending ? token.slice(1) : token, sign: descending ? -1 : 1 };
  });
  const rows = records.map((record) => ({ record, values: keys.map(({ name }) => sortable(record, name)) }));
  const compare = (left: string | undefined, right: string | undefined, sign: number): number => {
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? -sign : sign;
  };
  rows.sort((a, b) => keys.reduce((so, { sign }, at) => so || compare(a.values[at], b.values[at], sign), 0));
  return rows.map(({ record }) => record);
}

/** The first value of a property, folded, then as it is: ISO dates order themselves that way; numbers and HTTP dates in digits. */
function sortable(record: Kept, name: string): string | undefined {
  const [value] = [record[name]].flat();
  if (typeof value === 'number') return digits(value);
  if (typeof value !== 'string') return undefined;
  const seconds = httpSeconds(value);
  return seconds === undefined ? `${fold(value)}\0${value}` : digits(seconds);
}

function digits(number: number): string {
  return String(number).padStart(16, '0');
}

function everything(team: Kept): readonly string[] {
  return texts(
    team,
    Object.keys(team).filter((name) => name !== 'last-modified'),
  );
}

/** Whether every word of a value occurs in one of the texts, whatever the case and the diacritics. */
export function hasWords(searched: readonly string[], value: string): boolean {
  const folded = searched.map(fold);
  const words = value.split(/\s+/).map(fold);
  return words.every((word) => folded.some((text) => text.includes(word)));
}

/** The texts of some properties, the items of lists one by one. */
export function texts(record: Kept, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => record[name]).filter((value) => typeof value === 'string');
}
