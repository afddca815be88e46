import { established, makeUpFingerprint, modified, phones } from './contacts.js';
import type { Country, Place } from './countries.js';
import { countries } from './countries.js';
import type { SeededRandom } from './seeded-random.js';
import { createSeededRandom } from './seeded-random.js';
import type { Kind } from './languages.js';
import { kinds, label, organisation, plain } from './languages.js';
import type { Entry, Names, Repository, Sector, Team } from './team.js';

/** Number of organisations of a country in addition to its national team: four, or five in every other country. */
const perCountry = [4, 5] as const;

const sectorOf: Readonly<Record<Kind, Sector>> = {
  university: 'education',
  bank: 'finance',
  port: 'transport',
  grid: 'energy',
  hospital: 'health',
  telecom: 'telecom',
};

/** Short names by kind; `{}` is replaced by the place. Names without it are shared by teams of several countries. */
const shortNames: Readonly<Record<Kind, readonly string[]>> = {
  university: ['CERT-{}', 'UniCERT {}', 'Campus CSIRT {}'],
  bank: ['{} FinCSIRT', 'BankCERT {}', 'Vault SOC'],
  port: ['PORT-CERT', 'Port-CERT {}', '{} Harbour CSIRT'],
  grid: ['{} Grid SOC', 'GridCERT {}', 'VOLT-CERT'],
  hospital: ['MedCSIRT {}', 'CLINIC-CERT', '{} Health CERT'],
  telecom: ['{}.NET-CERT', 'NOC-CERT {}', 'TELCO-CSIRT'],
};

const officialNames = [
  '{} Computer Security Incident Response Team',
  '{} Cyber Defence Centre',
  'Computer Emergency Response Team, {}',
  '{} CERT',
] as const;

const streets = ['Rope Walk', 'Lantern Street', 'Mill Lane', 'Customs Quay', 'Observatory Hill', 'Old Bridge Road'];

const hours = [
  '24x7',
  '24/7/365, answered within one hour',
  'Mon-Fri 09:00-17:00 local time',
  'Working days, 08:30 to 16:30; out of hours by phone only',
  'Sunday to Thursday, 08:00-15:00 (UTC+3)',
];

/**
 * The directories that list a team: usually one, sometimes two or all three; the one with the most exact data first.
 */
export function homesFor(dice: SeededRandom): readonly Repository[] {
  const order = dice.pick<readonly Repository[]>([
    ['harbour', 'lantern', 'attic'],
    ['harbour', 'attic', 'lantern'],
    ['lantern', 'harbour', 'attic'],
    ['lantern', 'attic', 'harbour'],
    ['attic', 'harbour', 'lantern'],
  ]);
  return order.slice(0, dice.pick([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3]));
}

/** The data sources that list a team that no directory lists: usually one, sometimes two or all three. */
function dataHomesFor(dice: SeededRandom): readonly Repository[] {
  const order = dice.pick<readonly Repository[]>([
    ['chronicle', 'beacon', 'quay'],
    ['beacon', 'quay', 'chronicle'],
    ['quay', 'chronicle', 'beacon'],
  ]);
  return order.slice(0, dice.pick([1, 1, 1, 1, 1, 2, 2, 3]));
}

/** Four or five teams for each country: fictitious universities, banks, ports, grids, hospitals and carriers. */
export function organisations(): readonly Team[] {
  return countries.flatMap((country, index) => teamsOf(country, index, [0, regular(index)]));
}

/** The organisations of the remaining kinds, which only data sources list. */
export function newcomers(): readonly Team[] {
  return countries
    .flatMap((country, index) => teamsOf(country, index, [regular(index), kinds.length]))
    .map((team) => ({ ...team, homes: dataHomesFor(createSeededRandom(`home of ${team.entry.email ?? ''}`)) }));
}

function regular(index: number): number {
  return perCountry[index % 2] ?? 4;
}

