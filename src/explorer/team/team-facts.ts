import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { getCountryNames } from '../../region/country-names.js';
import { encodeComponent } from '../answer/page-parameters.js';
import { readRecordTexts, textsOf } from '../answer/record-texts.js';
import type { RecordTexts } from '../answer/record-texts.js';

/** Texts are those of the source, and empty where it has none. */
export interface TeamFacts {
  /** `<code>.<slug>` (decisions 4.18). */
  readonly id: string;
  /** Of the directory interface. */
  readonly values: RecordTexts;
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

export function readTeamFacts(record: StoredRecord): TeamFacts {
  const values = readRecordTexts(directoryTeams, record);
  const text = (name: string): string => textsOf(values, name).join(', ');
  const countries = textsOf(values, 'country-code');
  return {
    id: record.id,
    values,
    shortName: text('short-team-name'),
    officialName: text('official-team-name'),
    countries,
    furtherCountries: [...new Set(textsOf(values, 'additional-country-code'))].filter(
      (code) => !countries.includes(code),
    ),
    constituency: text('constituency'),
    email: text('email'),
    phones: textsOf(values, 'phone-numbers'),
    operatingHours: text('operating-hours'),
    sourceName: text('source-name'),
    // Any text but a timestamp stays as it is.
    modified: text('last-modified').replace(/^(\d{4}-\d\d-\d\d)[T ].*$/s, '$1'),
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
