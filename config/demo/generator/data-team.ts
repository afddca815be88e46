import { firstDay } from './calendar.js';
import { publishedKey } from './keys.js';
import type { SeededRandom } from './seeded-random.js';
import { label } from './languages.js';
import type { Listing } from './team-listing.js';
import type { Entry, Sector } from './team.js';

/** The properties of a team profile in the order documented in 2016 (interfaces 2.3), with the keys before the date. */
export const documented = [
  'id',
  'team',
  'team-full',
  'host',
  'establishment',
  'address',
  'country',
  'website',
  'email',
  'phone',
  'fax',
  'phone-emergency',
  'timezone',
  'timezone-dst',
  'other-communication',
  'operating-hours',
  'constituency',
  'constituency-description',
  'pgp-id',
  'pgp-fingerprint',
  'pgp-key',
  'last-modified',
];

/** Names of constituencies on the data interface of FIRST. */
export const constituencies: Readonly<Record<Sector, string>> = {
  national: 'National',
  government: 'Government',
  education: 'Research & Education',
  finance: 'Financial sector',
  energy: 'Energy, water',
  transport: 'Transport, logistics',
  health: 'Medical',
  telecom: 'ISP customer base',
  vendor: 'ICT vendor customer base',
  other: 'Other commercial',
};

/** Properties of the data interface that every source writes in the same form. */
export function profile({ entry }: Listing): Readonly<Record<string, unknown>> {
  return {
    team: entry['short-team-name'],
    'team-full': entry['official-team-name'],
    host: entry.host,
    address: entry['postal-address'],
    country: entry['country-code'],
    website: entry.website,
    email: entry.email,
    phone: entry['phone-numbers'],
    'operating-hours': entry['operating-hours'],
    'constituency-description': entry['constituency-description'],
  };
}

/** The date of establishment as a day, as the data interface has it; may be the first day of the known year. */
export function establishedOn({ establishment }: Entry): string | undefined {
  return establishment === undefined ? undefined : firstDay(establishment);
}

/** Time zones as entered in a form. */
export function zones(dice: SeededRandom): Readonly<Record<string, unknown>> {
  if (dice.chance(40)) return {};
  const hours = dice.below(10);
  const [form, sign] = [dice.pick(['UTC', 'GMT']), dice.pick(['+', '-'])];
  const summer = sign === '+' ? hours + 1 : Math.max(0, hours - 1);
  const dst = dice.pick([`${form}${sign}0${summer}00`, undefined, 'No DST — all year round']);
  return { timezone: dice.pick([`${form}${sign}0${hours}00`, `${form}${sign}${hours}`]), 'timezone-dst': dst };
}

/** The first key of a listed team: its id, its fingerprint and its text. */
export function firstKey({ enckeys }: Entry): Readonly<Record<string, unknown>> {
  const fingerprint = enckeys?.[0]?.replace('0x', '');
  if (fingerprint === undefined) return {};
  return {
    'pgp-id': `0x${fingerprint.slice(-16)}`,
    'pgp-fingerprint': fingerprint,
    'pgp-key': publishedKey(fingerprint),
  };
}

/**
 * An id for each listing of a source: made of its short name in Latin letters, and of its country where that id is
 * taken.
 */
export function slugs(listings: readonly Listing[]): readonly string[] {
  const taken = new Set<string>();
  return listings.map(({ team, entry }) => {
    const name = label(team.latin['short-team-name']) || label(entry.email ?? '');
    const free = [name, label(`${name} ${entry['country-code'] ?? ''}`)].find((slug) => !taken.has(slug));
    if (free === undefined) throw new Error(`no id is left for ${name}`);
    taken.add(free);
    return free;
  });
}
