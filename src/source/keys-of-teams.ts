import type { HeldRecord } from '../model/record.js';
import { positionOf } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { inTurns } from '../model/slices.js';
import { RecordSet } from '../records/record-set.js';

const KEYS: ReadonlySet<string> = new Set(dataTeams.keys);
const NAMES = dataTeams.names.map((name) => positionOf(dataTeams, name));

/** Whether any team shows a key. */
export function hasKeys(set: RecordSet): Promise<boolean> {
  return set.once('has keys', async () => {
    let found = false;
    await inTurns(set.records, ({ further }) => {
      found ||= further.some(([name]) => KEYS.has(name));
    });
    return found;
  });
}

/** The teams of a source with the keys that it gave under `scope=pgp`, joined by the source's own ids. */
export async function withKeys(teams: RecordSet, keys: RecordSet): Promise<RecordSet> {
  const keyed = new Map<string, HeldRecord>();
  await inTurns(keys.records, (record) => keyed.set(record.id, record));
  const records: HeldRecord[] = [];
  await inTurns(teams.records, (team) => {
    const found = keyed.get(team.id);
    const further = found !== undefined && agree(found, team) ? found.further.filter(([name]) => KEYS.has(name)) : [];
    records.push(further.length === 0 ? team : { ...team, further: [...team.further, ...further] });
  });
  return new RecordSet(teams.resource, teams.sourceNumber, records);
}

/** Whether no name is another one: an id that several teams of a source claim may be another team's in the shorter list. */
function agree(a: HeldRecord, b: HeldRecord): boolean {
  return NAMES.map((at) => [a.values[at], b.values[at]]).every(
    ([one, other]) => one === undefined || other === undefined || one === other,
  );
}
