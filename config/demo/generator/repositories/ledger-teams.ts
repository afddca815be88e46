import type { Country } from '../countries.js';
import { countries } from '../countries.js';
import { kinds } from '../languages.js';
import { organisationTeam } from '../organisations.js';
import type { Team } from '../team.js';

/** The country whose teams the Ledger List has. */
export const ledgerCountry = 'DK';

const places = [
  'Blæsenborg',
  'Isfuglebro',
  'Klokkesund',
  'Måneholm',
  'Rævedal',
  'Stjernevig',
  'Sølvkær',
  'Ørnbæk',
] as const;

/** Teams that only the Ledger List has: an organisation of each kind at further places of its country. */
export function ledgerTeams(): readonly Team[] {
  const country = findCountry();
  return places.flatMap((place) =>
    kinds.map((kind): Team => {
      const team = organisationTeam(country, { native: place, latin: place }, kind);
      return { ...team, homes: ['ledger'] };
    }),
  );
}

/** Lists a team of that country at the Ledger List too, after its other homes, with another spelling. */
export function withLedger(team: Team): Team {
  return team.entry['country-code'] === ledgerCountry ? { ...team, homes: [...team.homes, 'ledger'] } : team;
}

function findCountry(): Country {
  const country = countries.find(({ code }) => code === ledgerCountry);
  if (country === undefined) throw new Error(`no country ${ledgerCountry}`);
  return country;
}
