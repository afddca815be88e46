import type { ExtraProperty, StoredRecord } from '../../model/record.js';
import { DERIVED_FINGERPRINT, findPropertyPosition } from '../../model/resource.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { withExtraProperties } from '../../records/packed-records.js';
import { RecordSet } from '../../records/record-set.js';
import { identityKey } from '../record/record-ids.js';
import { normalizeKeys, addMissingKeys } from '../record/enckeys-and-pgp-properties.js';

/** Of data teams, including the derived fingerprints. */
const KEY_PROPERTIES: ReadonlySet<string> = new Set([...dataTeams.pgpKeyProperties, DERIVED_FINGERPRINT]);
const NAME_POSITIONS = dataTeams.nameProperties.map((name) => findPropertyPosition(dataTeams, name));

export function hasPgpKeys(set: RecordSet): Promise<boolean> {
  return set.computeOnce('has keys', async () => {
    let found = false;
    await forEachTimeSliced(set.records, ({ extraNames: names }) => {
      found ||= names.some((name) => KEY_PROPERTIES.has(name));
    });
    return found;
  });
}

export interface TeamsWithKeys {
  readonly set: RecordSet;
  /** A key of one of these teams could not be assigned to any of them (decisions 4.23). */
  readonly hasUnassignedKeys: boolean;
}

/**
 * Adds the keys that the source returned under `scope=pgp`, joined by its own ids.
 * - If several records of either list claim an id, the other list may have given it to one of them. Such a key is
 *   assigned to the one team with the same names, country and e-mail, otherwise to none.
 * - If both lists have different values for a team, the team gets both.
 */
export async function joinTeamKeys(teams: RecordSet, keys: RecordSet): Promise<TeamsWithKeys> {
  const keyed = new Map<string, StoredRecord>();
  await forEachTimeSliced(keys.records, (record) => keyed.set(record.id, record));
  const contested = new Set([teams, keys].flatMap(({ contestedIds }) => [...contestedIds].flat(2)));
  const [known, byFacts] = [await indexByIdentity(teams, contested), await indexByIdentity(keys, contested)];
  const keyOf = (team: StoredRecord): StoredRecord | undefined => {
    if (!contested.has(team.id)) return keyed.get(team.id);
    const facts = identityKey(dataTeams, team);
    return known.get(facts) === team ? byFacts.get(facts) : undefined;
  };
  const assigned = new Set<StoredRecord>();
  const records: StoredRecord[] = [];
  await forEachTimeSliced(teams.records, (team) => {
    const found = keyOf(team);
    if (found === undefined || !haveSameNames(found, team)) return void records.push(team);
    assigned.add(found);
    const further = keyPropertiesOf(found).flatMap((key) => mergeKeyProperty(team, key));
    records.push(further.length === 0 ? team : withExtraProperties(team, further));
  });
  const unassigned: StoredRecord[] = [];
  await forEachTimeSliced(keys.records, (record) => {
    if (assigned.has(record) || keyPropertiesOf(record).length === 0) return;
    unassigned.push(record);
  });
  const { unfetchedCount, isTruncated, contestedIds, readAt } = teams;
  return {
    set: new RecordSet(teams.resource, teams, records, {
      unfetchedCount,
      isTruncated,
      contestedIds,
      readAt,
    }),
    hasUnassignedKeys: unassigned.length > 0 && (await hasMissingKey(records, unassigned, claimedIdsOf([teams, keys]))),
  };
}

function keyPropertiesOf({ extraProperties: further }: StoredRecord): StoredRecord['extraProperties'] {
  return further.filter(([name]) => KEY_PROPERTIES.has(name));
}

/** What a value of `scope=pgp` adds; nothing if the team's public record contains it. */
function mergeKeyProperty(team: StoredRecord, [name, value]: ExtraProperty): readonly ExtraProperty[] {
  const own = team.extraValue(name);
  if (own === undefined) return [[name, value]];
  const all = addMissingKeys(own, value);
  return all === own ? [] : [[name, all]];
}

/**
 * A key belongs to one of the teams, by id or name, and none with that id or name shows it. Keys of further teams do
 * not count: those teams are not public.
 */
async function hasMissingKey(
  teams: readonly StoredRecord[],
  keys: readonly StoredRecord[],
  claimedIds: ReadonlyMap<string, string>,
): Promise<boolean> {
  const identifiersOf = (team: StoredRecord): readonly unknown[] => [
    claimedIds.get(team.id) ?? team.id,
    ...NAME_POSITIONS.flatMap((at) => team.valueAt(at) ?? []),
  ];
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

/** In canonical form, with the names of their properties. */
function normalizedKeysOf(record: StoredRecord): readonly string[] {
  return keyPropertiesOf(record).flatMap(([name, value]) => normalizeKeys(value).map((text) => `${name} ${text}`));
}

/** The id that each record claimed before it got another, because several claimed it. */
function claimedIdsOf(sets: readonly RecordSet[]): ReadonlyMap<string, string> {
  const claims = sets.flatMap(({ contestedIds }) => [...contestedIds]);
  return new Map(claims.flatMap(([claimed, ids]) => ids.map((id) => [id, claimed] as const)));
}

/** By names, country and e-mail; undefined if several records have the same. */
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

/** A missing name agrees with any. */
function haveSameNames(a: StoredRecord, b: StoredRecord): boolean {
  return NAME_POSITIONS.map((at) => [a.valueAt(at), b.valueAt(at)]).every(
    ([one, other]) => one === undefined || other === undefined || one === other,
  );
}
