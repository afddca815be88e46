import { findRegistrableDomain } from '../identifiers/host-name.js';
import { areSameKey } from '../identifiers/key-id.js';
import { formatIpRange } from '../identifiers/format-ip-range.js';
import { isNumberFoundBy } from '../identifiers/phone-number.js';
import { toleratedErrors } from './text/tolerated-typing-errors.js';
import { TypingErrorTable } from './text/typing-error-table.js';
import { differInLetters, letterBits } from './index/letter-bits.js';
import { listIdentifiers } from './index/record-identifiers.js';
import type { Identifier } from './index/record-identifiers.js';
import type { SearchedProperty } from './index/field-texts.js';
import {
  CODE_LENGTH,
  SINGULAR_WEIGHT,
  weightOfBeginning,
  weightOfErrors,
  weightsOfFields,
  weightsOfNames,
  weightsOfShortNames,
} from './ranking/scores.js';
import type { FieldWeights } from './ranking/scores.js';
import type { SearchRequest } from './text/search-request.js';
import { WORD_FIELDS, isNameField, listCountryCodes } from './index/terms.js';
import { listJoinedSpellings, listWords, singularOf } from './text/words.js';

/**
 * What in a record matched a search (decisions 2.40):
 *
 * - `name`: a complete name
 * - `word`, `beginning`, `spelling`: a word; one that begins with the searched one; one that differs by typing errors
 *   or is its singular
 * - `host`, `e-mail`, `telephone`, `key`, `as-number`, `ip-range`: an identifier
 */
export const HIT_KINDS = [
  ...(['name', 'word', 'beginning', 'spelling'] as const),
  ...(['host', 'e-mail', 'telephone', 'key', 'as-number', 'ip-range'] as const),
] as const;

export type HitKind = (typeof HIT_KINDS)[number];

export interface HitReason {
  readonly kind: HitKind;
  readonly property: string;
  /** A name as written, else the word or identifier as compared; an IP range as prefix, if it is one. */
  readonly text: string;
}

/**
 * For each word or identifier the best reason. Yields between pieces of work of some milliseconds at most, because a
 * hostile record has many words.
 */
export function* findHitReasons(
  properties: readonly SearchedProperty[],
  request: SearchRequest,
  searchesKeys: boolean,
): Generator<undefined, readonly HitReason[], undefined> {
  const names = yield* findNames(properties, request);
  const identifiers = yield* findSharedIdentifiers(properties, request, searchesKeys);
  if (names.length > 0 || identifiers.length > 0) return [...names, ...identifiers];
  const texts: WordTexts[] = [];
  for (const property of properties) texts.push(...(yield* listWordTexts(property)));
  return uniqueReasons(yield* findWordReasons(texts, request));
}

function* findNames(
  properties: readonly SearchedProperty[],
  { joinedSpellings }: SearchRequest,
): Generator<undefined, readonly HitReason[], undefined> {
  const names: HitReason[] = [];
  for (const { name, field, items } of properties) {
    if (field !== 'short-name' && field !== 'official-name') continue;
    for (const text of items) {
      if (listJoinedSpellings(text).some((spelling) => joinedSpellings.includes(spelling)))
        names.push({ kind: 'name', property: name, text });
      yield;
    }
  }
  return names;
}

function* findSharedIdentifiers(
  properties: readonly SearchedProperty[],
  request: SearchRequest,
  searchesKeys: boolean,
): Generator<undefined, readonly HitReason[], undefined> {
  const { host, email, phone, key, asNumber, ipRange } = request;
  if ([host, email, phone, key, asNumber, ipRange].every((searched) => searched === undefined)) return [];
  const registrable = host === undefined ? undefined : findRegistrableDomain(host);
  const reasons = new Map<string, HitReason>();
  for (const { name, field, items } of properties)
    for (const item of searchesKeys || field !== 'key' ? items : []) {
      for (const identifier of listIdentifiers(field, item)) {
        if (!isShared(identifier, request, registrable)) continue;
        const text = describeIdentifier(identifier, request);
        const reason: HitReason = { kind: KINDS[identifier.kind], property: name, text };
        reasons.set(JSON.stringify(reason), reason);
        if (reasons.size === MAX_REASONS) return [...reasons.values()];
      }
      yield;
    }
  return [...reasons.values()];
}

