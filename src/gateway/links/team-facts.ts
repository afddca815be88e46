import { toItems } from '../../model/property-value.js';
import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { createPropertyReader } from '../../records/sort-and-search-columns.js';
import { parseCountryCode } from '../../region/country.js';
import { foldText } from '../../text/text-folding.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findRegistrableDomain } from '../../identifiers/host-name.js';
import { parseFingerprint, splitKeyIds } from '../../identifiers/key-id.js';

/** Facts of one kind that are read from a record. A hostile record may have thousands. */
const MAX_ITEMS = 20;

/** Of a name that is compared, in characters. */
const MAX_LENGTH = 320;

const read = (name: string): ((record: StoredRecord) => readonly string[]) => {
  const readValue = createPropertyReader(directoryTeams, name);
  return (record) => toItems(readValue(record)).slice(0, MAX_ITEMS).map(String);
};

const readShortName = read('short-team-name');
const readOfficialName = read('official-team-name');
const readEmail = read('email');
const readWebsites = read('website');
const readKeys = read('enckeys');
const readCountry = read('country-code');
const readSourceName = read('source-name');

/** Placeholders such as forty zeros. */
const REPEATED_DIGIT = /^(.)\1*$/;

/** Complete fingerprints in capitals. Shorter key ids may be those of several keys. */
export function readFingerprints(record: StoredRecord): readonly string[] {
  const fingerprints = listKeys(readKeys(record)).flatMap((key) => parseFingerprint(key) ?? []);
  return [...new Set(fingerprints)].filter((fingerprint) => !REPEATED_DIGIT.test(fingerprint));
}

/** As the team states them. A source may write several keys into one text. */
export function listKeys(items: readonly string[]): readonly string[] {
  return items.flatMap(splitKeyIds).slice(0, MAX_ITEMS);
}

/** In lower case. A source may write several into one property. */
export function readAddresses(record: StoredRecord): readonly string[] {
  const addresses = readEmail(record).flatMap((text) => findEmailAddresses(text, MAX_ITEMS));
  return [...new Set(addresses.slice(0, MAX_ITEMS))];
}

/** Registrable domains of e-mail addresses and websites. */
export function readDomains(record: StoredRecord): readonly string[] {
  const hosts = [
    ...readAddresses(record).map((address) => address.slice(address.indexOf('@') + 1)),
    ...readWebsites(record),
  ];
  return [...new Set(hosts.flatMap((host) => findRegistrableDomain(host) ?? []))];
}

/** Undefined: the team does not have the name, or it is too long. */
export interface FoldedNames {
  readonly short: string | undefined;
  readonly official: string | undefined;
}

/** As they are compared (decisions 2.38). */
export function readFoldedNames(record: StoredRecord): FoldedNames {
  return { short: foldName(readShortName(record)[0]), official: foldName(readOfficialName(record)[0]) };
}

function foldName(name: string | undefined): string | undefined {
  return name === undefined || name.length > MAX_LENGTH ? undefined : foldWords(name);
}

/** Letters that folding leaves as they are, and that are written otherwise where a keyboard lacks them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ð: 'd', œ: 'oe', ħ: 'h', ŧ: 't', ŋ: 'n' };
const UNFOLDED_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/** Undefined for a text without any letter or digit. */
export function foldWords(text: string): string | undefined {
  const plain = foldText(text).replace(UNFOLDED_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter);
  return plain.match(/[\p{L}\p{N}]+/gu)?.join(' ');
}

/** The short name, else the official one, as it is written. */
export function readDisplayedName(record: StoredRecord): string {
  return readShortName(record)[0] ?? readOfficialName(record)[0] ?? '';
}

/** Folded names of hundreds of teams. Equal ones are no sign of one team. */
const GENERIC_NAME =
  /^(?:the |national |gov |government |it |information |cyber |computer |product |corporate |group )*(?:cert|csirt|cirt|irt|isirt|psirt|csoc|soc|noc|security|infosec|abuse|security team|(?:emergency|incident|security incident) response(?: team)?|emergency readiness team|security operations cent(?:er|re))$/;

/** The names that both have are equal, and one of these is not generic. */
export function haveEqualNames(a: FoldedNames, b: FoldedNames): boolean {
  const comparable = [
    [a.short, b.short],
    [a.official, b.official],
  ].filter(([one, other]) => one !== undefined && other !== undefined);
  return (
    comparable.every(([one, other]) => one === other) &&
    comparable.some(([one]) => one !== undefined && !isGenericName(one))
  );
}

export function haveAllNames(a: FoldedNames, b: FoldedNames): boolean {
  return [a.short, a.official, b.short, b.official].every((name) => name !== undefined);
}

export function isGenericName(name: string): boolean {
  return GENERIC_NAME.test(name);
}

/** Many a repository leaves these words out of a name. */
const KIND_WORD = /^(?:cert|csirt|cirt|irt|isirt|psirt|csoc|soc|noc)$/;

/** Some name is equal and not generic, or would be if one of the two did not state the kind of the team. */
export function shareName(a: FoldedNames, b: FoldedNames): boolean {
  const isShared = (one: string | undefined, other: string | undefined): boolean =>
    one !== undefined &&
    other !== undefined &&
    !isGenericName(one) &&
    !isGenericName(other) &&
    (one === other || withoutKind(one) === other || one === withoutKind(other));
  return isShared(a.short, b.short) || isShared(a.official, b.official);
}

function withoutKind(name: string): string {
  return name
    .split(' ')
    .filter((word) => !KIND_WORD.test(word))
    .join(' ');
}

/** Both state their own country, and not the same one. */
export function haveDifferentCountries(a: StoredRecord, b: StoredRecord): boolean {
  const [one, other] = [findCountry(a), findCountry(b)];
  return one !== undefined && other !== undefined && one !== other;
}

export function haveSameCountry(a: StoredRecord, b: StoredRecord): boolean {
  const country = findCountry(a);
  return country !== undefined && country === findCountry(b);
}

function findCountry(record: StoredRecord): string | undefined {
  return parseCountryCode(readCountry(record)[0] ?? '');
}

/** The source and, behind an aggregate, the source-name (decisions 4.11). */
export function identifyRepository(record: StoredRecord): string {
  return `${record.id.slice(0, record.id.indexOf('.'))} ${foldText(readSourceName(record)[0] ?? '')}`;
}
