import { spaced } from '../calendar.js';
import { constituencies, documented, establishedOn, firstKey, profile, slugs, zones } from '../data-team.js';
import type { SeededRandom } from '../seeded-random.js';
import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { inOrder } from '../record.js';

/** The Chronicle of Teams has profiles in the form in which the data interface was documented in 2016. */
export function chronicle(listings: readonly Listing[]): readonly Stored[] {
  const ids = slugs(listings);
  const teams = listings.map((listing, at) => {
    const { team, entry } = listing;
    const dice = createSeededRandom(`chronicle ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    return inOrder(documented, {
      ...profile(listing),
      ...zones(dice),
      ...firstKey(entry),
      ...telephones(entry['phone-numbers'] ?? [], dice),
      id: ids[at],
      establishment: establishedOn(entry),
      // 64496 is an autonomous system number reserved for documentation.
      'other-communication': dice.chance(8) ? `INOC-DBA: 64496*${100 + dice.below(900)}` : undefined,
      constituency: dice.chance(90) ? constituencies[team.sector] : undefined,
      'last-modified': spaced(entry['last-modified'] ?? '2016-06-09T13:59:39+00:00'),
    });
  });
  return [...teams, ...oddments];
}

/** The fax number is in the list, marked, and also in a property of its own. */
function telephones(numbers: readonly string[], dice: SeededRandom): Readonly<Record<string, unknown>> {
  const fax = numbers.find((number) => number.endsWith(' (fax)'));
  return {
    fax: fax?.replace(' (fax)', ''),
    'phone-emergency': dice.chance(30) ? numbers[0] : undefined,
  };
}

/** Teams that only a data interface has: with names in other scripts and languages, and without a full name. */
const oddments: readonly Stored[] = [
  new Map<string, unknown>([
    ['id', 'ampersand-cert'],
    ['team', 'Ampersand & Sons <CERT>'],
    ['team-full', 'Ampersand & Sons <CERT> "of the Printing Works"'],
    ['address', 'Ampersand & Sons\r\n"The Works"\r\n1 </script> Lane'],
    ['country', 'GB'],
    ['email', 'cert@ampersand.example.org'],
    ['phone', ['+44 20 7946 0077', '+44 20 7946 0078 (fax)']],
    ['fax', '+44 20 7946 0078'],
    ['last-modified', '2016-06-09 13:59:39 +00:00'],
  ]),
  new Map<string, unknown>([
    ['id', 'milestone'],
    ['team', 'Milestone'],
    ['country', 'CL'],
    ['pgp-id', '0xDE30000000000001'],
    ['last-modified', '2015-02-28 00:00:00 +00:00'],
  ]),
];
