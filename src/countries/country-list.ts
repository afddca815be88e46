import type { Query } from '../model/query.js';
import type { StoredRecord } from '../model/record.js';
import { countries } from '../model/resources/countries.js';
import { RecordPacker } from '../records/packed-records.js';
import { queryRecordSet } from '../records/query-record-set.js';
import { RecordSet } from '../records/record-set.js';
import { countryCodes, findThreeLetterCode } from '../region/cldr-territories.js';
import { findContinent, getCountryNames } from '../region/country-names.js';

export interface CountryPage {
  readonly total: number;
  readonly records: readonly StoredRecord[];
}

/** The list changes with releases only (decisions 2.41). */
export async function findCountries({ predicates, order, offset, limit }: Query): Promise<CountryPage> {
  const { total, positions } = await queryRecordSet(allCountries, { predicates, order });
  const records = Array.from(positions, ({ index }) => allCountries.records[index]).filter(
    (record) => record !== undefined,
  );
  return { total, records: records.slice(offset, offset + limit) };
}

/** In place of a source's number, which starts at 1. */
const NO_SOURCE = 0;

const allCountries = buildCountries();

function buildCountries(): RecordSet {
  const packer = new RecordPacker(countries);
  for (const code of countryCodes) {
    const names = getCountryNames(code);
    packer.add(
      { values: [names[0], findContinent(code), code, findThreeLetterCode(code), names], extraProperties: [] },
      code,
    );
  }
  return new RecordSet(countries, { sourceNumber: NO_SOURCE }, packer.records);
}
