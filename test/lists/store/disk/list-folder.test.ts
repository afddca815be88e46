import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readKnownNumbers } from '../../../../src/lists/store/disk/sources-file.js';
import type { StoredList } from '../../../../src/lists/stored-list.js';
import { dataTeams, dataTeamsWithKeys } from '../../../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../../../src/model/resources/directory-teams.js';
import { listStoredProperties } from '../../../../src/model/resource.js';
import type { Resource } from '../../../../src/model/resource.js';
import { channels } from '../../../../src/model/resources/channels.js';
import { feedEntries } from '../../../../src/model/resources/feed-entries.js';
import { news } from '../../../../src/model/resources/news.js';
import { RecordSet } from '../../../../src/records/record-set.js';
import { allKeysQuery, feedQuery, largeCompleteListQuery } from '../../../../src/source/request/source-query.js';
import { packRecord, packRecords } from '../../../support/unit/pack-records.js';
import { ALPHA, BETA, NOW, listOf, loadAll, teams, useListFolder } from './list-folder-fixture.js';

const fixture = useListFolder();
const { open, save, load, files } = fixture;

describe('a folder of lists', () => {
  it('gives a later process the same records, keys, times and validators', async () => {
    const properties = listStoredProperties(dataTeamsWithKeys);
    const values = properties.map(({ name }, at) =>
      at % 3 === 0 ? undefined : at % 3 === 1 ? `-----${name}\n` : [name],
    );
    const extraProperties = [['-a-x', ['b', 1]] as const, ['-a-y', true] as const];
    const record = packRecord(dataTeamsWithKeys, { id: 'alpha.one', values, extraProperties });
    const contestedIds = new Map([['alpha.one', ['alpha.one', 'alpha.one-2']]]);
    const facts = { readAt: 12, contestedIds, unfetchedCount: 3, isTruncated: true };
    const set = new RecordSet(dataTeamsWithKeys, { sourceNumber: 1 }, [record], facts);
    const condition = { 'if-none-match': '"x"' };
    const [url, other] = [new URL('http://a.example.org/teams?x=1'), new URL('http://a.example.org/teams')];
    const list = listOf(set, {
      query: allKeysQuery,
      changedAt: 9_000,
      lastModified: 7,
      expressions: {
        entryCount: 2,
        recordCount: 1,
        valueCounts: new Map([['id', 1]]),
        failures: new Map([['a', 'b']]),
      },
      unreadProperties: ['website'],
      validators: [
        { url, condition, freshnessLifetime: Infinity },
        { url: other, condition, freshnessLifetime: 5, headerTotal: 1, statedLifetime: 6 },
      ],
    });
    await save(list);
    const [loaded, ...others] = await load();
    expect(others).toEqual([]);
    expect({ ...loaded, set: undefined }).toEqual({ ...list, set: undefined });
    expect(loaded?.set.records.map(({ id, values: all, extraProperties: more }) => [id, all, more])).toEqual([
      ['alpha.one', record.values, extraProperties],
    ]);
    expect(await loaded?.set.fingerprint()).toBe(await set.fingerprint());
    expect(loaded?.set).toMatchObject({ ...facts, sourceNumber: 1, resource: dataTeamsWithKeys });
  });

  it.each([directoryTeams, dataTeams, news, channels, feedEntries])(
    'gives back a list of $name',
    async (resource: Resource) => {
      const values = listStoredProperties(resource).map(({ name }) => (name === 'id' ? 7 : name));
      const records = packRecords(resource, [{ id: '7', values }]);
      const set = new RecordSet(resource, { sourceNumber: 1 }, records);
      await save(listOf(set, { query: { resource, parameters: {} } }));
      const [loaded] = await load();
      expect(loaded?.query.resource).toBe(resource);
      expect(loaded?.set.records[0]?.values).toEqual(records[0]?.values);
      expect(loaded?.set.readAt).toBe(Infinity);
    },
  );

  it('gives back an empty list', async () => {
    await save(listOf(teams(0)));
    expect((await load())[0]?.set.records).toEqual([]);
  });

  it('has one file for the small and the large list of a resource, that of the later one', async () => {
    const folder = await open();
    const disk = folder.forSource(ALPHA);
    disk.save(listOf(teams(5)));
    disk.save(listOf(teams(3), { query: largeCompleteListQuery(directoryTeams) }));
    await folder.close();
    const [loaded, ...others] = await load();
    expect(others).toEqual([]);
    expect(loaded?.set.records).toHaveLength(3);
    expect(loaded?.query.completeAtAnySize).toBe(true);
  });

  it('does not keep the result of a pushed-down query in place of the list', async () => {
    await save(listOf(teams(5)));
    const pushDown = { exact: [], hasExactTotal: true };
    await save(listOf(teams(1), { query: { resource: directoryTeams, parameters: {}, pushDown } }));
    expect((await load())[0]?.set.records).toHaveLength(5);
  });

  it('loads the list that was confirmed longest ago first', async () => {
    const folder = await open();
    const disk = folder.forSource(ALPHA);
    for (const [at, verifiedAt] of [3, 1, 2].entries())
      disk.save(listOf(teams(1), { query: feedQuery(`http://a.example.org/${at}`), verifiedAt }));
    await folder.close();
    expect((await load()).map(({ verifiedAt }) => verifiedAt)).toEqual([1, 2, 3]);
  });

  it('rewrites a list with the same records once a minute, and when it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const set = teams(5);
    const folder = await open();
    const saveAt = async (verifiedAt: number): Promise<number> => {
      folder.forSource(ALPHA).save(listOf(set, { verifiedAt }));
      await folder.reconfigure(NO_CHANGE);
      return (await stat(join(fixture.path, await nameOfList()))).ino;
    };
    const first = await saveAt(1);
    expect(await saveAt(2)).toBe(first);
    vi.advanceTimersByTime(59_000);
    expect(await saveAt(3)).toBe(first);
    vi.advanceTimersByTime(1_000);
    const second = await saveAt(4);
    expect(second).not.toBe(first);
    expect((await readFile(join(fixture.path, await nameOfList()), 'utf8')).includes('"verifiedAt":3,')).toBe(true);
    await folder.close();
    expect((await load())[0]?.verifiedAt).toBe(4);
  });

  it('does not write a list that waits for its minute over a newer one', async () => {
    const [folder, set] = [await open(), teams(5)];
    for (const list of [listOf(set), listOf(set, { verifiedAt: 1 }), listOf(teams(6))]) {
      folder.forSource(ALPHA).save(list);
      await folder.reconfigure(NO_CHANGE);
    }
    await folder.close();
    expect((await load())[0]?.set.records).toHaveLength(6);
  });

  it('does not load the list of another definition or number of the source', async () => {
    await save(listOf(teams(5)));
    expect(await load({ ...ALPHA, fingerprints: { definition: 'other', context: 'c' } })).toEqual([]);
    expect(await load({ ...ALPHA, number: 9 })).toEqual([]);
    expect(await load()).toHaveLength(1);
  });

  it('says that a list must be read again, if other sources decide now which records it has', async () => {
    await save(listOf(teams(5)));
    const [loaded] = await load({ ...ALPHA, fingerprints: { definition: 'd', context: 'other' } });
    expect([loaded?.isOutdated, loaded?.validators]).toEqual([true, undefined]);
    expect((await load())[0]?.isOutdated).toBeUndefined();
  });

  it('forgets the lists of a source, those that wait to be written too, and keeps what is saved afterwards', async () => {
    await save(listOf(teams(5)), BETA);
    const folder = await open();
    const disk = folder.forSource(ALPHA);
    disk.save(listOf(teams(5)));
    disk.save(listOf(teams(2), { query: feedQuery('http://a.example.org/') }));
    disk.forget();
    disk.save(listOf(teams(6)));
    await folder.close();
    expect((await load()).map(({ set }) => set.records.length)).toEqual([6]);
    expect(await load(BETA)).toHaveLength(1);
  });

  it('deletes the lists of sources that the configuration does not have, at the start too', async () => {
    await save(listOf(teams(5)));
    await save(listOf(teams(5)), BETA);
    const folder = await open({ numbers: new Map([['beta', 2]]) });
    expect(await loadAll(folder, ALPHA)).toEqual([]);
    await folder.reconfigure({ ...NO_CHANGE, codes: new Set() });
    expect((await files()).filter((file) => file.endsWith('.list'))).toEqual([]);
  });

  it('keeps within its bytes: the list that was confirmed longest ago goes first', async () => {
    const folder = await open({ maxBytes: 4_500 });
    folder.forSource(ALPHA).save(listOf(teams(20), { verifiedAt: 2 }));
    folder.forSource(BETA).save(listOf(teams(20), { verifiedAt: 1 }));
    await folder.close();
    expect(await load(ALPHA)).toHaveLength(1);
    expect(await load(BETA)).toEqual([]);
  });

  it('lets only its owner read the files', async () => {
    await save(listOf(teams(5)));
    const paths = [fixture.path, ...(await files()).map((file) => join(fixture.path, file))];
    const modes = await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o077));
    expect(modes.filter((mode) => mode !== 0)).toEqual([]);
  });

  it('is created again when it is deleted, and has all that is saved afterwards', async () => {
    const set = teams(5);
    const folder = await open();
    folder.forSource(ALPHA).save(listOf(set));
    await folder.reconfigure(NO_CHANGE);
    await rm(fixture.path, { recursive: true });
    folder.forSource(ALPHA).save(listOf(set, { verifiedAt: NOW }));
    await folder.close();
    expect(await load()).toHaveLength(1);
  });

  it('reads and writes a large list in many turns of the event loop', { timeout: 60_000 }, async () => {
    const set = teams(100_000);
    const countTurns = async (work: Promise<unknown>): Promise<number> => {
      let [turns, isDone] = [0, false];
      const count = (): void => {
        turns += 1;
        if (!isDone) setImmediate(count);
      };
      setImmediate(count);
      await work;
      isDone = true;
      return turns;
    };
    const writing = await countTurns(save(listOf(set)));
    const bytes = (await stat(join(fixture.path, await nameOfList()))).size;
    let loaded: readonly StoredList[] = [];
    const reading = await countTurns(load().then((lists) => (loaded = lists)));
    expect(loaded[0]?.set.records).toHaveLength(100_000);
    expect(await loaded[0]?.set.fingerprint()).toBe(await set.fingerprint());
    // A turn for each 256 KiB: about two milliseconds of work.
    expect(Math.min(writing, reading)).toBeGreaterThan(bytes / 2 ** 18);
  });
});

