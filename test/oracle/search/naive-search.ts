import { naiveTypingErrors } from '../../support/naive-typing-errors.js';
import type { TeamInput } from '../../support/team-record-set.js';
import { fold } from '../model/text.js';

/** Whether a text is an identifier, and what its identifier is. Generated queries state it, so that the model need not parse. */
export type SearchedIdentifier =
  | { readonly kind: 'host'; readonly host: string; readonly email?: string }
  | { readonly kind: 'telephone'; readonly digits: string }
  | { readonly kind: 'key'; readonly digits: string }
  | { readonly kind: 'as-number'; readonly number: number }
  | { readonly kind: 'ip-range'; readonly first: number; readonly last: number };

/** A searched text, and the identifier that it is. */
export interface GeneratedSearch {
  readonly text: string;
  readonly identifier?: SearchedIdentifier;
}

/** Which records a search finds, by their positions, and how (decisions 2.40). */
export interface NaiveHits {
  readonly all: readonly number[];
  readonly shortNames: readonly number[];
  readonly officialNames: readonly number[];
  readonly identified: readonly number[];
}

const COUNTRIES: Readonly<Record<string, string>> = { NO: 'NO Norway', SE: 'SE Sweden', JP: 'JP Japan' };
const NAMES = ['short-team-name', 'official-team-name', 'host'];
const DIGITS_ONLY = ['phone-numbers', 'enckeys'];
const FILLERS = ['a', 'of', 'the', 'de', 'for', 'und', 'e', 'en', 'et'];

function items(record: TeamInput, property: string): readonly string[] {
  const value = record[property];
  return value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(String);
}

const spellings = (text: string): readonly string[] => [
  ...new Set([fold(text), fold(text.toLowerCase().replaceAll('ü', 'ue').replaceAll('ø', 'oe'))]),
];

