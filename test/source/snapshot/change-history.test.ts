import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../../src/model/record.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { SnapshotHistory } from '../../../src/source/snapshot/change-history.js';
import type { DatedRecords } from '../../../src/source/snapshot/change-history.js';
import type { SnapshotHistoryStore, StoredRevision } from '../../../src/source/snapshot/history-store.js';
import { packRecord } from '../../support/pack-records.js';

const record = (id: string, text = 'x', note = 'n'): StoredRecord =>
  packRecord(directoryTeams, { id, values: [text, undefined, ['a', 'b']], extraProperties: [['note', note]] });
const setOf = (...records: readonly StoredRecord[]): RecordSet => new RecordSet(directoryTeams, 1, records);

/** The front of a stream, with so many records behind it. */
const frontOf = (behind: number, ...records: readonly StoredRecord[]): RecordSet =>
  new RecordSet(directoryTeams, 1, records, { unfetchedCount: behind });

/** The revision that a history gives what was fetched. */
async function revision(
  history: SnapshotHistory,
  key: string,
  fetched: Pick<DatedRecords, 'set' | 'lastModified'>,
  now: number,
): Promise<Partial<DatedRecords>> {
  const { since, floor } = history.dateUnchanged(key, fetched) ?? (await history.compare(key, fetched))(now);
  return { since, ...(floor !== undefined && { floor }) };
}

/** A memory that knows one copy, whatever it is asked for. */
const memoryWith = (remembered: StoredRevision): SnapshotHistoryStore => ({
  forgotten: { copies: false, items: false },
  get: () => remembered,
  set: () => undefined,
  forget: () => undefined,
  recordCount: () => undefined,
  setRecordCount: () => undefined,
  addPendingWork: () => undefined,
});

const first = setOf(record('a'), record('b'));

