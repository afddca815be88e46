import type { ExtraProperty, StoredRecord, RecordRow } from '../../model/record.js';
import { DERIVED_FINGERPRINT, listStoredProperties } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import { teamPropertyPairs } from '../../model/resources/team-property-mapping.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';
import { RecordPacker } from '../../records/packed-records.js';
import { RecordSet } from '../../records/record-set.js';
import { getCountryNames } from '../../region/country-names.js';
import { formatIsoTimestamp, parseDate, formatSpacedTimestamp } from '../../text/date.js';
import { toEnckeys, fromEnckeys } from '../record/enckeys-and-pgp-properties.js';
import { WHOLE_RECORD, OTHER_FIELDS } from '../record/findings.js';
import { mergePhoneNumbers } from './merge-phone-numbers.js';

/** With a value. */
type NamedValues = Map<string, PropertyValue>;

/**
 * To the interface that the source does not serve (decisions 4.14). Leaves out properties without a counterpart, and
 * PGP keys without `withKeys` (decisions 8.2). Top records keep their place in every order that both interfaces have.
 */
export async function translateTeams(
  set: RecordSet,
  to: Resource,
  { code, withKeys }: { readonly code: string; readonly withKeys: boolean },
): Promise<RecordSet> {
  const member = `-${code}-member-type`;
  const toDirectory = withKeys ? toDirectoryTeam : toDirectoryTeamWithoutKeys;
  const convert = to === directoryTeams ? toDirectory : toDataTeam;
  const [before, after] = [shapeOf(set.resource), shapeOf(to)];
  const packer = new RecordPacker(to);
  await forEachTimeSliced(set.records, (record) => {
    packer.add(createRow(after, convert(readNamedValues(before, record), member, record.id)), record.id);
  });
  const { unfetchedCount, isTruncated, contestedIds, readAt } = set;
  return new RecordSet(to, set, packer.records, { unfetchedCount, isTruncated, contestedIds, readAt });
}

/** A property without a counterpart gets no name, one with several gets all. */
export function translateNames(names: readonly string[], to: Resource, code: string): readonly string[] {
  const pairs = [...teamPropertyPairs, ...DERIVED_PAIRS, [`-${code}-member-type`, 'membership'] as const];
  const known = pairs.map(([directory, data]) => (to === directoryTeams ? [data, directory] : [directory, data]));
  return [...new Set(known.flatMap(([from = '', translated = '']) => (names.includes(from) ? [translated] : [])))];
}

/** Computed from each other, directory first (decisions 4.15, 4.16). */
const DERIVED_PAIRS: typeof teamPropertyPairs = [
  ['phone-numbers', 'phone'],
  ['phone-numbers', 'fax'],
  ['phone-numbers', 'phone-emergency'],
  ['enckeys', 'pgp-fingerprint'],
  ['enckeys', 'pgp-id'],
  ['enckeys', 'pgp-key'],
  [OTHER_FIELDS, OTHER_FIELDS],
  [WHOLE_RECORD, WHOLE_RECORD],
];

function toDirectoryTeam(team: NamedValues, member: string): NamedValues {
  const record = toDirectoryTeamWithoutKeys(team, member);
  const [fingerprint, id, derived] = [team.get('pgp-fingerprint'), team.get('pgp-id'), team.get(DERIVED_FINGERPRINT)];
  setValue(record, 'enckeys', toEnckeys({ fingerprint, keyId: id, derived }));
  return record;
}

function toDirectoryTeamWithoutKeys(team: NamedValues, member: string): NamedValues {
  const record: NamedValues = new Map();
  for (const [directory, data] of teamPropertyPairs) copyValue(team, data, record, directory);
  setValue(record, 'phone-numbers', mergePhoneNumbers(team));
  copyValue(team, 'membership', record, member);
  setValue(record, 'last-modified', convertDate(team.get('last-modified'), formatIsoTimestamp));
  return record;
}

function toDataTeam(team: NamedValues, member: string, id: string): NamedValues {
  const record: NamedValues = new Map([['id', id]]);
  for (const [directory, data] of teamPropertyPairs) copyValue(team, directory, record, data);
  copyValue(team, 'phone-numbers', record, 'phone');
  copyValue(team, member, record, 'membership');
  for (const [name, value] of fromEnckeys(team.get('enckeys'))) setValue(record, name, value);
  setValue(record, 'last-modified', convertDate(team.get('last-modified'), formatSpacedTimestamp));
  const country = team.get('country-code');
  const names = country === undefined ? [] : getCountryNames(String(country));
  setValue(record, '(country-name)', names.length === 0 ? undefined : names);
  return record;
}

function copyValue(from: NamedValues, name: string, to: NamedValues, as: string): void {
  setValue(to, as, from.get(name));
}

function setValue(record: NamedValues, name: string, value: PropertyValue | undefined): void {
  if (value !== undefined) record.set(name, value);
}

/** Text that is not a date is unchanged. */
function convertDate(value: PropertyValue | undefined, write: (at: number) => string): PropertyValue | undefined {
  const moment = value === undefined ? undefined : parseDate(String(value));
  return moment === undefined ? value : write(moment.epochMs);
}

/** Property names: by position, as a set, and further properties that are lists. */
interface ResourceShape {
  readonly columns: readonly string[];
  readonly columnNames: ReadonlySet<string>;
  readonly listProperties: ReadonlySet<string>;
}

function shapeOf(resource: Resource): ResourceShape {
  const columns = listStoredProperties(resource).map(({ name }) => name);
  const lists = resource.knownExtraProperties.filter(({ kind }) => kind === 'countries').map(({ name }) => name);
  return { columns, columnNames: new Set(columns), listProperties: new Set(lists) };
}

function readNamedValues({ columns }: ResourceShape, record: StoredRecord): NamedValues {
  const team: NamedValues = new Map(record.extraProperties);
  columns.forEach((name, position) => setValue(team, name, record.valueAt(position)));
  return team;
}

function createRow(
  { columns, columnNames: known, listProperties: lists }: ResourceShape,
  team: NamedValues,
): RecordRow {
  const further: ExtraProperty[] = [];
  // A further property that is a list by its kind remains one.
  for (const [name, value] of team)
    if (!known.has(name)) further.push([name, lists.has(name) ? toItems(value) : value]);
  return { values: columns.map((name) => team.get(name)), extraProperties: further };
}
