import { createSeededRandom } from '../seeded-random.js';
import type { Listing } from '../team-listing.js';
import type { Stored } from '../record.js';
import { stored } from '../record.js';
import type { Sector } from '../team.js';
import { sectors } from '../team.js';

const vocabulary: Readonly<Record<Sector, string>> = {
  national: 'National',
  government: 'Government',
  education: 'Research and education',
  finance: 'Financial sector',
  energy: 'Energy sector',
  transport: 'Transport sector',
  health: 'Health sector',
  telecom: 'Internet service providers',
  vendor: 'ICT vendor customer base',
  other: 'Other commercial',
};

/** The Harbour Register has its records exactly as the directory interface specifies them. */
export function harbour(listings: readonly Listing[]): readonly Stored[] {
  return listings.map(({ team, entry }) => {
    const dice = createSeededRandom(`harbour ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    return stored({
      ...entry,
      constituency: dice.chance(90) ? vocabulary[team.sector] : undefined,
      'constituency-code': dice.chance(70) ? code(team.sector) : undefined,
      'source-name': 'Harbour Register (sample)',
      '-harbour-member-type': dice.chance(80) ? dice.pick(['Full Member', 'Full Member', 'Liaison']) : undefined,
      '-harbour-berth': dice.chance(15)
        ? `${dice.pick(['North', 'East', 'South'])} Quay ${1 + dice.below(40)}`
        : undefined,
    });
  });
}

/** Three digits; leading zeros are significant. */
function code(sector: Sector): string {
  return String(sectors.indexOf(sector) + 1).padStart(3, '0');
}