describe('the revision of a snapshot', () => {
  it('begins when it is first seen, and its dates alone tell when it changed', async () => {
    expect(await revision(new SnapshotHistory(), 'teams', { set: first }, 1_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['the same copy, verified', first],
    ['another one with the same records', setOf(record('a'), record('b'))],
    ['one with the same records in another order', setOf(record('b'), record('a'))],
  ])('goes on with %s', async (_title, next) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'teams', { set: next }, 2_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['a record is gone', setOf(record('a'))],
    ['a record came', setOf(record('a'), record('b'), record('c'))],
    ['a record came twice', setOf(record('a'), record('b'), record('b'))],
    ['a value is another', setOf(record('a', 'y'), record('b'))],
    ['a further property is another', setOf(record('a', 'x', 'm'), record('b'))],
    ['nothing is left', setOf()],
  ])('begins anew, and tells when, where %s', async (_title, next) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'teams', { set: next }, 2_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await revision(history, 'teams', { set: next }, 3_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await revision(history, 'teams', { set: first }, 4_000)).toEqual({ since: 4_000, floor: 2_000 });
  });

  /** One record that is dated so, as of the moment at which it was read. */
  const datedSet = (date: string, readAt: number): RecordSet => {
    const at = directoryTeams.properties.length;
    const values = [...Array<undefined>(at), date];
    return new RecordSet(directoryTeams, 1, [packRecord(directoryTeams, { id: 'a', values })], { readAt });
  };

  it('remembers the newest date that was shown before, of a record or of the source', async () => {
    const now = Date.UTC(2028);
    const dated = datedSet('2026-01-01T00:00:00+00:00', now);
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: dated, lastModified: 5 }, now + 1_000);
    expect(await revision(history, 'teams', { set: first, lastModified: Date.UTC(2027) }, now + 2_000)).toEqual({
      since: now + 2_000,
      floor: Date.UTC(2026),
    });
    expect((await revision(history, 'teams', { set: dated }, now + 3_000)).floor).toBe(now + 2_000);
  });

  it('knows of no date that was in the future when it was first held, for none was shown by that', async () => {
    const now = Date.UTC(2026);
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: datedSet('2030-01-01T00:00:00+00:00', now), lastModified: 5 }, now);
    expect(await revision(history, 'teams', { set: first }, now + 1_000)).toEqual({ since: now + 1_000, floor: 5 });
  });

  it('goes on after a restart with records whose date has passed meanwhile, which tells of no change', async () => {
    const [then, now] = [Date.UTC(2026), Date.UTC(2027)];
    const date = '2026-07-01T00:00:00+00:00';
    const fingerprint = await datedSet(date, then).fingerprint();
    const memory = memoryWith({ since: then, lastModified: 5, newest: 5, fingerprint });
    const history = new SnapshotHistory(memory);
    const { set, since } = (await history.compare('teams', { set: datedSet(date, now), lastModified: 5 }))(now);
    expect({ since, readAt: set.readAt }).toEqual({ since: then, readAt: then });
  });

  it('begins anew where an earlier release remembers a date of the source that was in the future', async () => {
    const [then, now] = [Date.UTC(2026), Date.UTC(2027)];
    const fingerprint = await first.fingerprint();
    const history = new SnapshotHistory(
      memoryWith({ since: then, lastModified: Date.UTC(2030), newest: then, fingerprint }),
    );
    const { since, lastModified } = (await history.compare('teams', { set: first }))(now);
    expect({ since, lastModified }).toEqual({ since: now, lastModified: undefined });
  });

  it('begins anew with the very same set where something else was shown meanwhile, or its source dates it later', async () => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first, lastModified: 5 }, 1_000);
    history.supersede('teams');
    expect(await revision(history, 'teams', { set: first, lastModified: 5 }, 2_000)).toEqual({
      since: 2_000,
      floor: 5,
    });
    expect(await revision(history, 'teams', { set: first, lastModified: 4 }, 3_000)).toEqual({
      since: 2_000,
      floor: 5,
    });
    expect((await revision(history, 'teams', { set: first, lastModified: 6 }, 4_000)).since).toBe(4_000);
  });

  it.each<[title: string, next: RecordSet, changed: boolean]>([
    ['goes on where the front of a stream reaches further', frontOf(1, record('a'), record('b'), record('c')), false],
    ['goes on where it reaches the end', frontOf(0, record('a'), record('b'), record('c'), record('d')), false],
    ['begins anew where it reaches less far', frontOf(3, record('a')), true],
    ['begins anew where there are more behind it', frontOf(2, record('a'), record('b'), record('c')), true],
    ['begins anew where a record before is another', frontOf(1, record('a', 'y'), record('b'), record('c')), true],
    ['begins anew where the order is another', frontOf(1, record('b'), record('a'), record('c')), true],
  ])('%s', async (_title, next, changed) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: frontOf(2, record('a'), record('b')) }, 1_000);
    const { since } = await revision(history, 'teams', { set: next }, 2_000);
    expect(since).toBe(changed ? 2_000 : 1_000);
  });

  it('begins anew where the front of a stream reaches further, and its source says a newer date', async () => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: frontOf(2, record('a')), lastModified: 5 }, 1_000);
    const next = { set: frontOf(1, record('a'), record('b')), lastModified: 6 };
    expect(await revision(history, 'teams', next, 2_000)).toEqual({ since: 2_000, floor: 5 });
  });

  it('is each resource’s own', async () => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'news', { set: setOf() }, 2_000)).toEqual({ since: 2_000 });
  });
});

/** Copies that are known at once. */
const MOST_KNOWN = 10_000;

describe('what is known of copies', () => {
  it('is forgotten first of the one that was looked at longest ago, also where one was looked at again and again', async () => {
    const history = new SnapshotHistory();
    const look = (key: string): Promise<unknown> => revision(history, key, { set: first }, 1_000);
    for (const key of ['one', 'other', 'other', 'one']) await look(key);
    for (let nth = 1; nth < MOST_KNOWN; nth += 1) await look(`${nth}`);
    const known = (key: string): boolean => history.dateUnchanged(key, { set: first }) !== undefined;
    expect([known('one'), known('other'), known('1')]).toEqual([true, false, true]);
  });
});