const MAX_REASONS = 10;

/** Of a key, what both have in common: a scope without keys shows no more than was searched. */
function describeIdentifier({ kind, value }: Identifier, { key = '' }: SearchRequest): string {
  if (kind === 'ip-range') return formatIpRange(value);
  return kind === 'key' && key.length < value.length ? key : String(value);
}

const KINDS: Readonly<Record<Identifier['kind'], HitKind>> = {
  host: 'host',
  email: 'e-mail',
  phone: 'telephone',
  key: 'key',
  'as-number': 'as-number',
  'ip-range': 'ip-range',
};

function isShared(identifier: Identifier, request: SearchRequest, registrable: string | undefined): boolean {
  switch (identifier.kind) {
    case 'host':
      return (
        request.host !== undefined &&
        (isAtOrBelow(identifier.value, registrable ?? request.host) || isAtOrBelow(request.host, identifier.value))
      );
    case 'email':
      return identifier.value === request.email;
    case 'phone':
      return request.phone !== undefined && isNumberFoundBy(identifier.value, request.phone);
    case 'key':
      return request.key !== undefined && areSameKey(request.key, identifier.value);
    case 'as-number':
      return identifier.value === request.asNumber;
    case 'ip-range': {
      const { ipRange } = request;
      return ipRange !== undefined && identifier.value.first <= ipRange.last && identifier.value.last >= ipRange.first;
    }
  }
}

/** Of host names as they are compared. */
export function isAtOrBelow(name: string, other: string): boolean {
  return `.${name}`.endsWith(`.${other}`);
}

interface WordTexts {
  readonly property: string;
  /** As a bit. */
  readonly fields: number;
  readonly words: readonly Word[];
  /** Words that are the code of a country. */
  readonly countries: ReadonlySet<string>;
}

function* listWordTexts({
  name,
  field,
  items,
}: SearchedProperty): Generator<undefined, readonly WordTexts[], undefined> {
  const position = WORD_FIELDS.findIndex((one) => one === field);
  if (position < 0) return [];
  const seen = new Set<string>();
  const words: Word[] = [];
  const countries = new Set<string>();
  for (const item of items) {
    if (field === 'place') for (const code of listCountryCodes(item)) countries.add(code);
    for (const word of listWordsOf(item, isNameField(field))) {
      if (seen.has(word)) continue;
      seen.add(word);
      words.push(readWord(word));
    }
    yield;
  }
  return [{ property: name, fields: 2 ** position, words, countries }];
}

/** The best match of each word, alone or joined with the next one. */
function* findWordReasons(
  texts: readonly WordTexts[],
  { words, wordSearch }: SearchRequest,
): Generator<undefined, readonly HitReason[], undefined> {
  const isExact = wordSearch !== 'all';
  const reasons: HitReason[] = [];
  for (const [at, { spellings, isOptional, isCode }] of words.entries()) {
    const next = isExact || isCode || words[at + 1]?.isCode === true ? undefined : words[at + 1]?.spellings;
    const [first] = spellings;
    const joined = next === undefined ? [] : [first + next[0]];
    const isWhole = isExact || isOptional;
    const begins = next !== undefined && Math.min(first.length, next[0].length) > CODE_LENGTH;
    const written: ComparedWord = {
      spellings: [...spellings, ...joined],
      beginnings: [...(isWhole ? [] : spellings.filter(({ length }) => length > 1)), ...(begins ? joined : [])],
      weights: wordSearch === 'exact-names' ? weightsOfNames : isCode ? weightsOfShortNames : weightsOfFields(first),
      singulars: isExact ? [] : spellings.flatMap((spelling) => singularOf(spelling) ?? []),
      compared: [],
      errors: 0,
    };
    const errors = isWhole ? 0 : Math.max(...spellings.map(toleratedErrors));
    const reason =
      (yield* findBestWord(texts, written)) ??
      (isCode ? findCountry(texts, first) : undefined) ??
      (errors > 0
        ? yield* findBestWord(texts, { ...written, compared: spellings.map(readSpelling), errors })
        : undefined);
    if (reason !== undefined) reasons.push(reason);
  }
  return reasons;
}

