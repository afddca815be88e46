import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ListFolder } from '../../../../src/lists/store/disk/list-folder.js';
import { readSources } from '../../../../src/lists/store/disk/sources-file.js';
import { feedQuery } from '../../../../src/source/request/source-query.js';
import { waitFor } from '../../../support/wait-for.js';
import { useFaultyDisk } from './faulty-disk.js';
import { ALPHA, BETA, listOf, loadAll, teams, useListFolder } from './list-folder-fixture.js';

const { fail, killAfter, recover } = useFaultyDisk();
const fixture = useListFolder();
const { open, save, load, files, events } = fixture;

const pathOf = (file: string): string => join(fixture.path, file);
const lists = async (): Promise<readonly string[]> => (await files()).filter((file) => file.endsWith('.list'));
const theList = async (): Promise<string> => pathOf((await lists())[0] ?? 'missing');

async function settle(folder: ListFolder): Promise<void> {
  await folder.reconfigure({ configuration: 'one', numbers: new Map(), codes: new Set(['alpha', 'beta']) });
}

describe('a process that is killed', () => {
  it('leaves the earlier or the later list, at whichever step, and no trace after the next start', async () => {
    let isFinished = false;
    const found = new Set<number | undefined>();
    for (let steps = 0; !isFinished; steps += 1) {
      await rm(fixture.path, { recursive: true, force: true });
      await save(listOf(teams(5)));
      const isKilled = killAfter(steps);
      await save(listOf(teams(6), { changedAt: 9_000 }), { ...ALPHA, configuration: 'two' });
      isFinished = !isKilled();
      recover();
      const before = events().length;
      const [list, ...others] = await load();
      expect(others).toEqual([]);
      expect(events().slice(before)).toEqual([]);
      expect(await files()).toEqual([(await lists())[0], 'sources.json']);
      found.add(list?.set.records.length);
    }
    expect([...found]).toEqual([5, 6]);
  });

  it('may be killed between the pieces of a large list', async () => {
    await save(listOf(teams(5)));
    const isKilled = killAfter(25);
    await save(listOf(teams(20_000)));
    expect(isKilled()).toBe(true);
    recover();
    expect((await load())[0]?.set.records).toHaveLength(5);
  });

  it('has written the configuration in force before a list of it', async () => {
    for (let steps = 0, isFinished = false; !isFinished; steps += 1) {
      await rm(fixture.path, { recursive: true, force: true });
      await save(listOf(teams(5)));
      const folder = await open();
      const isKilled = killAfter(steps);
      void folder.reconfigure({ configuration: 'two', numbers: new Map(), codes: new Set(['alpha']) });
      folder.forSource({ ...ALPHA, configuration: 'two' }).save(listOf(teams(6)));
      await folder.close();
      isFinished = !isKilled();
      recover();
      const inForce = (await readSources(fixture.path))?.configuration;
      const [list] = await load();
      if (list?.set.records.length === 6) expect(inForce).toBe('two');
    }
  });
});

