import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { createPropertyReader, toTextItems } from '../../records/sort-and-search-columns.js';
import { getCountryNames } from '../../region/country-names.js';
import { encodeComponent } from '../answer/page-parameters.js';

/** Texts are those of the source, and empty where it has none. */
export interface TeamFacts {
  /** `<code>.<slug>` (decisions 4.18). */
  readonly id: string;
  readonly shortName: string;
  readonly officialName: string;
  /** Codes or texts of the team's own country. */
  readonly countries: readonly string[];
  /** Without its own. */
  readonly furtherCountries: readonly string[];
  readonly constituency: string;
  readonly email: string;
  readonly phones: readonly string[];
  readonly operatingHours: string;
  readonly sourceName: string;
  /** `YYYY-MM-DD`, or the text of the source. */
  readonly modified: string;
}

/** Of a list, and of contacts and keys of a kind, on the page of a team. */
export const MAX_ITEMS = 20;

function createReader(name: string): (record: StoredRecord) => readonly string[] {
  const read = createPropertyReader(directoryTeams, name);
  return (record) => toTextItems(read(record));
}

const readers = {
  shortName: createReader('short-team-name'),
  officialName: createReader('official-team-name'),
  countries: createReader('country-code'),
  furtherCountries: createReader('additional-country-code'),
  constituency: createReader('constituency'),
  email: createReader('email'),
  phones: createReader('phone-numbers'),
  operatingHours: createReader('operating-hours'),
  sourceName: createReader('source-name'),
  modified: createReader('last-modified'),
};

export function readTeamFacts(record: StoredRecord): TeamFacts {
  const items = (property: keyof typeof readers): readonly string[] => readers[property](record);
  const text = (property: keyof typeof readers): string => items(property).join(', ');
  const countries = items('countries');
  return {
    id: record.id,
    shortName: text('shortName'),
    officialName: text('officialName'),
    countries,
    furtherCountries: [...new Set(items('furtherCountries'))].filter((code) => !countries.includes(code)),
    constituency: text('constituency'),
    email: text('email'),
    phones: items('phones'),
    operatingHours: text('operatingHours'),
    sourceName: text('sourceName'),
    // Any text but a timestamp stays as it is.
    modified: text('modified').replace(/^(\d{4}-\d\d-\d\d)[T ].*$/s, '$1'),
  };
}

/** Every record has one of both names (decisions 4.7). */
export function nameOf({ shortName, officialName }: Pick<TeamFacts, 'shortName' | 'officialName'>): string {
  return shortName === '' ? officialName : shortName;
}

/** Usual English name; any text but a code stays as it is. */
export function countryName(code: string): string {
  return getCountryNames(code)[0] ?? code;
}

export function teamPath(id: string): string {
  return `/teams/${encodeComponent(id)}`;
}
