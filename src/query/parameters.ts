import type { SortKey } from '../model/query.js';
import { countryCode, region, regionNames } from '../region/region.js';
import { fold } from '../text/fold.js';
import { nearest } from '../text/nearest.js';
import type { Draft } from './draft.js';
import { knowsProperty, knowsSourceName, listedProperties, namesProperty } from './vocabulary.js';
import type { Vocabulary } from './vocabulary.js';

/** One parameter: how its value (never empty) enters the query. What it returns is the message of an error. */
export interface Parameter {
  readonly name: string;
  readonly enter: (value: string, draft: Draft, vocabulary: Vocabulary) => string | undefined;
}

/** The parameters of `GET /teams` on the directory interface, beside the property filters (interfaces.md, sections 1 and 4.1). */
export const directoryParameters: readonly Parameter[] = [
  { name: 'fields', enter: enterFields },
  { name: 'limit', enter: (value, draft) => enterNumber(value, (limit) => (draft.limit = limit)) },
  { name: 'offset', enter: (value, draft) => enterNumber(value, (offset) => (draft.offset = offset)) },
  { name: 'sort', enter: enterSort },
  { name: 'envelope', enter: (value, draft) => enterBoolean(value, (envelope) => (draft.envelope = envelope)) },
  { name: 'pretty', enter: (value, draft) => enterBoolean(value, (pretty) => (draft.pretty = pretty)) },
  { name: 'callback', enter: enterCallback },
  { name: 'team', enter: (value, draft, { resource }) => enterWords('team', value, draft, resource.team) },
  { name: 'country', enter: enterCountry },
  { name: 'region', enter: enterRegion },
  { name: 'q', enter: (value, draft) => enterWords('q', value, draft) },
];

/** The filter on a property: exact, case- and diacritic-insensitive (decisions.md, section 2). */
export function enterFilter(property: string, value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const { resource, sourceNames } = vocabulary;
  if (property === resource.lastModified) return 'is the one property that is no filter';
  if (property === resource.sourceName && !knowsSourceName(vocabulary, value)) {
    return `names no registered source; the source-names are ${quoted(sourceNames)}`;
  }
  const folded = fold(value);
  draft.where.push({ kind: 'equals', property, value: folded });
  draft.canonical.set(property, folded);
  return undefined;
}

function enterFields(value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const fields = [...new Set(value.split(',').map((name) => name.trim()))];
  const unknown = fields.find((name) => !knowsProperty(vocabulary, name));
  if (unknown !== undefined) return unknownProperty(unknown, vocabulary);
  draft.fields = fields;
  return undefined;
}

function enterSort(value: string, draft: Draft, vocabulary: Vocabulary): string | undefined {
  const keys = new Map<string, SortKey>();
  for (const token of value.split(',').map((name) => name.trim())) {
    const key = sortKey(token, vocabulary);
    if (key === undefined) return unknownProperty(token.replace(/^-/, ''), vocabulary);
    if (!keys.has(key.property)) keys.set(key.property, key);
  }
  draft.order = [...keys.values()];
  return undefined;
}

/**
 * A token that is a property's whole name sorts ascending by it, also when the name begins with `-` (decisions.md, section 2). Where an
 * aggregate is registered, almost any such name may be one; `-last-modified` descends all the same, for `last-modified` is known for certain.
 */
function sortKey(token: string, vocabulary: Vocabulary): SortKey | undefined {
  const property = token.slice(1);
  const descending = token.startsWith('-') && !namesProperty(vocabulary, token) && knowsProperty(vocabulary, property);
  if (descending) return { property, descending };
  return knowsProperty(vocabulary, token) ? { property: token, descending } : undefined;
}

function unknownProperty(name: string, vocabulary: Vocabulary): string {
  const hint = nearest(name, listedProperties(vocabulary));
  return `names the unknown property ${quote(name)}${hint === undefined ? '' : `; the nearest known one is ${quote(hint)}`}`;
}

function enterNumber(value: string, set: (number: number) => void): string | undefined {
  if (!/^\d+$/.test(value)) return 'must be a whole number of at least 0';
  set(Math.min(Number(value), Number.MAX_SAFE_INTEGER));
  return undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function enterBoolean(value: string, set: (boolean: boolean) => void): string | undefined {
  const boolean = BOOLEANS.get(value);
  if (boolean === undefined) return 'must be true, false, 0 or 1';
  set(boolean);
  return undefined;
}

function enterCallback(value: string, draft: Draft): string | undefined {
  if (!/^[A-Za-z0-9]{1,64}$/.test(value)) return 'must be 1 to 64 letters and digits';
  draft.callback = value;
  return undefined;
}

function enterWords(name: string, value: string, draft: Draft, properties?: readonly string[]): undefined {
  // Folded first, for folding can make spaces (of U+00A8, say), and a word holds none.
  const words = [...new Set(fold(value).split(/\s+/))].filter((word) => word !== '').sort();
  if (words.length === 0) return;
  draft.where.push({ kind: 'words', words, ...(properties && { properties }) });
  draft.canonical.set(name, words.join(' '));
}

function enterCountry(value: string, draft: Draft, { resource }: Vocabulary): string | undefined {
  const codes = new Set<string>();
  for (const item of value.split(',').map((code) => code.trim())) {
    const code = countryCode(item);
    if (code === undefined)
      return `names the unknown country code ${quote(item)}; codes are those of ISO 3166-1 alpha-2`;
    codes.add(code);
  }
  draft.where.push({ kind: 'countries', properties: resource.countries, codes });
  draft.canonical.set('country', [...codes].sort().join(','));
  return undefined;
}

function enterRegion(value: string, draft: Draft, { resource }: Vocabulary): string | undefined {
  const found = region(value);
  if (found === undefined)
    return `names an unknown region; the regions are ${quoted(regionNames)}, or their UN M49 codes`;
  draft.where.push({ kind: 'countries', properties: resource.countries, codes: found.countries });
  draft.canonical.set('region', found.code);
  return undefined;
}

/** What a client sent, shortened, as a message may repeat it. */
function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

function quoted(names: readonly string[]): string {
  return names.map(quote).join(', ');
}
