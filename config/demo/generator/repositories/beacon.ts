import { firstDay, httpDate, inWords } from '../calendar.js';
import { constituencies, establishedOn, firstKey, profile, slugs, zones } from '../data-team.js';
import type { SeededRandom } from '../seeded-random.js';
import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { inOrder } from '../record.js';

/** The order of properties in profiles of the data interface of FIRST (observed in 2026). */
const order = [
  'id',
  'team',
  'team-full',
  'membership',
  'team-type',
  'host',
  'establishment',
  'address',
  'country',
  'country-other',
  'website',
  'email',
  'phone',
  'fax',
  'phone-emergency',
  'timezone',
  'timezone-dst',
  'other-communication',
  'pgp-id',
  'pgp-fingerprint',
  'pgp-key',
  'operating-hours',
  'constituency',
  'constituency-description',
  'member-since',
  'last-modified',
];

/**
 * The Beacon Exchange has profiles as the data interface of FIRST returns them (observed in 2026): keys in public
 * profiles, dates in words.
 */
export function beacon(listings: readonly Listing[]): readonly Stored[] {
  const ids = slugs(listings);
  const teams = listings.map((listing, at) => {
    const { team, entry } = listing;
    const dice = createSeededRandom(`beacon ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    const established = establishedOn(entry);
    return inOrder(order, {
      ...profile(listing),
      ...membership(dice),
      ...zones(dice),
      ...firstKey(entry),
      id: ids[at]?.replaceAll('-', '_'),
      establishment: established && inWords(established),
      address: entry['postal-address'] && address(entry['postal-address'], dice),
      'country-other': entry['additional-country-code'],
      phone: telephones(entry['phone-numbers'], dice),
      'phone-emergency': dice.chance(50) ? entry['phone-numbers']?.[0] : undefined,
      constituency: constituencies[team.sector],
      'constituency-description': loose(entry['constituency-description'], dice),
      'last-modified': httpDate(entry['last-modified'] ?? '2025-08-08T13:35:32+00:00'),
    });
  });
  return [...teams, ...oddments];
}

function membership(dice: SeededRandom): Readonly<Record<string, unknown>> {
  const since = `${2001 + dice.below(25)}-${dice.pick(['03', '06', '09', '12'])}-${dice.pick(['05', '17', '21'])}`;
  return {
    membership: dice.pick(['Full Member', 'Full Member', 'Liaison']),
    'team-type': dice.pick(['CSIRT', 'CSIRT', 'PSIRT', 'PSIRT, CSIRT, SOC', undefined]),
    'member-since': dice.chance(90) ? inWords(firstDay(since)) : undefined,
  };
}

/** One line end instead of two characters, and occasionally white space at an end. */
function address(text: string, dice: SeededRandom): string {
  return text.replaceAll('\r\n', '\n') + dice.pick(['', '', ' \n']);
}

/** A form with an empty fax field yields a mark without a number. */
function telephones(numbers: readonly string[] | undefined, dice: SeededRandom): readonly string[] | undefined {
  return numbers !== undefined && dice.chance(30) ? [...numbers, '(fax)'] : numbers;
}

function loose(text: string | undefined, dice: SeededRandom): string | undefined {
  return text === undefined ? undefined : dice.pick([text, text, `${text} `, `${text}\n\nAsk us anything.\n`]);
}

/** A team without an id, one with an unofficial country code, and one that has only a full name. */
const oddments: readonly Stored[] = [
  new Map<string, unknown>([
    ['team', 'No Id CSIRT'],
    ['team-full', 'The CSIRT That Was Never Given an Id'],
    ['membership', 'Liaison'],
    ['country', 'NL'],
    ['email', 'csirt@no-id.example.net'],
    ['member-since', 'April 17, 2025'],
    ['last-modified', 'Thu, 02 Apr 2026 21:28:40 GMT'],
  ]),
  new Map<string, unknown>([
    ['id', 'acropolis_tram_soc'],
    ['team', ' Acropolis Tram SOC '],
    ['team-full', 'Acropolis Tram SOC'],
    ['membership', 'Full Member'],
    ['establishment', '1993'],
    ['country', 'EL'],
    ['country-other', 'CY'],
    ['phone', '+999 5550 0142'],
    ['last-modified', 'Sat, 01 Mar 2025 09:00:00 GMT'],
  ]),
  new Map<string, unknown>([
    ['id', 'nameless'],
    ['team-full', 'The Team Whose Short Name Is a Secret'],
    ['country', 'SE'],
    ['last-modified', 'Fri, 19 Jan 2024 13:55:11 GMT'],
  ]),
];
