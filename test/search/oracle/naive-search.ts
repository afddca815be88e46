import { naiveTypingErrors } from '../../support/naive-typing-errors.js';
import type { TeamInput } from '../../support/unit/team-record-set.js';
import { fold } from '../../oracle/model/text.js';

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

const COUNTRIES: Readonly<Record<string, string>> = {
  NO: 'NO Norway Norge Noreg',
  SE: 'SE Sweden Sverige',
  JP: 'JP Japan 日本',
};
const NAMES = ['short-team-name', 'official-team-name', 'host'];
const DIGITS_ONLY = ['phone-numbers', 'enckeys'];
const FILLERS = (
  'a an and at by for from in of on or the to with da das de del den der des di die do dos du e el en et ' +
  'fur i la las le les los og och pour und van von y za'
).split(' ');

const TEAM_KINDS =
  'cert csirt cirt sirt psirt soc team computer cyber emergency incident readiness response security'.split(' ');

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

/**
 * Whether a record has a word, where `hasErrors` with typing errors. A word of one character begins no other word, nor do two
 * neighbours that are written as one, if one of them has only one or two characters. The plural of a word of four letters or
 * more is the word, too.
 */
function hasWord(
  words: ReadonlySet<string>,
  searched: string,
  {
    neighbours,
    hasErrors,
    isOptional,
  }: {
    readonly neighbours: readonly (readonly [string, string])[];
    readonly hasErrors: boolean;
    readonly isOptional: boolean;
  },
): boolean {
  const joined = neighbours.map(([one, other]) => ({
    text: fold(one) + fold(other),
    isWhole: Math.min(fold(one).length, fold(other).length) <= 2,
  }));
  const written = [
    ...spellings(searched).map((text) => ({ text, isWhole: isOptional || text.length === 1 })),
    ...joined,
  ];
  return [...words].some(
    (word) =>
      spellings(searched).some((text) => text === `${word}s` && /^\p{L}{4,}s$/u.test(text) && !text.endsWith('ss')) ||
      written.some(({ text, isWhole }) => (isWhole ? word === text : word.startsWith(text))) ||
      (hasErrors && spellings(searched).some((one) => naiveTypingErrors(one, word) <= errorsIn(one))),
  );
}

function errorsIn(spelling: string): number {
  if (/\d/.test(spelling) || spelling.length < 4) return 0;
  return spelling.length < 8 ? 1 : 2;
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
  if (digits.length >= 9 && searched.length >= 9 && digits.slice(-9) === searched.slice(-9)) return 'end';
  const [short, long] = [digits, searched].sort((a, b) => a.length - b.length) as [string, string];
  if (short.length >= 7 && long.endsWith(short)) return 'end';
  return searched.length >= 5 && digits.startsWith(searched) ? 'start' : undefined;
}

/** The generated IP ranges of a record are items of the constituency: `10.a.b.c/n`, `10.a.b.c - 10.d.e.f`. */
export function rangesOf(record: TeamInput): readonly (readonly [number, number])[] {
  return items(record, 'constituency').flatMap((item) => {
    const [, from, length = '32', to] = /^(\d+\.\d+\.\d+\.\d+)(?:\/(\d+)| - (\d+\.\d+\.\d+\.\d+))?$/.exec(item) ?? [];
    if (from === undefined) return [];
    const first = addressNumber(from);
    return [[first, to === undefined ? first + 2 ** (32 - Number(length)) - 1 : addressNumber(to)] as const];
  });
}

/** An IPv4 address as a number. */
export function addressNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
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
export function searchNaively(records: readonly TeamInput[], search: GeneratedSearch): NaiveHits {
  const { text, identifier } = search;
  const positions = [...records.keys()];
  const select = (matches: (record: TeamInput) => boolean): readonly number[] =>
    positions.filter((at) => records[at] !== undefined && matches(records[at]));
  const shortNames = select((record) => hasName(record, 'short-team-name', text));
  const officialNames = select((record) => hasName(record, 'official-team-name', text));
  const identified = identifier === undefined ? [] : select((record) => isIdentified(record, identifier));
  const found = identified.length > 0 ? identified : findWords(records, search);
  return {
    all: [...new Set([...shortNames, ...officialNames, ...found])].sort((a, b) => a - b),
    shortNames,
    officialNames,
    identified,
  };
}