/** The organisations of a country with the numbers from `from` to before `to`, each of another kind. */
function teamsOf(country: Country, index: number, [from, to]: readonly [from: number, to: number]): readonly Team[] {
  return Array.from({ length: to - from }, (_, at) => {
    const n = from + at;
    const [place] = country.places.slice(n % country.places.length);
    const [kind] = kinds.slice((index + n) % kinds.length);
    if (place === undefined || kind === undefined) throw new Error(`${country.code} lacks organisation ${n}`);
    return organisationTeam(country, place, kind);
  });
}

/** The team of the organisation of this kind at a place, listed in directories. The same arguments give the same team. */
export function organisationTeam(country: Country, place: Place, kind: Kind): Team {
  const dice = createSeededRandom(`${country.code} ${kind} ${place.latin}`);
  const host = organisation(kind, country.language, place.native);
  const names = namesOf(dice, kind, place, host);
  const domain = `${label(place.latin)}-${kind}.example.${dice.pick(['org', 'org', 'net', 'com'])}`;
  const entry: Entry = {
    ...names.native,
    ...(dice.chance(75) && { 'postal-address': address(dice, host, place, country) }),
    'country-code': country.code,
    ...(dice.chance(12) && { 'additional-country-code': neighbours(dice, country.code) }),
    ...contact(dice, domain, country.code),
    host,
    ...details(dice, kind, place),
  };
  // All three directories list the place of the first query of the README and the banner.
  const homes: readonly Repository[] = place.native === 'Þórsvík' ? ['harbour', 'lantern', 'attic'] : homesFor(dice);
  return { homes, sector: sectorOf[kind], entry, latin: names.latin };
}

function namesOf(dice: SeededRandom, kind: Kind, place: Place, host: string): { native: Names; latin: Names } {
  const short = dice.pick(shortNames[kind]);
  const official = dice.pick(officialNames);
  const name = dice.chance(50) ? place.native : place.latin;
  const english = place.native === place.latin ? plain(host) : organisation(kind, 'en', place.latin);
  return {
    native: { 'short-team-name': short.replace('{}', name), 'official-team-name': official.replace('{}', host) },
    latin: {
      'short-team-name': plain(short.replace('{}', place.latin)),
      'official-team-name': plain(official.replace('{}', english)),
    },
  };
}

function address(dice: SeededRandom, host: string, place: Place, country: Country): string {
  const street = `${1 + dice.below(120)} ${dice.pick(streets)}`;
  return [host, street, `${country.code}-${1000 + dice.below(9000)} ${place.native}`, country.name].join('\r\n');
}

/** Two to five further countries that a team serves. */
export function neighbours(dice: SeededRandom, code: string): readonly string[] {
  const start = dice.below(countries.length);
  const around = [...countries, ...countries].slice(start, start + 2 + dice.below(4));
  return around.map((country) => country.code).filter((other) => other !== code);
}

/** Websites, mailbox, telephone numbers and key of a team with this domain. */
export function contact(dice: SeededRandom, domain: string, country: string): Entry {
  const site = `https://${dice.pick(['cert', 'www', 'security'])}.${domain}/`;
  return {
    ...(dice.chance(80) && {
      website: dice.chance(25) ? [site, `https://social.example.net/@${domain.replace(/\.example.*/, '')}`] : [site],
    }),
    email: `${dice.pick(['cert', 'csirt', 'incident', 'security'])}@${domain}`,
    ...(dice.chance(85) && { 'phone-numbers': phones(country, dice) }),
    ...(dice.chance(60) && { enckeys: makeUpFingerprints(dice) }),
  };
}

/** The fingerprint of a team, or two. */
function makeUpFingerprints(dice: SeededRandom): readonly string[] {
  return Array.from({ length: dice.chance(15) ? 2 : 1 }, () => makeUpFingerprint(dice));
}

function details(dice: SeededRandom, kind: Kind, place: Place): Entry {
  const description = `The ${kind} of ${place.latin}, its ${dice.pick(['staff', 'customers', 'guests'])} and its networks.`;
  return {
    ...(dice.chance(85) && { establishment: established(dice) }),
    ...(dice.chance(65) && { 'operating-hours': dice.pick(hours) }),
    ...(dice.chance(60) && { 'constituency-description': description }),
    ...(dice.chance(95) && { 'last-modified': modified(dice) }),
  };
}
