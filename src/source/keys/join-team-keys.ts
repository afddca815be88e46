import type { ExtraProperty, StoredRecord } from '../../model/record.js';
import { findPropertyPosition } from '../../model/resource.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { withExtraProperties } from '../../records/packed-records.js';
import { RecordSet } from '../../records/record-set.js';
import { identityKey } from '../record/record-ids.js';
import { DERIVED_FINGERPRINT, normalizeKeys, addMissingKeys } from '../record/pgp-key-properties.js';

/** With what was read from the keys. */
const KEY_PROPERTIES: ReadonlySet<string> = new Set([...dataTeams.pgpKeyProperties, DERIVED_FINGERPRINT]);
const NAME_POSITIONS = dataTeams.nameProperties.map((name) => findPropertyPosition(dataTeams, name));

/** Whether any team shows a key. */
export function hasPgpKeys(set: RecordSet): Promise<boolean> {
  return set.computeOnce('has keys', async () => {
    let found = false;
    await forEachTimeSliced(set.records, ({ extraNames: names }) => {
      found ||= names.some((name) => KEY_PROPERTIES.has(name));
    });
    return found;
  });
}

/** Teams with their keys. */
export interface TeamsWithKeys {
  readonly set: RecordSet;
  /** Whether the source gave a key of one of these teams that cannot be assigned to any of them. */
  readonly hasUnassignedKeys: boolean;
}

/**
 * The teams of a source with the keys that it gave under `scope=pgp` beside those of their public records, joined by the source's own ids. Where several lay
 * claim to an id in either list, which of them has it was decided there, and may be otherwise here: of these a key is assigned to the one team with the same names, country and
 * e-mail, and to no other. Where both lists give a team another value, the team has both.
 * `part`: there are more teams than these, and a key with an id that none of these has is one of theirs.
 */
export async function joinTeamKeys(teams: RecordSet, keys: RecordSet, part = false): Promise<TeamsWithKeys> {
  const keyed = new Map<string, StoredRecord>();
  await forEachTimeSliced(keys.records, (record) => keyed.set(record.id, record));
  const contested = new Set([...teams.contestedIds, ...keys.contestedIds]);
  const [known, byFacts] = [await indexByIdentity(teams, contested), await indexByIdentity(keys, contested)];
  const keyOf = (team: StoredRecord): StoredRecord | undefined => {
    if (!contested.has(team.id)) return keyed.get(team.id);
    const facts = identityKey(dataTeams, team);
    return known.get(facts) === team ? byFacts.get(facts) : undefined;
  };
  const placed = new Set<StoredRecord>();
  const records: StoredRecord[] = [];
  await forEachTimeSliced(teams.records, (team) => {
    const found = keyOf(team);
    if (found === undefined || !haveSameNames(found, team)) return void records.push(team);
    placed.add(found);
    const further = keyPropertiesOf(found).flatMap((key) => mergeKeyProperty(team, key));
    records.push(further.length === 0 ? team : withExtraProperties(team, further));
  });
  const unplaced: StoredRecord[] = [];
  const ids = new Set(part ? teams.records.map(({ id }) => id) : []);
  await forEachTimeSliced(keys.records, (record) => {
    if (placed.has(record) || keyPropertiesOf(record).length === 0) return;
    if (!part || contested.has(record.id) || ids.has(record.id)) unplaced.push(record);
  });
  const { unfetchedCount: behind, isTruncated: cut, readAt } = teams;
  return {
    set: new RecordSet(teams.resource, teams.sourceNumber, records, {
      unfetchedCount: behind,
      isTruncated: cut,
      readAt,
    }),
    hasUnassignedKeys: unplaced.length > 0 && (await hasMissingKey(records, unplaced)),
  };
}

function keyPropertiesOf({ extraProperties: further }: StoredRecord): StoredRecord['extraProperties'] {
  return further.filter(([name]) => KEY_PROPERTIES.has(name));
}

/** What a value that came under `scope=pgp` adds to a team: nothing where its public record says the same. */
function mergeKeyProperty(team: StoredRecord, [name, value]: ExtraProperty): readonly ExtraProperty[] {
  const own = team.extraValue(name);
  if (own === undefined) return [[name, value]];
  const all = addMissingKeys(own, value);
  return all === own ? [] : [[name, all]];
}

/**
 * Whether one of the keys belongs to one of the teams, by its id or a name, and no team of that id or name shows it. A source may give the keys of more teams
 * than it shows: those are not public.
 */
async function hasMissingKey(teams: readonly StoredRecord[], keys: readonly StoredRecord[]): Promise<boolean> {
  const shown = new Map<unknown, Set<string>>();
  await forEachTimeSliced(teams, (team) => {
    const texts = normalizedKeysOf(team);
    for (const name of identifiersOf(team)) {
      const known = shown.get(name) ?? new Set();
      shown.set(name, known);
      for (const text of texts) known.add(text);
    }
  });
  let found = false;
  await forEachTimeSliced(keys, (record) => {
    const candidates = identifiersOf(record).flatMap((name) => shown.get(name) ?? []);
    found ||=
      candidates.length > 0 && normalizedKeysOf(record).some((text) => !candidates.some((texts) => texts.has(text)));
  });
  return found;
}

/** The keys of a record in a form that can be compared. */
function normalizedKeysOf(record: StoredRecord): readonly string[] {
  return keyPropertiesOf(record).flatMap(([name, value]) => normalizeKeys(value).map((text) => `${name} ${text}`));
}

function identifiersOf(team: StoredRecord): readonly unknown[] {
  return [team.id, ...NAME_POSITIONS.flatMap((at) => team.valueAt(at) ?? [])];
}

/** Those with one of these ids, by their names, country and e-mail; undefined where several are alike in all of that. */
async function indexByIdentity(
  set: RecordSet,
  contested: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredRecord | undefined>> {
  const found = new Map<string, StoredRecord | undefined>();
  await forEachTimeSliced(contested.size === 0 ? [] : set.records, (record) => {
    if (!contested.has(record.id)) return;
    const facts = identityKey(dataTeams, record);
    found.set(facts, found.has(facts) ? undefined : record);
  });
  return found;
}

/** Whether no name is another one. */
function haveSameNames(a: StoredRecord, b: StoredRecord): boolean {
  return NAME_POSITIONS.map((at) => [a.valueAt(at), b.valueAt(at)]).every(
    ([one, other]) => one === undefined || other === undefined || one === other,
  );
}
