import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { listStoredProperties } from '../../../src/model/resource.js';
import type { PropertyValue } from '../../../src/model/property-value.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { packRecords } from './pack-records.js';

/** A team of the directory interface by the names of its properties, with the slug of its id. */
export type TeamInput = Readonly<Record<string, PropertyValue>> & { readonly slug: string };

/** The record set of one source of directory teams. Without a source-name, a record has the code of the source. */
export function teamRecordSet(
  code: string,
  sourceNumber: number,
  teams: readonly TeamInput[],
  unfetchedCount = 0,
): RecordSet {
  const columns = listStoredProperties(directoryTeams).map(({ name }) => name);
  const records = teams.map(({ slug, ...team }) => {
    const values: Readonly<Record<string, PropertyValue>> = { 'source-name': code, ...team };
    return { id: `${code}.${slug}`, values: columns.map((name) => values[name]) };
  });
  return new RecordSet(directoryTeams, { sourceNumber }, packRecords(directoryTeams, records), {
    unfetchedCount,
  });
}
