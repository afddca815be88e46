import type { Further, HeldRecord, Row } from '../model/record.js';
import { columnsOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { counterparts } from '../model/resources/counterparts.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { inTurns } from '../model/slices.js';
import { itemsOf } from '../model/value.js';
import type { Value } from '../model/value.js';
import { Packer } from '../records/packed.js';
import { RecordSet } from '../records/record-set.js';
import { countryNames } from '../region/names.js';
import { isoTimestamp, readDate, spacedTimestamp } from '../text/date.js';
import { DERIVED_FINGERPRINT, fromKeys, toKeys } from './keys.js';
import { withFax } from './phones.js';

/** A record's properties by name, those that have a value. */
type Named = Map<string, Value>;

/**
 * The teams of a source on the interface that it does not speak itself. What has no counterpart there is not shown there. The front of a stream
 * stays one: a record keeps its place in every order that both interfaces have.
 */
export async function translate(set: RecordSet, to: Resource, code: string): Promise<RecordSet> {
  const member = `-${code}-member-type`;
  const turn = to === directoryTeams ? toDirectory : toData;
  const [before, after] = [shapeOf(set.resource), shapeOf(to)];
  const packer = new Packer(to);
  await inTurns(set.records, (record) => {
    packer.add(shaped(after, turn(named(before, record), member, record.id)), record.id);
  });
  const { behind, cut, readAt } = set;
  return new RecordSet(to, set.sourceNumber, packer.records, { behind, cut, readAt });
}

function toDirectory(team: Named, member: string): Named {
  const record: Named = new Map();
  for (const [directory, data] of counterparts) copy(team, data, record, directory);
  put(record, 'phone-numbers', withFax(team));
  const [fingerprint, id, derived] = [team.get('pgp-fingerprint'), team.get('pgp-id'), team.get(DERIVED_FINGERPRINT)];
  put(record, 'enckeys', fromKeys({ fingerprint, id, derived }));
  copy(team, 'membership', record, member);
  put(record, 'last-modified', dated(team.get('last-modified'), isoTimestamp));
  return record;
}

function toData(team: Named, member: string, id: string): Named {
  const record: Named = new Map([['id', id]]);
  for (const [directory, data] of counterparts) copy(team, directory, record, data);
  copy(team, 'phone-numbers', record, 'phone');
  copy(team, member, record, 'membership');
  for (const [name, value] of toKeys(team.get('enckeys'))) put(record, name, value);
  put(record, 'last-modified', dated(team.get('last-modified'), spacedTimestamp));
  const country = team.get('country-code');
  const names = country === undefined ? [] : countryNames(String(country));
  put(record, '(country-name)', names.length === 0 ? undefined : names);
  return record;
}

function copy(from: Named, name: string, to: Named, as: string): void {
  put(to, as, from.get(name));
}

function put(record: Named, name: string, value: Value | undefined): void {
  if (value !== undefined) record.set(name, value);
}

/** A date in the other interface's form; text that is no date stays as it is. */
function dated(value: Value | undefined, write: (at: number) => string): Value | undefined {
  const moment = value === undefined ? undefined : readDate(String(value));
  return moment === undefined ? value : write(moment.at);
}

/** The names of a resource's values, by position. */
interface Shape {
  readonly columns: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
}

function shapeOf(resource: Resource): Shape {
  const columns = columnsOf(resource).map(({ name }) => name);
  const lists = resource.extra.filter(({ kind }) => kind === 'countries').map(({ name }) => name);
  return { columns, known: new Set(columns), lists: new Set(lists) };
}

function named({ columns }: Shape, record: HeldRecord): Named {
  const team: Named = new Map(record.further);
  columns.forEach((name, position) => put(team, name, record.value(position)));
  return team;
}

function shaped({ columns, known, lists }: Shape, team: Named): Row {
  const further: Further[] = [];
  // A further property that is a list by its kind stays one.
  for (const [name, value] of team)
    if (!known.has(name)) further.push([name, lists.has(name) ? itemsOf(value) : value]);
  return { values: columns.map((name) => team.get(name)), further };
}