describe('what a folder says of an earlier process', () => {
  it('is nothing at the first start only', async () => {
    const first = await open();
    expect(first.hasLostLists).toBe(false);
    await first.close();
    expect((await open()).hasLostLists).toBe(true);
  });
});

describe('a list of another configuration', () => {
  it('is one that changed when the configuration came into force, in each later process', async () => {
    await save(listOf(teams(5), { changedAt: 9_000_000 }));
    expect((await load())[0]?.changedAt).toBe(9_000_000);
    const reloaded = await open({ clock: { now: () => NOW + 60_000 } });
    await reloaded.reconfigure({ ...NO_CHANGE, configuration: 'two' });
    await reloaded.close();
    const two = { ...ALPHA, configuration: 'two' };
    for (let start = 0; start < 2; start += 1) expect((await load(two))[0]?.changedAt).toBe(10_061_000);
  });

  it('is later than its own change, where the clock was set back', async () => {
    await save(listOf(teams(5), { changedAt: 20_000_000 }));
    expect((await load({ ...ALPHA, configuration: 'two' }))[0]?.changedAt).toBe(20_001_000);
  });

  it('has its own date again when it is saved under the configuration in force', async () => {
    await save(listOf(teams(5)));
    const two = { ...ALPHA, configuration: 'two' };
    await save(listOf(teams(5), { changedAt: 11_000_000 }), two);
    expect((await load(two))[0]?.changedAt).toBe(11_000_000);
  });

  it('is neither saved nor forgotten by what a reload replaced', async () => {
    const folder = await open();
    folder.forSource(ALPHA).save(listOf(teams(5)));
    await folder.reconfigure({ ...NO_CHANGE, configuration: 'two' });
    folder.forSource(ALPHA).save(listOf(teams(6)));
    folder.forSource(ALPHA).forget();
    await folder.close();
    expect((await load({ ...ALPHA, configuration: 'two' })).map(({ set }) => set.records.length)).toEqual([5]);
  });
});

describe('the numbers of sources', () => {
  it('are kept for ever, those of a reload too', async () => {
    const folder = await open();
    await folder.reconfigure({ configuration: 'two', numbers: new Map([['gamma', 3]]), codes: new Set(['gamma']) });
    await folder.close();
    await (await open({ numbers: new Map([['delta', 4]]) })).close();
    const numbers = { alpha: 1, beta: 2, gamma: 3, delta: 4 };
    expect(Object.fromEntries(await readKnownNumbers(fixture.path))).toEqual(numbers);
  });

  it('are not known without a folder, or where the file is damaged', async () => {
    expect(await readKnownNumbers(fixture.path)).toEqual(new Map());
    await (await open()).close();
    await writeFile(join(fixture.path, 'sources.json'), '{"form":');
    expect(await readKnownNumbers(fixture.path)).toEqual(new Map());
  });
});

const NO_CHANGE = { configuration: 'one', numbers: new Map(), codes: new Set(['alpha', 'beta']) };

async function nameOfList(): Promise<string> {
  return (await files()).find((file) => file.endsWith('.list')) ?? 'missing';
}
