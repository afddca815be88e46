import { ledgerCountry } from './ledger-teams.js';
import type { SeededRandom } from '../seeded-random.js';
import { createSeededRandom } from '../seeded-random.js';
import type { SheetRow } from '../spreadsheet.js';
import { spreadsheetOf } from '../spreadsheet.js';
import type { Listing } from '../team-listing.js';
import type { Entry, Sector } from '../team.js';

const columns = [
  'Team',
  'Full name',
  'Organisation',
  'Country',
  'Address',
  'E-mail',
  'Phone',
  'Fax',
  'Web site',
  'Sectors',
  'Founded',
  'Accredited since',
  'PGP fingerprint',
  'Status',
];

const vocabulary: Readonly<Record<Sector, string>> = {
  national: 'All sectors',
  government: 'Public administration',
  education: 'Education, Research',
  finance: 'Finance',
  energy: 'Energy, Water',
  transport: 'Transport, Logistics',
  health: 'Health',
  telecom: 'Telecommunications, Internet',
  vendor: 'Digital products',
  other: 'Other',
};

/** The Ledger List is a spreadsheet with the teams of one country, which somebody saves as CSV now and then. */
export function ledger(listings: readonly Listing[]): string {
  const rows = listings.map(({ team, entry }): SheetRow => {
    const dice = createSeededRandom(`ledger ${entry['official-team-name'] ?? ''} ${entry.email ?? ''}`);
    return {
      Team: entry['short-team-name'],
      'Full name': entry['official-team-name'],
      Organisation: entry.host,
      // Most rows leave out the country of the list.
      Country: dice.pick([undefined, undefined, ledgerCountry, ledgerCountry.toLowerCase()]),
      // A line break inside of a cell is one character.
      Address: entry['postal-address']?.replaceAll('\r\n', '\n'),
      'E-mail': entry.email,
      ...telephones(entry),
      'Web site': entry.website?.join(', '),
      Sectors: vocabulary[team.sector],
      Founded: entry.establishment?.split('-').reverse().join('.'),
      ...accreditation(entry, dice),
      'PGP fingerprint': entry.enckeys?.[0]?.replace('0x', '').replaceAll(/(.{4})(?=.)/g, '$1 '),
    };
  });
  return spreadsheetOf(columns, [...rows, ...oddments]);
}

/** The first telephone number, and the fax number without its mark. */
function telephones({ 'phone-numbers': numbers = [] }: Entry): SheetRow {
  const fax = numbers.find((number) => number.endsWith(' (fax)'));
  return { Phone: numbers[0], Fax: fax?.replace(' (fax)', '') };
}

function accreditation({ establishment = '2003' }: Entry, dice: SeededRandom): SheetRow {
  if (dice.chance(20)) return { Status: 'candidate' };
  const year = Number(establishment.slice(0, 4)) + 1 + dice.below(12);
  return { 'Accredited since': String(Math.min(year, 2026)), Status: 'accredited' };
}

/** A team that no longer exists, two with cells that are not what their column says, and a row without content. */
const oddments: readonly SheetRow[] = [
  {
    Team: 'Telex-CERT',
    'Full name': 'Telex Exchange CERT (closed 2019)',
    'E-mail': 'cert@telex.example.org',
    Sectors: 'Telecommunications',
    Founded: '1991',
    'Accredited since': '2003',
    Status: 'retired',
  },
  {
    Team: 'Fyrtårn SOC',
    'Full name': 'Fyrtårn SOC; "the Lighthouse"',
    'E-mail': 'use the form on the web site',
    'Web site': 'https://soc.fyrtaarn.example.org/',
    Sectors: 'Transport',
    Founded: '01.09.2020',
    Status: 'candidate',
  },
  {
    Team: 'Two Sites CERT',
    'Full name': 'CERT with a Line Break Between Its Web Sites',
    Country: 'dk',
    'E-mail': 'cert@two-sites.example.org',
    Phone: '+999 5550 0144',
    'Web site': 'https://cert.two-sites.example.org/\nhttps://www.two-sites.example.org/',
    Sectors: 'Other',
    'Accredited since': '2015',
    Status: 'accredited',
  },
  {},
];
