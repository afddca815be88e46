import type { Further, HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { inTurns } from '../model/slices.js';
import { withFurther } from '../records/packed.js';
import { RecordSet } from '../records/record-set.js';
import { factsOf } from './identity.js';
import { DERIVED_FINGERPRINT, canonicalKeys, withMissingKeys } from './keys.js';

/** With what was read from the keys. */
const KEYS: ReadonlySet<string> = new Set([...dataTeams.keys, DERIVED_FINGERPRINT]);
const NAMES = dataTeams.names.map((name) => positionOf(dataTeams, name));

/** Whether any team shows a key. */
export function hasKeys(set: RecordSet): Promise<boolean> {
  return set.once('has keys', async () => {
    let found = false;
    await inTurns(set.records, ({ names }) => {
      found ||= names.some((name) => KEYS.has(name));
    });
    return found;
  });
}

/** Teams with their keys. */
export interface KeyedTeams {
  readonly set: RecordSet;
  /** Whether the source gave a key of one of these teams that cannot be assigned to any of them. */
  readonly unplaced: boolean;
}

/**
 * The teams of a source with the keys that it gave under `scope=pgp` beside those of their public records, joined by the source's own ids. Where several lay
 * claim to an id in either list, which of them has it was decided there, and may be otherwise here: of these a key is assigned to the one team with the same names, country and
 * e-mail, and to no other. Where both lists give a team another value, the team has both.
 * `part`: there are more teams than these, and a key with an id that none of these has is one of theirs.
 */
export async function withKeys(teams: RecordSet, keys: RecordSet, part = false): Promise<KeyedTeams> {
  const keyed = new Map<string, HeldRecord>();
  await inTurns(keys.records, (record) => keyed.set(record.id, record));
  const contested = new Set([...teams.contested, ...keys.contested]);
  const [known, byFacts] = [await contestedByFacts(teams, contested), await contestedByFacts(keys, contested)];
  const keyOf = (team: HeldRecord): HeldRecord | undefined => {
    if (!contested.has(team.id)) return keyed.get(team.id);
    const facts = factsOf(dataTeams, team);
    return known.get(facts) === team ? byFacts.get(facts) : undefined;
  };
  const placed = new Set<HeldRecord>();
  const records: HeldRecord[] = [];
  await inTurns(teams.records, (team) => {
    const found = keyOf(team);
    if (found === undefined || !agree(found, team)) return void records.push(team);
    placed.add(found);
    const further = keysOf(found).flatMap((key) => merged(team, key));
    records.push(further.length === 0 ? team : withFurther(team, further));
  });
  const unplaced: HeldRecord[] = [];
  const ids = new Set(part ? teams.records.map(({ id }) => id) : []);
  await inTurns(keys.records, (record) => {
    if (placed.has(record) || keysOf(record).length === 0) return;
    if (!part || contested.has(record.id) || ids.has(record.id)) unplaced.push(record);
  });
  const { behind, cut, readAt } = teams;
  return {
    set: new RecordSet(teams.resource, teams.sourceNumber, records, { behind, cut, readAt }),
    unplaced: unplaced.length > 0 && (await lack(records, unplaced)),
  };
}

function keysOf({ further }: HeldRecord): HeldRecord['further'] {
  return further.filter(([name]) => KEYS.has(name));
}

/** What a value that came under `scope=pgp` adds to a team: nothing where its public record says the same. */
function merged(team: HeldRecord, [name, value]: Further): readonly Further[] {
  const own = team.named(name);
  if (own === undefined) return [[name, value]];
  const all = withMissingKeys(own, value);
  return all === own ? [] : [[name, all]];
}

/**
 * Whether one of the keys belongs to one of the teams, by its id or a name, and no team of that id or name shows it. A source may give the keys of more teams
 * than it shows: those are not public.
 */
async function lack(teams: readonly HeldRecord[], keys: readonly HeldRecord[]): Promise<boolean> {
  const shown = new Map<unknown, Set<string>>();
  await inTurns(teams, (team) => {
    const texts = textsOf(team);
    for (const name of callingsOf(team)) {
      const known = shown.get(name) ?? new Set();
      shown.set(name, known);
      for (const text of texts) known.add(text);
    }
  });
  let found = false;
  await inTurns(keys, (record) => {
    const candidates = callingsOf(record).flatMap((name) => shown.get(name) ?? []);
    found ||= candidates.length > 0 && textsOf(record).some((text) => !candidates.some((texts) => texts.has(text)));
  });
  return found;
}

/** The keys of a record in a form that can be compared. */
function textsOf(record: HeldRecord): readonly string[] {
  return keysOf(record).flatMap(([name, value]) => canonicalKeys(value).map((text) => `${name} ${text}`));
}

function callingsOf(team: HeldRecord): readonly unknown[] {
  return [team.id, ...NAMES.flatMap((at) => team.value(at) ?? [])];
}

/** Those with one of these ids, by their names, country and e-mail; undefined where several are alike in all of that. */
async function contestedByFacts(
  set: RecordSet,
  contested: ReadonlySet<string>,
): Promise<ReadonlyMap<string, HeldRecord | undefined>> {
  const found = new Map<string, HeldRecord | undefined>();
  await inTurns(contested.size === 0 ? [] : set.records, (record) => {
    if (!contested.has(record.id)) return;
    const facts = factsOf(dataTeams, record);
    found.set(facts, found.has(facts) ? undefined : record);
  });
  return found;
}

/** Whether no name is another one. */
function agree(a: HeldRecord, b: HeldRecord): boolean {
  return NAMES.map((at) => [a.value(at), b.value(at)]).every(
    ([one, other]) => one === undefined || other === undefined || one === other,
  );
}