/** How words are searched where no record has the identifier. */
const WORD_SEARCHES: Readonly<Record<SearchedIdentifier['kind'], 'none' | 'exact-names' | 'whole-words' | 'all'>> = {
  host: 'exact-names',
  telephone: 'whole-words',
  key: 'whole-words',
  'as-number': 'none',
  'ip-range': 'none',
};

function findWords(records: readonly TeamInput[], { text, identifier }: GeneratedSearch): readonly number[] {
  const all = split(identifier?.kind === 'host' ? identifier.host : text);
  const mode = identifier === undefined ? 'all' : WORD_SEARCHES[identifier.kind];
  const isPlain =
    identifier !== undefined &&
    ((identifier.kind === 'telephone' && /^\d+$/.test(text.trim())) ||
      (identifier.kind === 'key' && !/\d/.test(identifier.digits)));
  if (mode === 'none') return [];
  const positions = [...records.keys()];
  const known = records.map((record) => wordsOf(record));
  if (mode === 'exact-names' || (mode === 'whole-words' && !isPlain)) {
    const names = mode === 'exact-names' ? records.map((record) => namesOf(record)) : known;
    return positions.filter((at) => all.every((word) => spellings(word).some((one) => names[at]?.has(one) === true)));
  }
  const isArticle = all.map((word) => FILLERS.includes(fold(word)));
  const isKind = all.map((word) => [fold(word), fold(word).replace(/s$/, '')].some((one) => TEAM_KINDS.includes(one)));
  const hasOthers = all.some((_, at) => isArticle[at] === false && isKind[at] === false);
  const isOptional = all.map((_, at) =>
    isArticle[at] === true ? !isArticle.every((one) => one) : isKind[at] === true && hasOthers,
  );
  const match = (tolerant: readonly boolean[]): readonly (readonly boolean[])[] =>
    records.map((_, record) =>
      all.map((word, at) => {
        const pairs = [all.slice(Math.max(0, at - 1), at + 1), all.slice(at, at + 2)].filter((one) => one.length === 2);
        const neighbours = pairs as [string, string][];
        return hasWord(known[record] ?? new Set(), word, {
          neighbours,
          hasErrors: tolerant[at] ?? false,
          isOptional: isOptional[at] ?? false,
        });
      }),
    );
  const written = match(all.map(() => false));
  const unknown = all.map((_, at) => !written.some((ofRecord) => ofRecord[at] === true));
  const required = all.map((_, at) => at).filter((at) => isOptional[at] !== true);
  const withEvery = (matches: readonly (readonly boolean[])[]): readonly number[] =>
    positions.filter((record) => required.every((at) => matches[record]?.[at] === true));
  const first = match(unknown);
  if (withEvery(first).length > 0) return withEvery(first);
  const count = (at: number): number => first.filter((ofRecord) => ofRecord[at] === true).length;
  const importance = (at: number): number => Math.log(1 + records.length / Math.max(1, count(at)));
  const sum = (positionsOfWords: readonly number[]): number =>
    positionsOfWords.reduce((total, at) => total + importance(at), 0);
  const important = positions.filter((record) => {
    const had = required.filter((at) => first[record]?.[at] === true);
    return (
      had.some((at) => count(at) <= Math.sqrt(records.length) && !/^\d+$/.test(all[at] ?? '')) ||
      (had.length > 0 && 3 * sum(had) >= sum(required))
    );
  });
  return [...new Set([...withEvery(match(all.map(() => true))), ...important])].sort((a, b) => a - b);
}

/** The words of the names of a record, without neighbours. */
function namesOf(record: TeamInput): ReadonlySet<string> {
  return new Set(
    NAMES.flatMap((property) => items(record, property).flatMap((item) => split(item).flatMap(spellings))),
  );
}
