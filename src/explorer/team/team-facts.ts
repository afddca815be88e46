import type { PropertyValue } from '../../model/property-value.js';
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
  /** Codes or texts of the country and further countries, without repetitions. */
  readonly countries: readonly string[];
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

/** Any text but a timestamp stays as it is. */
export function formatDay(timestamp: string): string {
  return /^\d{4}-\d\d-\d\d[T ]/.test(timestamp) ? timestamp.slice(0, 10) : timestamp;
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
