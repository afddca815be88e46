import type { StoredRecord } from '../model/record.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { createPropertyReader, toTextItems } from '../records/sort-and-search-columns.js';
import { parseCountryCode } from '../region/country.js';
import { foldText } from '../text/text-folding.js';

const reader = (name: string): ((record: StoredRecord) => readonly string[]) => {
  const readValue = createPropertyReader(directoryTeams, name);
  return (record) => toTextItems(readValue(record));
};

const readCountry = reader('country-code');
const readNames = [reader('short-team-name'), reader('official-team-name')];
const readConstituency = reader('constituency');
const readPhones = reader('phone-numbers');

/** Of no bank or library in whose name the word is. */
const NATIONAL_NAME = /\bnational (?:cert|c?sirt|cirt|ncsc|cyber|computer|incident|(?:information|it) security)\b/;
const NATIONAL_CONSTITUENCY = /^(?:national\b|whole country$)/;

/**
 * Teams that call themselves or their constituency national, and whose own country (alpha-2) it is; those with a
 * telephone number first. A guess: no repository says which team a country has appointed.
 */
export function selectNationalTeams(records: readonly StoredRecord[], country: string): readonly StoredRecord[] {
  const national = records.filter((record) => isNational(record, country));
  const hasPhone = (record: StoredRecord): boolean => readPhones(record).length > 0;
  return [...national.filter(hasPhone), ...national.filter((record) => !hasPhone(record))];
}

function isNational(record: StoredRecord, country: string): boolean {
  return (
    readCountry(record).some((code) => parseCountryCode(code) === country) &&
    (readNames.some((read) => read(record).some((name) => NATIONAL_NAME.test(foldText(name)))) ||
      readConstituency(record).some((text) => NATIONAL_CONSTITUENCY.test(foldText(text))))
  );
}