describe('a folder that cannot be written', () => {
  it.each([
    ['ENOSPC', 'write'],
    ['EROFS', 'create'],
    ['EIO', 'sync'],
    ['EIO', 'rename'],
  ])('is logged once (%s at %s), counts its lists, and is used again when it can be written', async (code, step) => {
    await save(listOf(teams(5)));
    const folder = await open();
    fail(code, step);
    for (const count of [6, 7]) {
      folder.forSource(ALPHA).save(listOf(teams(count)));
      folder.forSource(BETA).save(listOf(teams(count)));
      await settle(folder);
    }
    expect(events()).toEqual(['snapshots cannot be saved']);
    expect(fixture.published).toContainEqual({ type: 'snapshots cannot be saved', folder: fixture.path, error: code });
    expect(folder.saveFailure).toMatchObject({ lists: 2, error: code });
    expect((await files()).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    recover();
    folder.forSource(ALPHA).save(listOf(teams(8)));
    await settle(folder);
    expect(folder.saveFailure?.lists).toBe(1);
    expect(fixture.published).toContainEqual({ type: 'snapshots written', unsaved: 1 });
    folder.forSource(BETA).save(listOf(teams(8)));
    await settle(folder);
    expect(folder.saveFailure).toBeUndefined();
    expect(events()).toEqual(['snapshots cannot be saved', 'snapshots are saved again']);
    expect(fixture.published.at(-1)).toEqual({ type: 'snapshots written', unsaved: 0 });
    await folder.close();
    expect((await load())[0]?.set.records).toHaveLength(8);
  });

  it('no longer counts lists that are forgotten', async () => {
    const folder = await open();
    fail('ENOSPC', 'write');
    folder.forSource(ALPHA).save(listOf(teams(5)));
    await settle(folder);
    expect(folder.saveFailure?.lists).toBe(1);
    recover();
    folder.forSource(ALPHA).forget();
    await settle(folder);
    expect(folder.saveFailure).toBeUndefined();
  });

  it('is read all the same', async () => {
    await save(listOf(teams(5)));
    fail('EROFS', 'lock');
    const folder = await open();
    expect(await loadAll(folder)).toHaveLength(1);
    expect(folder.saveFailure).toMatchObject({ lists: 0, error: 'EROFS' });
  });

  it('saves no list while it cannot say which configuration is in force', async () => {
    await save(listOf(teams(5)));
    fail('ENOSPC', 'rename');
    const folder = await open({ configuration: 'two' });
    folder.forSource({ ...ALPHA, configuration: 'two' }).save(listOf(teams(6)));
    await folder.close();
    recover();
    expect((await readSources(fixture.path))?.configuration).toBe('one');
    expect((await load())[0]?.set.records).toHaveLength(5);
  });

  it('may be a file: the process goes on, and says that it does not know what there was', async () => {
    await writeFile(fixture.path, 'a file in the place of the folder');
    const folder = await open();
    expect(folder.hasLostLists).toBe(true);
    folder.forSource(ALPHA).save(listOf(teams(5)));
    await settle(folder);
    expect(folder.saveFailure?.lists).toBe(1);
    await rm(fixture.path);
    folder.forSource(ALPHA).save(listOf(teams(5)));
    await folder.close();
    expect(await load()).toHaveLength(1);
  });
});

describe('a damaged file', () => {
  it.each<[string, (text: string) => string]>([
    ['has another letter in a record', (text) => text.replace('Team 4', 'Team 9')],
    ['lacks a record', (text) => text.split('\n').toSpliced(2, 1).join('\n')],
    [
      'has a record twice',
      (text) =>
        text
          .split('\n')
          .toSpliced(2, 0, text.split('\n')[2] ?? '')
          .join('\n'),
    ],
    ['ends within a record', (text) => text.slice(0, -20)],
    ['ends after its head', (text) => text.slice(0, text.indexOf('\n') + 1)],
    ['ends within its head', (text) => text.slice(0, 100)],
    ['is empty', () => ''],
    ['has another number in its head', (text) => text.replace('"weight":1234', '"weight":4321')],
    ['has another count', (text) => resealed(text.replace('"count":5', '"count":6'))],
    ['has another form', (text) => resealed(text.replace('rollcall list 1', 'rollcall list 0'))],
    ['has other columns', (text) => resealed(text.replace('"columns":["', '"columns":["x-'))],
    ['is a list of another name', (text) => resealed(text.replace('"code":"alpha"', '"code":"beta"'))],
    ['is no list', () => 'notes of the operator\n'],
    ['has lines that are no records', (text) => `${text.slice(0, text.indexOf('\n') + 1)}7\n`],
  ])('that %s is set aside and reported, and the list is saved anew', async (_how, damage) => {
    await save(listOf(teams(5)));
    const file = await theList();
    await writeFile(file, damage(await readFile(file, 'utf8')));
    const folder = await open();
    expect(await loadAll(folder)).toEqual([]);
    expect(events()).toEqual(['saved snapshot is damaged and not used']);
    await folder.close();
    expect(await files()).toEqual([`${file.split('/').at(-1) ?? ''}.damaged`, 'sources.json']);
    await save(listOf(teams(6)));
    expect((await load())[0]?.set.records).toHaveLength(6);
  });

  it('may be that of the sources: the lists are used', async () => {
    await save(listOf(teams(5)));
    await writeFile(
      pathOf('sources.json'),
      (await readFile(pathOf('sources.json'), 'utf8')).replace('"alpha":1', '"alpha":7'),
    );
    const folder = await open();
    expect(await loadAll(folder)).toHaveLength(1);
    expect(events()).toEqual(['saved snapshot is damaged and not used']);
    expect(await files()).toContain('sources.json.damaged');
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['link', (file) => rename(file, pathOf('elsewhere')).then(() => symlink('elsewhere', file))],
    ['folder', (file) => rm(file).then(() => mkdir(file))],
  ])('is a %s in its place, too', async (_kind, replace) => {
    await save(listOf(teams(5)));
    const file = await theList();
    await replace(file);
    expect(await load()).toEqual([]);
    const error = `${file} is not a regular file`;
    const facts = { folder: fixture.path, file: `${file.split('/').at(-1) ?? ''}.damaged`, error };
    expect(fixture.published).toContainEqual({ type: 'saved snapshot is damaged and not used', ...facts });
  });

  it('does not end the loading of the others', async () => {
    const folder = await open();
    for (const feed of ['a', 'b', 'c']) {
      const query = feedQuery(`http://a.example.org/${feed}`);
      folder.forSource(ALPHA).save(listOf(teams(5), { query, verifiedAt: feed.charCodeAt(0) }));
    }
    await folder.close();
    const [, second = ''] = await lists();
    await truncate(pathOf(second), 3_000);
    expect(await load()).toHaveLength(2);
  });

  it('is not what the operator or a killed process left in the folder', async () => {
    await save(listOf(teams(5)));
    await writeFile(pathOf('notes.txt'), 'of the operator');
    await writeFile(pathOf('alpha-0123456789abcdef.list.tmp'), 'part');
    expect(await load()).toHaveLength(1);
    expect(events()).toEqual([]);
    expect(await files()).toEqual([(await lists())[0], 'notes.txt', 'sources.json']);
  });
});

describe('a folder in the place of a temporary file', () => {
  it('hides no list, and is removed', async () => {
    const folder = await open();
    for (const source of [ALPHA, BETA]) folder.forSource(source).save(listOf(teams(5)));
    await folder.close();
    await mkdir(pathOf('alpha-0123456789abcdef.list.tmp'));
    await writeFile(pathOf('alpha-0123456789abcdef.list.tmp/file'), '');
    expect(await load(BETA)).toHaveLength(1);
    expect(events()).toEqual([]);
    expect((await files()).filter((file) => file.endsWith('.tmp'))).toEqual([]);
  });
});

describe('a folder that another process has locked', () => {
  it('is read, but not written, and taken over when that process closes it', async () => {
    await save(listOf(teams(5)));
    const [first, second] = [await open(), await open()];
    expect((await loadAll(second))[0]?.set.records).toHaveLength(5);
    second.forSource(ALPHA).save(listOf(teams(9)));
    second.forSource(BETA).forget();
    await settle(second);
    expect(second.saveFailure).toMatchObject({ lists: 1, error: `in use by process ${process.pid} on ${hostname()}` });
    first.forSource(ALPHA).save(listOf(teams(6)));
    first.forSource(BETA).save(listOf(teams(1)));
    await first.close();
    expect((await loadAll(second))[0]?.set.records).toHaveLength(6);
    second.forSource(ALPHA).save(listOf(teams(9)));
    await second.close();
    expect((await load())[0]?.set.records).toHaveLength(9);
    expect(await load(BETA)).toHaveLength(1);
  });

  it('loses none of its damaged files to this one', async () => {
    await save(listOf(teams(5)));
    const [, second] = [await open(), await open()];
    const file = await theList();
    await truncate(file, 3_000);
    expect(await loadAll(second)).toEqual([]);
    expect(await theList()).toBe(file);
    const error = 'the last line is cut off';
    expect(fixture.published).toContainEqual({
      ...{ type: 'saved snapshot is damaged and not used', folder: fixture.path, error },
    });
  });

  it('is taken over when that process is killed', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)']);
    const exited = new Promise((resolve) => other.once('exit', resolve));
    const first = await open();
    const [token = '', , ...space] = (await readFile(pathOf('lists.lock'), 'utf8')).split(' ');
    await writeFile(pathOf('lists.lock'), [token.replace(/^./, 'x'), other.pid, ...space].join(' '));
    first.forSource(ALPHA).save(listOf(teams(5)));
    await settle(first);
    expect(first.saveFailure?.error).toBe(`in use by process ${other.pid ?? 0} on ${hostname()}`);
    other.kill('SIGKILL');
    await exited;
    first.forSource(ALPHA).save(listOf(teams(5)));
    await settle(first);
    expect(first.saveFailure).toBeUndefined();
  });

  it.each([
    ['on another machine', 'token 1 elsewhere boot pid:[1]', 'in use by process 1 on elsewhere'],
    ['that was killed while it wrote the lock', '', 'in use by another process'],
  ])('is taken over from a process %s after 30 seconds without a heartbeat', async (_where, lock, error) => {
    await (await open()).close();
    await writeFile(pathOf('lists.lock'), lock);
    const folder = await open();
    expect(folder.saveFailure?.error).toBe(error);
    await utimes(pathOf('lists.lock'), 0, 0);
    folder.forSource(ALPHA).save(listOf(teams(5)));
    await folder.close();
    expect(await load()).toHaveLength(1);
    expect(await files()).not.toContain('lists.lock');
  });

  it('is taken over from a process whose heartbeats are in the future, because the clock was set back', async () => {
    await (await open()).close();
    await writeFile(pathOf('lists.lock'), 'token 1 elsewhere boot pid:[1]');
    await utimes(pathOf('lists.lock'), 4e9, 4e9);
    expect((await open()).saveFailure).toBeUndefined();
  });

  it('is not given up by a process that is idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const first = await open();
    await utimes(pathOf('lists.lock'), 0, 0);
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await waitFor(async () => expect((await stat(pathOf('lists.lock'))).mtimeMs).toBeGreaterThan(0));
    expect((await open()).saveFailure?.error).toContain('in use by process');
    expect(first.saveFailure).toBeUndefined();
  });

  it('gets no heartbeat from the process that lost it', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const first = await open();
    await writeFile(pathOf('lists.lock'), 'token 1 elsewhere boot pid:[1]');
    await settle(first);
    expect(first.saveFailure?.error).toBe('in use by process 1 on elsewhere');
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** With the right checksum of the head, as another version of the program would have written it. */
function resealed(text: string): string {
  const [head = '', ...rows] = text.split('\n');
  const json = `{${head.slice('{"checksum":"",'.length + 43)}`;
  const sum = createHash('sha256').update(json).digest('base64url');
  return [`{"checksum":"${sum}",${json.slice(1)}`, ...rows].join('\n');
}
