import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { stored } from '../record.js';
import type { Sector } from '../team.js';

/** Constituencies and their codes in the vocabulary of this network, with bars and commas. */
const vocabulary: Readonly<Record<Sector, readonly [string, string]>> = {
  national: ['Whole country', 'NAT'],
  government: ['Public administration', 'GOV'],
  education: ['Academia | Research', 'EDU'],
  finance: ['Banks, insurers, exchanges', 'FIN'],
  energy: ['Electricity, gas & water', 'NRG'],
  transport: ['Ports, rail, roads', 'TRA'],
  health: ['Hospitals & care', 'MED'],
  telecom: ['Carriers', 'TEL'],
  vendor: ['Product users', 'VEN'],
  other: ['Other', 'XXX'],
};

/**
 * The Lantern Network has correct records, with some properties of its own and some of the Wick Club, its predecessor.
 */
export function lantern(listings: readonly Listing[]): readonly Stored[] {
  return listings.map(({ team, entry }) => {
    const dice = createSeededRandom(`lantern ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    const [constituency, code] = vocabulary[team.sector];
    return stored({
      ...entry,
      constituency,
      'constituency-code': code,
      'source-name': 'Lantern Network (sample)',
      timezone: dice.chance(60) ? `UTC${dice.pick(['+', '-'])}0${dice.below(10)}00` : undefined,
      '-lantern-member-type': dice.pick(['Full Member', 'Liaison', undefined]),
      '-lantern-tier': dice.chance(50) ? dice.pick(['gold', 'silver', 'tallow']) : undefined,
      '-wick-founder': dice.chance(10) ? 'yes' : undefined,
    });
  });
}