function findCountry(texts: readonly WordTexts[], code: string): HitReason | undefined {
  const found = texts.find(({ countries }) => countries.has(code));
  return found && { kind: 'word', property: found.property, text: code };
}

/** Compared without a pause: some milliseconds of work. */
const WORDS_PER_STEP = 2_048;

function* findBestWord(
  texts: readonly WordTexts[],
  searched: ComparedWord,
): Generator<undefined, HitReason | undefined, undefined> {
  let best: (HitReason & { readonly weight: number }) | undefined;
  for (const { property, fields, words } of texts) {
    const weight = searched.weights[fields] ?? 0;
    for (const [at, word] of words.entries()) {
      if (at % WORDS_PER_STEP === 0) yield;
      const least = (best?.weight ?? 0) / weight;
      if (weight === 0 || least >= 1) break;
      const match = matchWord(word, searched, least);
      if (match !== undefined) best = { kind: match.kind, property, text: word.text, weight: match.weight * weight };
    }
  }
  return best && { kind: best.kind, property: best.property, text: best.text };
}

function listWordsOf(item: string, isName: boolean): readonly string[] {
  const words = listWords(item);
  const pairs = isName ? words.slice(1).map(([word], at) => (words[at]?.[0] ?? '') + word) : [];
  return [...words.flat(), ...pairs];
}

interface ComparedWord {
  readonly spellings: readonly string[];
  readonly beginnings: readonly string[];
  readonly singulars: readonly string[];
  readonly weights: FieldWeights;
  readonly compared: readonly ComparedSpelling[];
  readonly errors: number;
}

/** Undefined where the word does not match, or with a weight of no more than `least`. */
function matchWord(
  { text, units, letters }: Word,
  { spellings, beginnings, singulars, compared, errors }: ComparedWord,
  least: number,
): { readonly kind: HitKind; readonly weight: number } | undefined {
  if (spellings.includes(text)) return { kind: 'word', weight: 1 };
  const begun = beginnings.find((spelling) => text.startsWith(spelling));
  if (begun !== undefined) {
    const weight = weightOfBeginning(begun.length, text.length);
    return weight > least ? { kind: 'beginning', weight } : undefined;
  }
  if (SINGULAR_WEIGHT > least && singulars.includes(text)) return { kind: 'spelling', weight: SINGULAR_WEIGHT };
  if (errors === 0 || weightOfErrors(1) <= least) return undefined;
  const found = Math.min(...compared.map((spelling) => countErrors(spelling, units, letters)));
  return found <= errors && weightOfErrors(found) > least
    ? { kind: 'spelling', weight: weightOfErrors(found) }
    : undefined;
}

/** Infinity for more errors than are tolerated in the spelling. */
function countErrors({ length, letters, most, table }: ComparedSpelling, units: Uint16Array, others: number): number {
  if (Math.abs(length - units.length) > most || differInLetters(letters, others, most)) return Infinity;
  for (let at = 0; at < units.length; at += 1) if (table.setUnit(at, units[at] ?? 0) > most) return Infinity;
  table.length = units.length;
  return table.errors <= most ? table.errors : Infinity;
}

/** A searched spelling, and what other words are compared by. */
interface ComparedSpelling {
  readonly length: number;
  readonly letters: number;
  readonly most: number;
  readonly table: TypingErrorTable;
}

function readSpelling(spelling: string): ComparedSpelling {
  const { letters } = readWord(spelling);
  const most = toleratedErrors(spelling);
  return { length: spelling.length, letters, most, table: new TypingErrorTable(spelling, most) };
}

interface Word {
  readonly text: string;
  readonly units: Uint16Array;
  readonly letters: number;
}

function readWord(text: string): Word {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return { text, units, letters: letterBits(units) };
}

function uniqueReasons(reasons: readonly HitReason[]): readonly HitReason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}
