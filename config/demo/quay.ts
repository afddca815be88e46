import { spaced } from './calendar.js';
import { constituencies, documented, profile, slugs } from './data-team.js';
import { diceFor } from './dice.js';
import type { Listing } from './listing.js';
import type { Stored } from './record.js';
import { inOrder, stored } from './record.js';

/** The profile's order, with what a directory knows beside it. */
const order = [
  ...documented.slice(0, 3),
  'membership',
  ...documented.slice(3, 7),
  'country-other',
  ...documented.slice(7),
];

/** The Quay Directory as its directory interface has it. */
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

/** The same teams as its data interface has them: the same facts under the other names. */
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
  return diceFor(`quay ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`).pick(['Full Member', 'Liaison']);
}