function split(text: string): readonly string[] {
  return text.normalize('NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** All words of a record in all spellings; of names also two neighbours as one word. */
function wordsOf(record: TeamInput): ReadonlySet<string> {
  const found = Object.keys(record)
    .filter((property) => property !== 'slug' && !DIGITS_ONLY.includes(property))
    .flatMap((property) =>
      items(record, property).flatMap((item) => {
        const words = split(property === 'country-code' ? (COUNTRIES[item] ?? item) : item);
        const pairs = NAMES.includes(property)
          ? words.slice(1).map((word, at) => fold(words[at] ?? '') + fold(word))
          : [];
        return [...words.flatMap(spellings), ...pairs];
      }),
    );
  return new Set(found);
}

function hasWord(
  words: ReadonlySet<string>,
  searched: string,
  neighbours: readonly (readonly [string, string])[],
): boolean {
  const folded = fold(searched);
  const errors = /^\d+$/.test(folded) || folded.length < 4 ? 0 : folded.length < 8 ? 1 : 2;
  const beginnings = [...spellings(searched), ...neighbours.map(([one, other]) => fold(one) + fold(other))];
  return [...words].some(
    (word) => beginnings.some((beginning) => word.startsWith(beginning)) || naiveTypingErrors(folded, word) <= errors,
  );
}

const letters = (text: string): readonly string[] => spellings(text).map((one) => split(one).join(''));

function hasName(record: TeamInput, property: string, text: string): boolean {
  return items(record, property).some((name) => letters(name).some((one) => one !== '' && letters(text).includes(one)));
}

/** The host names of a record: of websites, addresses and the constituency. */
export function hostsOf(record: TeamInput): readonly string[] {
  return [
    ...items(record, 'website').map((url) => new URL(url).hostname.replace(/^www\./, '')),
    ...items(record, 'email').map((address) => address.split('@')[1]?.toLowerCase() ?? ''),
    ...items(record, 'constituency').filter((item) => /(?:^|\.)example\.(?:org|net)$/.test(item)),
  ];
}

/** The number of labels that two host names have in common from the end. */
export function commonLabels(one: string, other: string): number {
  const [a, b] = [one.split('.').reverse(), other.split('.').reverse()];
  const different = a.findIndex((label, at) => label !== b[at]);
  return different < 0 ? a.length : different;
}

function areRelatedHosts(one: string, other: string): boolean {
  const common = commonLabels(one, other);
  const isAbove = common === Math.min(one.split('.').length, other.split('.').length);
  // All generated names below `org` and `net` have a registrable domain of two labels; `internal` is no public suffix.
  return isAbove || (common >= 2 && !one.endsWith('.internal'));
}

/** Digits without `+`, `00`, `(0)` and a leading zero. */
const digitsOf = (number: string): string => number.replace('(0)', '').replace(/\D/g, '').replace(/^0+/, '');

export function phoneMatch(number: string, searched: string): 'same' | 'end' | 'start' | undefined {
  const digits = digitsOf(number);
  if (digits === searched) return 'same';
  const [short, long] = [digits, searched].sort((a, b) => a.length - b.length) as [string, string];
  if (short.length >= 7 && long.endsWith(short)) return 'end';
  return searched.length >= 5 && digits.startsWith(searched) ? 'start' : undefined;
}

/** The generated IP ranges of a record: `10.a.b.c/n` and numbers of autonomous systems are items of the constituency. */
export function rangesOf(record: TeamInput): readonly (readonly [number, number])[] {
  return items(record, 'constituency').flatMap((item) => {
    const [, a, b, c, d, length] = /^(\d+)\.(\d+)\.(\d+)\.(\d+)(?:\/(\d+))?$/.exec(item) ?? [];
    if (a === undefined) return [];
    const size = 2 ** (32 - Number(length ?? 32));
    const first = ((Number(a) * 256 + Number(b)) * 256 + Number(c)) * 256 + Number(d);
    return [[first, first + size - 1] as const];
  });
}

export function isIdentified(record: TeamInput, identifier: SearchedIdentifier): boolean {
  switch (identifier.kind) {
    case 'host':
      return hostsOf(record).some((host) => areRelatedHosts(identifier.host, host));
    case 'telephone':
      return items(record, 'phone-numbers').some((number) => phoneMatch(number, identifier.digits) !== undefined);
    case 'key':
      return items(record, 'enckeys').some((key) => {
        const known = key.slice(2).toLowerCase();
        return known.endsWith(identifier.digits) || identifier.digits.endsWith(known);
      });
    case 'as-number':
      return items(record, 'constituency').includes(`AS${identifier.number}`);
    case 'ip-range':
      return rangesOf(record).some(([first, last]) => first <= identifier.last && last >= identifier.first);
  }
}

/** Finds the records of a search by definition. */
export function searchNaively(records: readonly TeamInput[], { text, identifier }: GeneratedSearch): NaiveHits {
  const positions = [...records.keys()];
  const select = (matches: (record: TeamInput) => boolean): readonly number[] =>
    positions.filter((at) => records[at] !== undefined && matches(records[at]));
  const shortNames = select((record) => hasName(record, 'short-team-name', text));
  const officialNames = select((record) => hasName(record, 'official-team-name', text));
  const identified = identifier === undefined ? [] : select((record) => isIdentified(record, identifier));
  const found = identified.length > 0 ? identified : findWords(records, text);
  return {
    all: [...new Set([...shortNames, ...officialNames, ...found])].sort((a, b) => a - b),
    shortNames,
    officialNames,
    identified,
  };
}

function findWords(records: readonly TeamInput[], text: string): readonly number[] {
  const all = split(text);
  const meaningful = all.filter((word) => !FILLERS.includes(fold(word)));
  const words = meaningful.length > 0 ? meaningful : all;
  const coverage = records.map((record) => {
    const known = wordsOf(record);
    return words.filter((word, at) => {
      const pairs = [words.slice(at - 1, at + 1), words.slice(at, at + 2)].filter((pair) => pair.length === 2);
      return hasWord(known, word, pairs as [string, string][]);
    }).length;
  });
  const most = Math.max(0, ...coverage);
  if (most === 0 || most < words.length / 2) return [];
  return [...records.keys()].filter((at) => coverage[at] === most);
}
