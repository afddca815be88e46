import { describe, expect, it } from 'vitest';
import type { StoredRecord } from '../../../src/model/record.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { SnapshotHistory } from '../../../src/source/snapshot/change-history.js';
import type { DatedRecords } from '../../../src/source/snapshot/change-history.js';
import type { SnapshotHistoryStore, StoredRevision } from '../../../src/source/snapshot/history-store.js';
import { firstSource } from '../../support/gateway/first-source.js';
import { packRecord } from '../../support/unit/pack-records.js';

const record = (id: string, text = 'x', note = 'n'): StoredRecord =>
  packRecord(directoryTeams, { id, values: [text, undefined, ['a', 'b']], extraProperties: [['note', note]] });
const setOf = (...records: readonly StoredRecord[]): RecordSet => new RecordSet(directoryTeams, firstSource, records);

/** Top records, with the given number of records not fetched. */
const topRecordsOf = (behind: number, ...records: readonly StoredRecord[]): RecordSet =>
  new RecordSet(directoryTeams, firstSource, records, { unfetchedCount: behind });

/** The dates that a history assigns to fetched records. */
async function revision(
  history: SnapshotHistory,
  key: string,
  fetched: Pick<DatedRecords, 'set' | 'lastModified'>,
  now: number,
): Promise<Partial<DatedRecords>> {
  const { since, floor } = history.dateUnchanged(key, fetched) ?? (await history.compare(key, fetched))(now);
  return { since, ...(floor !== undefined && { floor }) };
}

/** A history store that returns one stored revision for every key. */
const memoryWith = (remembered: StoredRevision): SnapshotHistoryStore => ({
  forgotten: { copies: false, items: false },
  replacedAt: undefined,
  get: () => remembered,
  set: () => undefined,
  forget: () => undefined,
  recordCount: () => undefined,
  setRecordCount: () => undefined,
  addPendingWork: () => undefined,
});

const first = setOf(record('a'), record('b'));

describe('change history of a snapshot', () => {
  it('starts at the first fetch, without a detected change', async () => {
    expect(await revision(new SnapshotHistory(), 'teams', { set: first }, 1_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['the same record set', first],
    ['another set with the same records', setOf(record('a'), record('b'))],
    ['a set with the same records in another order', setOf(record('b'), record('a'))],
  ])('keeps the date of change for %s', async (_title, next) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'teams', { set: next }, 2_000)).toEqual({ since: 1_000 });
  });

  it.each([
    ['a record was removed', setOf(record('a'))],
    ['a record was added', setOf(record('a'), record('b'), record('c'))],
    ['a record was duplicated', setOf(record('a'), record('b'), record('b'))],
    ['a value changed', setOf(record('a', 'y'), record('b'))],
    ['an extra property changed', setOf(record('a', 'x', 'm'), record('b'))],
    ['all records were removed', setOf()],
  ])('dates a change where %s', async (_title, next) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'teams', { set: next }, 2_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await revision(history, 'teams', { set: next }, 3_000)).toEqual({ since: 2_000, floor: -Infinity });
    expect(await revision(history, 'teams', { set: first }, 4_000)).toEqual({ since: 4_000, floor: 2_000 });
  });

  /** One record with the given date, read at the given time. */
  const datedSet = (date: string, readAt: number): RecordSet => {
    const at = directoryTeams.properties.length;
    const values = [...Array<undefined>(at), date];
    return new RecordSet(directoryTeams, firstSource, [packRecord(directoryTeams, { id: 'a', values })], { readAt });
  };

  it('remembers the newest date of earlier responses, of a record or of the source', async () => {
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

  it('ignores a date that was in the future when it was first cached, because no response showed it', async () => {
    const now = Date.UTC(2026);
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: datedSet('2030-01-01T00:00:00+00:00', now), lastModified: 5 }, now);
    expect(await revision(history, 'teams', { set: first }, now + 1_000)).toEqual({ since: now + 1_000, floor: 5 });
  });

  it('dates no change after a restart where the date of a record has passed meanwhile', async () => {
    const [then, now] = [Date.UTC(2026), Date.UTC(2027)];
    const date = '2026-07-01T00:00:00+00:00';
    const fingerprint = await datedSet(date, then).fingerprint();
    const memory = memoryWith({ since: then, lastModified: 5, newest: 5, fingerprint });
    const history = new SnapshotHistory(memory);
    const { set, since } = (await history.compare('teams', { set: datedSet(date, now), lastModified: 5 }))(now);
    expect({ since, readAt: set.readAt }).toEqual({ since: then, readAt: then });
  });

  it('dates a change where an earlier release stored a future date of the source', async () => {
    const [then, now] = [Date.UTC(2026), Date.UTC(2027)];
    const fingerprint = await first.fingerprint();
    const history = new SnapshotHistory(
      memoryWith({ since: then, lastModified: Date.UTC(2030), newest: then, fingerprint }),
    );
    const { since, lastModified } = (await history.compare('teams', { set: first }))(now);
    expect({ since, lastModified }).toEqual({ since: now, lastModified: undefined });
  });

  it('dates a change of the same set after another result was served, or where the source reports a later date', async () => {
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
    ['keeps the date where top records reach further', topRecordsOf(1, record('a'), record('b'), record('c')), false],
    [
      'keeps the date where top records reach the end',
      topRecordsOf(0, record('a'), record('b'), record('c'), record('d')),
      false,
    ],
    ['dates a change where top records reach less far', topRecordsOf(3, record('a')), true],
    ['dates a change where the total grew', topRecordsOf(2, record('a'), record('b'), record('c')), true],
    [
      'dates a change where an earlier record differs',
      topRecordsOf(1, record('a', 'y'), record('b'), record('c')),
      true,
    ],
    ['dates a change where the order differs', topRecordsOf(1, record('b'), record('a'), record('c')), true],
  ])('%s', async (_title, next, changed) => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: topRecordsOf(2, record('a'), record('b')) }, 1_000);
    const { since } = await revision(history, 'teams', { set: next }, 2_000);
    expect(since).toBe(changed ? 2_000 : 1_000);
  });

  it('dates a change where top records reach further and the source reports a newer date', async () => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: topRecordsOf(2, record('a')), lastModified: 5 }, 1_000);
    const next = { set: topRecordsOf(1, record('a'), record('b')), lastModified: 6 };
    expect(await revision(history, 'teams', next, 2_000)).toEqual({ since: 2_000, floor: 5 });
  });

  it('is separate for each resource', async () => {
    const history = new SnapshotHistory();
    await revision(history, 'teams', { set: first }, 1_000);
    expect(await revision(history, 'news', { set: setOf() }, 2_000)).toEqual({ since: 2_000 });
  });
});

/** Maximum number of keys in the history. */
const MAX_KEYS = 10_000;

describe('capacity of the change history', () => {
  it('evicts the least recently used key, also after repeated use of one key', async () => {
    const history = new SnapshotHistory();
    const look = (key: string): Promise<unknown> => revision(history, key, { set: first }, 1_000);
    for (const key of ['one', 'other', 'other', 'one']) await look(key);
    for (let nth = 1; nth < MAX_KEYS; nth += 1) await look(`${nth}`);
    const known = (key: string): boolean => history.dateUnchanged(key, { set: first }) !== undefined;
    expect([known('one'), known('other'), known('1')]).toEqual([true, false, true]);
  });
});
