import { httpDate, inWords, spaced } from '../calendar.js';
import type { SeededRandom } from '../seeded-random.js';
import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { stored } from '../record.js';
import { sectors } from '../team.js';

/**
 * The Attic List: thirty years of volunteers, each with another way of writing, in the order in which the records were
 * found.
 */
export function attic(listings: readonly Listing[]): readonly Stored[] {
  const kept = listings.map(({ team, entry }) => {
    const dice = createSeededRandom(`attic ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    const properties = stored({ ...entry, ...extras(dice, sectors.indexOf(team.sector)) });
    const sloppy = [...properties].map(([name, value]) => [name, (slips[name] ?? keep)(value, dice)] as const);
    return { box: dice.below(1000), record: new Map(sloppy) };
  });
  return [...kept.sort((a, b) => a.box - b.box).map(({ record }) => record), ...oddments];
}

/** What the list adds: codes as numbers, empty values, its own properties, and one with a foreign prefix. */
function extras(dice: SeededRandom, sector: number): Readonly<Record<string, unknown>> {
  return {
    'constituency-code': dice.chance(60) ? sector + 1 : undefined,
    constituency: dice.pick<unknown>([undefined, null, '', 'various', ['various', 'others']]),
    'source-name': dice.pick([undefined, 'attic', 'The Attic List ']),
    '-attic-member-type': dice.pick<unknown>([undefined, ' Full Member', 'Liaison', '']),
    '-attic-shelf': dice.pick<unknown>([undefined, dice.below(40), String(dice.below(40))]),
    '-harbour-member-type': dice.chance(10) ? 'Full Member' : undefined,
    ...(dice.chance(10) && { 'operating-hours': dice.pick<unknown>([null, [], {}, '  ']) }),
  };
}

type Slip = (value: unknown, dice: SeededRandom) => unknown;

const keep: Slip = (value) => value;

/** The occasional faults of each property. Values of another type in place of text are invented for this sample. */
const slips: Readonly<Record<string, Slip>> = {
  'short-team-name': (value, dice) => dice.pick([value, value, value, [value], `${String(value)}  `]),
  'official-team-name': (value, dice) => dice.pick([value, value, value, ` ${String(value)}\n`]),
  'country-code': (value, dice) => country(String(value), dice),
  'additional-country-code': (value, dice) => (dice.chance(50) ? scalar(value) : value),
  website: (value, dice) =>
    dice.chance(60) ? String(scalar(value)).replace('https://', dice.pick(['', 'http://'])) : value,
  email: (value, dice) => (dice.chance(20) ? [value] : value),
  host: (value, dice) => (dice.chance(20) ? [value, ''] : value),
  establishment: (value, dice) => day(String(value), dice),
  'phone-numbers': (value, dice) => phones(value, dice),
  enckeys: (value, dice) => (dice.chance(50) ? scalar(value) : value),
  'last-modified': (value, dice) => moment(String(value), dice),
};

/** The first item of a list, as a single value. */
function scalar(value: unknown): unknown {
  return [value].flat()[0];
}

function country(code: string, dice: SeededRandom): string {
  const colloquial = { GB: 'UK', GR: 'EL' }[code] ?? code;
  return dice.pick([colloquial, colloquial, colloquial.toLowerCase(), ` ${colloquial} `]);
}

function phones(value: unknown, dice: SeededRandom): unknown {
  const list = [value].flat();
  const first = String(list[0]);
  return dice.pick<unknown>([list, [...list, '(fax)'], first, Number(first.replaceAll(/\D/g, '')), [first, null, '']]);
}

/** `2008-09-08` unchanged, as `September 8, 2008`, or as the year alone, a number. */
function day(iso: string, dice: SeededRandom): unknown {
  const [year = '', month, date] = iso.split('-');
  if (month === undefined || date === undefined) return dice.pick<unknown>([Number(year), year]);
  return dice.pick<unknown>([inWords(iso), iso, Number(year)]);
}

/** A time in the form of HTTP, with a numeric zone, in the form of databases, or unchanged. */
function moment(iso: string, dice: SeededRandom): string {
  const http = httpDate(iso);
  return dice.pick([http, http.replace('GMT', '+0000'), spaced(iso), iso]);
}

/** Faulty entries: without names, with unsafe names, the same team twice, values that cannot be read. */
const oddments: readonly Stored[] = [
  new Map<string, unknown>([
    ['country-code', 'SE'],
    ['email', 'somebody@cert.example.org'],
    ['phone-numbers', ['(fax)']],
  ]),
  new Map<string, unknown>([
    ['short-team-name', '  '],
    ['official-team-name', null],
    ['country-code', 'it'],
    ['host', []],
  ]),
  new Map<string, unknown>([
    ['short-team-name', 'Skylight CERT'],
    ['official-team-name', 'Skylight CERT'],
    ['country-code', 'UK'],
    ['email', 'cert@skylight.example.org'],
    ['__proto__', { 'source-name': 'Harbour Register (sample)', polluted: true }],
    ['constructor', 'prototype'],
    ['-attic-shelf', 12],
  ]),
  ...[2001, '2003'].map(
    (establishment) =>
      new Map<string, unknown>([
        ['short-team-name', 'Echo CERT'],
        ['official-team-name', 'Echo CERT of the Echo Caves'],
        ['country-code', 'at'],
        ['email', 'echo@caves.example.org'],
        ['establishment', establishment],
      ]),
  ),
  new Map<string, unknown>([
    ['short-team-name', 1984],
    ['official-team-name', ['Team 1984', 'formerly Team 1983']],
    ['country-code', ['PT']],
    ['additional-country-code', ['EL', 'es', '', null]],
    ['website', {}],
    ['establishment', 1984],
    ['-attic-shelf', '007'],
    ['last-modified', 'yesterday'],
  ]),
  new Map<string, unknown>([
    ['short-team-name', 'Bell\u0007 & Tab\u000b CERT'],
    ['official-team-name', 'Control\u0000 Characters\u2028CERT'],
    ['country-code', 'Portugal'],
    ['operating-hours', true],
    ['phone-numbers', [15550100, '  ', '+999 5550 0199 (FAX) ']],
  ]),
];
