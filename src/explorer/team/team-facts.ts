import type { PropertyValue } from '../../model/property-value.js';
import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { createPropertyReader, toTextItems } from '../../records/sort-and-search-columns.js';
import { getCountryNames } from '../../region/country-names.js';
import { encodeComponent } from '../answer/page-parameters.js';

/** Properties of a team as pages show them. Texts are those of the source, and empty where it has none. */
export interface TeamFacts {
  /** `<code>.<slug>` (decisions 4.18). */
  readonly id: string;
  readonly shortName: string;
  readonly officialName: string;
  /** Codes or texts of its country and its further countries, without repetitions. */
  readonly countries: readonly string[];
  readonly constituency: string;
  readonly email: string;
  readonly phones: readonly string[];
  readonly operatingHours: string;
  readonly sourceName: string;
  /** Date of the record, `YYYY-MM-DD`, or the text of the source. */
  readonly modified: string;
}

/** Maximum number of items of a list, and of contacts and keys of a kind, that the page of a team shows. */
export const MAX_ITEMS = 50;

const READERS = {
  shortName: 'short-team-name',
  officialName: 'official-team-name',
  country: 'country-code',
  furtherCountries: 'additional-country-code',
  constituency: 'constituency',
  email: 'email',
  phones: 'phone-numbers',
  operatingHours: 'operating-hours',
  sourceName: 'source-name',
  modified: 'last-modified',
} as const;

type Reader = (record: StoredRecord) => PropertyValue | undefined;

const readers: ReadonlyMap<string, Reader> = new Map(
  Object.values(READERS).map((name) => [name, createPropertyReader(directoryTeams, name)]),
);

function readItems(record: StoredRecord, property: keyof typeof READERS): readonly string[] {
  return toTextItems(readers.get(READERS[property])?.(record));
}

/** Reads the properties of a team of the directory interface. */
export function readTeamFacts(record: StoredRecord): TeamFacts {
  const text = (property: keyof typeof READERS): string => readItems(record, property).join(', ');
  return {
    id: record.id,
    shortName: text('shortName'),
    officialName: text('officialName'),
    countries: [...new Set([...readItems(record, 'country'), ...readItems(record, 'furtherCountries')])],
    constituency: text('constituency'),
    email: text('email'),
    phones: readItems(record, 'phones'),
    operatingHours: text('operatingHours'),
    sourceName: text('sourceName'),
    modified: formatDay(text('modified')),
  };
}

/** The day of a timestamp; any other text as it is. */
export function formatDay(timestamp: string): string {
  return /^\d{4}-\d\d-\d\d[T ]/.test(timestamp) ? timestamp.slice(0, 10) : timestamp;
}

/** The name by which a page calls a team. Every record has one of both (decisions 4.7). */
export function nameOf({ shortName, officialName }: Pick<TeamFacts, 'shortName' | 'officialName'>): string {
  return shortName === '' ? officialName : shortName;
}

/** The usual English name of a country by its code; any other text as it is. */
export function countryName(code: string): string {
  return getCountryNames(code)[0] ?? code;
}

/** Path of the page of a team. */
export function teamPath(id: string): string {
  return `/teams/${encodeComponent(id)}`;
}
