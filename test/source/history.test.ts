import { describe, expect, it } from 'vitest';
import type { HeldRecord } from '../../src/model/record.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import { History } from '../../src/source/history.js';
import type { Fetched, Placed } from '../../src/source/history.js';

const record = (id: string, text = 'x', note = 'n'): HeldRecord => ({
  id,
  values: [text, undefined, ['a', 'b']],
  further: [['note', note]],
});
const setOf = (...records: readonly HeldRecord[]): RecordSet => new RecordSet(directoryTeams, 1, records);

/** What a history makes of what was fetched, but for what is the same. */
async function standing(history: History, key: string, fetched: Fetched, now: number): Promise<Partial<Placed>> {
  const { since, floor } = (await history.compare(key, fetched))(now);
  return { since, ...(floor !== undefined && { floor }) };
}

const first = setOf(record('a'), record('b'));

describe('the standing of a copy', () => {
  it('begins when it is first seen, and its dates alone tell when it changed', async () => {
    expect(await standing(new History(), 'teams', { set: first }, 1_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['the same copy, verified', first],
    ['another one with the same records', setOf(record('a'), record('b'))],
    ['one with the same records in another order', setOf(record('b'), record('a'))],
  ])('goes on with %s', async (_title, next) => {
    const history = new History();
    await standing(history, 'teams', { set: first }, 1_000);
    expect(await standing(history, 'teams', { set: next }, 2_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['a record is gone', setOf(record('a'))],
    ['a record came', setOf(record('a'), record('b'), record('c'))],
    ['a record came twice', setOf(record('a'), record('b'), record('b'))],
    ['a value is another', setOf(record('a', 'y'), record('b'))],
    ['a further property is another', setOf(record('a', 'x', 'm'), record('b'))],
    ['nothing is left', setOf()],
  ])('begins anew, and tells when, where %s', async (_title, next) => {
    const history = new History();
    await standing(history, 'teams', { set: first }, 1_000);
    expect(await standing(history, 'teams', { set: next }, 2_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await standing(history, 'teams', { set: next }, 3_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await standing(history, 'teams', { set: first }, 4_000)).toEqual({ since: 4_000, floor: 2_000 });
  });

  it('remembers the newest date that was shown before, of a record or of the source', async () => {
    const at = directoryTeams.properties.length;
    const dated = setOf({ id: 'a', values: [...Array<undefined>(at), '2026-01-01T00:00:00+00:00'], further: [] });
    const history = new History();
    await standing(history, 'teams', { set: dated, lastModified: 5 }, 1_000);
    expect(await standing(history, 'teams', { set: first, lastModified: Date.UTC(2027) }, 2_000)).toEqual({
      since: 2_000,
      floor: Date.UTC(2026),
    });
    expect((await standing(history, 'teams', { set: dated }, 3_000)).floor).toBe(Date.UTC(2027));
  });

  it('is each resource’s own', async () => {
    const history = new History();
    await standing(history, 'teams', { set: first }, 1_000);
    expect(await standing(history, 'news', { set: setOf() }, 2_000)).toEqual({ since: 2_000 });
  });
});
