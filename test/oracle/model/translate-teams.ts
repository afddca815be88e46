import { asList } from './read-value.js';
import type { DisplayedValue } from './read-value.js';
import { parseDay, isoSecond } from './text.js';

/** Properties by name, in output order. */
export type PropertyValues = ReadonlyMap<string, DisplayedValue>;

/** Properties with a name on both interfaces, as [directory, data] (decisions 4.14). */
export const SHARED_PROPERTIES = [
  ['short-team-name', 'team'],
  ['official-team-name', 'team-full'],
  ['postal-address', 'address'],
  ['country-code', 'country'],
  ['additional-country-code', 'country-other'],
  ['website', 'website'],
  ['email', 'email'],
  ['host', 'host'],
  ['establishment', 'establishment'],
  ['operating-hours', 'operating-hours'],
  ['constituency', 'constituency'],
  ['constituency-description', 'constituency-description'],
  ['source-name', 'source-name'],
] as const;

const DIRECTORY_ORDER = [
  ...['short-team-name', 'official-team-name', 'postal-address', 'country-code', 'additional-country-code', 'website'],
  ...['email', 'host', 'establishment', 'phone-numbers', 'enckeys', 'operating-hours', 'constituency'],
  ...['constituency-description', 'source-name'],
];
const DATA_ORDER = [
  ...['id', 'team', 'team-full', 'host', 'establishment', 'address', 'country', 'website', 'email', 'phone'],
  ...['operating-hours', 'constituency', 'constituency-description', 'source-name', 'country-other', 'membership'],
  ...['pgp-id', 'pgp-fingerprint'],
];

/** Translates a team of the data interface to the directory interface (decisions 4.14). */
export function toDirectoryTeam(team: PropertyValues, keys: PropertyValues, code: string): PropertyValues {
  const facts = new Map<string, DisplayedValue | undefined>(
    SHARED_PROPERTIES.map(([to, from]) => [to, team.get(from)]),
  );
  const [long, short] = [keyTexts(keys.get('pgp-fingerprint')), keyTexts(keys.get('pgp-id'))];
  const member = `-${code}-member-type`;
  facts.set('phone-numbers', nonEmpty(phonesOf(team)));
  facts.set('enckeys', nonEmpty((long.length > 0 ? long : short).map((one) => `0x${one}`)));
  facts.set(member, team.get('membership'));
  facts.set(
    'last-modified',
    redated(team.get('last-modified'), (at) => isoSecond(at)),
  );
  return inOrder(facts, [...DIRECTORY_ORDER, member, 'last-modified']);
}

/** Translates a team of the directory interface to the data interface, including PGP properties (decisions 4.14). */
export function toDataTeam(team: PropertyValues, id: string, code: string): PropertyValues {
  const facts = new Map<string, DisplayedValue | undefined>(
    SHARED_PROPERTIES.map(([from, to]) => [to, team.get(from)]),
  );
  const keys = asList(team.get('enckeys')).flatMap(keyTexts);
  const long = keys.filter((key) => isFingerprint(key));
  const short = keys.filter((key) => !isFingerprint(key)).map((key) => `0x${key}`);
  facts.set('id', id);
  facts.set('phone', team.get('phone-numbers'));
  facts.set('membership', team.get(`-${code}-member-type`));
  facts.set('pgp-id', nonEmpty(short)?.join(', '));
  facts.set('pgp-fingerprint', nonEmpty(long)?.join(', '));
  facts.set(
    'last-modified',
    redated(team.get('last-modified'), (at) => isoSecond(at).replace('T', ' ')),
  );
  return inOrder(facts, [...DATA_ORDER, 'last-modified']);
}

/** All telephone numbers of a data team in one list, without duplicates: emergency number, phone, fax with a mark (decisions 4.15). */
function phonesOf(team: PropertyValues): string[] {
  const emergency = asList(team.get('phone-emergency')).map(String);
  const faxes = asList(team.get('fax')).map((fax) => `${String(fax).replace(/\s*\(fax\)$/, '')} (fax)`);
  const same = (phone: string): string => `${phone.replace(/\D/g, '') || phone} ${String(phone.endsWith('(fax)'))}`;
  const further = (all: readonly string[], list: readonly string[]): string[] =>
    list.filter((one) => !all.some((phone) => same(phone) === same(one)));
  const numbers = [...emergency, ...further(emergency, asList(team.get('phone')).map(String))];
  return [...numbers, ...further(numbers, faxes)];
}

function keyTexts(value: DisplayedValue | undefined): string[] {
  const texts = value === undefined ? [] : String(value).split(',');
  return texts.map((key) => key.replace(/\s/g, '').replace(/^0x/i, '').toUpperCase()).filter(isKey);
}

/** Whether a text has hexadecimal digits only, and as many as key ids and fingerprints have (decisions 4.16). */
function isKey(key: string): boolean {
  return /^[0-9A-Fa-f]+$/.test(key) && [8, 16, 32, 40, 64].includes(key.length);
}

function isFingerprint(key: string): boolean {
  return key.length >= 40;
}

function redated(value: DisplayedValue | undefined, write: (at: number) => string): DisplayedValue | undefined {
  const date = value === undefined ? undefined : parseDay(String(value));
  return date === undefined ? value : write(date.at);
}

function nonEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function inOrder(facts: ReadonlyMap<string, DisplayedValue | undefined>, order: readonly string[]): PropertyValues {
  const shown = new Map<string, DisplayedValue>();
  for (const name of order) {
    const value = facts.get(name);
    if (value !== undefined) shown.set(name, value);
  }
  return shown;
}
