import { findRegistrableDomain } from '../identifiers/host-name.js';
import { areSameKey } from '../identifiers/key-id.js';
import { countTypingErrors, toleratedErrors } from './text/edit-distance.js';
import { listIdentifiers } from './index/record-identifiers.js';
import type { Identifier } from './index/record-identifiers.js';
import type { SearchedProperty } from './index/field-texts.js';
import { weightOfBeginning, weightOfErrors, weightOfFields } from './ranking/scores.js';
import type { SearchRequest } from './text/search-request.js';
import { WORD_FIELDS, isNameField } from './index/terms.js';
import { listJoinedSpellings, listWords } from './text/words.js';
import type { Spellings } from './text/words.js';

/**
 * What in a record matched a search (decisions 2.40):
 *
 * - `name`: a complete name
 * - `word`, `beginning`, `spelling`: a word; one that begins with the searched one; one that differs by typing errors
 * - `host`, `e-mail`, `telephone`, `key`, `as-number`, `ip-range`: an identifier
 */
export const HIT_KINDS = [
  ...(['name', 'word', 'beginning', 'spelling'] as const),
  ...(['host', 'e-mail', 'telephone', 'key', 'as-number', 'ip-range'] as const),
] as const;

/** One of {@link HIT_KINDS}. */
export type HitKind = (typeof HIT_KINDS)[number];

/** One reason why a record is a hit. */
export interface HitReason {
  readonly kind: HitKind;
  /** Name of the property that matched. */
  readonly property: string;
  /** What matched: a name as it is written, else the word or identifier as it is compared. */
  readonly text: string;
}

/** Lists the reasons why a record with these properties is a hit: for each word or identifier the best one. */
export function listHitReasons(
  properties: readonly SearchedProperty[],
  request: SearchRequest,
  searchesKeys: boolean,
): readonly HitReason[] {
  const names = listNames(properties, request);
  const identifiers = listSharedIdentifiers(properties, request, searchesKeys);
  if (names.length > 0 || identifiers.length > 0) return [...names, ...identifiers];
  const words = request.words.flatMap((word, at) => findBestWord(properties, word, request.words[at + 1]) ?? []);
  return uniqueReasons(words);
}

function listNames(properties: readonly SearchedProperty[], { joinedSpellings }: SearchRequest): readonly HitReason[] {
  return properties
    .filter(({ field }) => field === 'short-name' || field === 'official-name')
    .flatMap(({ name, items }) =>
      items
        .filter((item) => listJoinedSpellings(item).some((spelling) => joinedSpellings.includes(spelling)))
        .map((text): HitReason => ({ kind: 'name', property: name, text })),
    );
}

function listSharedIdentifiers(
  properties: readonly SearchedProperty[],
  request: SearchRequest,
  searchesKeys: boolean,
): readonly HitReason[] {
  const registrable = request.host === undefined ? undefined : findRegistrableDomain(request.host);
  const found = properties
    .filter(({ field }) => searchesKeys || field !== 'key')
    .flatMap(({ name, field, items }) =>
      items.flatMap((item) =>
        listIdentifiers(field, item)
          .filter((identifier) => isShared(identifier, request, registrable))
          .map((identifier): HitReason => ({
            kind: KINDS[identifier.kind],
            property: name,
            text: identifier.kind === 'ip-range' ? item : String(identifier.value),
          })),
      ),
    );
  return uniqueReasons(found).slice(0, MAX_REASONS);
}

const MAX_REASONS = 10;

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
        (identifier.value === request.host || `.${identifier.value}`.endsWith(`.${registrable ?? request.host}`))
      );
    case 'email':
      return identifier.value === request.email;
    case 'phone':
      return request.phone !== undefined && areSameNumber(request.phone, identifier.value);
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

function areSameNumber(searched: string, found: string): boolean {
  return found.startsWith(searched) || found.endsWith(searched) || searched.endsWith(found);
}

interface WeighedReason extends HitReason {
  readonly weight: number;
}

/** The best match of a word, alone or written as one with the next word. */
function findBestWord(
  properties: readonly SearchedProperty[],
  spellings: Spellings,
  next: Spellings | undefined,
): HitReason | undefined {
  const errors = /^\d+$/.test(spellings[0]) ? 0 : toleratedErrors(spellings[0].length);
  let best: WeighedReason | undefined;
  for (const { name, field, items } of properties) {
    const position = WORD_FIELDS.findIndex((one) => one === field);
    if (position < 0) continue;
    const fieldWeight = weightOfFields[2 ** position] ?? 0;
    if (fieldWeight <= (best?.weight ?? 0)) continue;
    for (const text of listWordsOf(items, isNameField(field))) {
      const match = matchWord(text, next === undefined ? spellings : [...spellings, spellings[0] + next[0]], errors);
      if (match === undefined || match.weight * fieldWeight <= (best?.weight ?? 0)) continue;
      best = { kind: match.kind, property: name, text, weight: match.weight * fieldWeight };
    }
  }
  return best && { kind: best.kind, property: best.property, text: best.text };
}

function listWordsOf(items: readonly string[], isName: boolean): readonly string[] {
  return items.flatMap((item) => {
    const words = listWords(item);
    const pairs = isName ? words.slice(1).map(([word], at) => (words[at]?.[0] ?? '') + word) : [];
    return [...words.flat(), ...pairs];
  });
}

function matchWord(
  text: string,
  spellings: readonly string[],
  errors: number,
): { readonly kind: HitKind; readonly weight: number } | undefined {
  if (spellings.includes(text)) return { kind: 'word', weight: 1 };
  const begun = spellings.find((spelling) => text.startsWith(spelling));
  if (begun !== undefined) return { kind: 'beginning', weight: weightOfBeginning(begun.length, text.length) };
  const [word = ''] = spellings;
  if (Math.abs(word.length - text.length) > errors) return undefined;
  const found = countTypingErrors(toUnits(word), { units: toUnits(text), from: 0, length: text.length }, errors);
  return found > errors ? undefined : { kind: 'spelling', weight: weightOfErrors(found) };
}

function toUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}

function uniqueReasons(reasons: readonly HitReason[]): readonly HitReason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}
