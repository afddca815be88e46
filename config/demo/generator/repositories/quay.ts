import { spaced } from '../calendar.js';
import { constituencies, documented, profile, slugs } from '../data-team.js';
import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { inOrder, stored } from '../record.js';

/** The order of properties of a profile, with further properties of the directory interface. */
const order = [
  ...documented.slice(0, 3),
  'membership',
  ...documented.slice(3, 7),
  'country-other',
  ...documented.slice(7),
];

/** The Quay Directory on its directory interface. */
export function quayDirectory(listings: readonly Listing[]): readonly Stored[] {
  return listings.map((listing) =>
    stored({
      ...listing.entry,
      constituency: constituencies[listing.team.sector],
      'source-name': 'Quay Directory (sample)',
      '-quay-member-type': membership(listing),
    }),
  );
}

/** The same teams on its data interface: the same values under other names. */
export function quayTeams(listings: readonly Listing[]): readonly Stored[] {
  const ids = slugs(listings);
  return listings.map((listing, at) => {
    const { team, entry } = listing;
    return inOrder(order, {
      ...profile(listing),
      id: ids[at],
      membership: membership(listing),
      establishment: entry.establishment,
      'country-other': entry['additional-country-code'],
      constituency: constituencies[team.sector],
      'pgp-fingerprint': entry.enckeys?.map((key) => key.replace('0x', '')).join(', '),
      'last-modified': entry['last-modified'] && spaced(entry['last-modified']),
    });
  });
}

function membership({ entry }: Listing): string {
  return createSeededRandom(`quay ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`).pick([
    'Full Member',
    'Liaison',
  ]);
}
