import { mkdir, mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStateFile } from '../../src/state/state-file.js';
import type { StateFile } from '../../src/state/state-file.js';
import type { StoredRevision } from '../../src/source/snapshot/history-store.js';

let folder = '';
let told: string[] = [];
let opened: StateFile[] = [];
const log = {
  info: (_: object, message: string) => void told.push(message),
  warn: (_: object, message: string) => void told.push(message),
  error: (_: object, message: string) => void told.push(message),
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-state-'));
  told = [];
  opened = [];
});
afterEach(async () => {
  // What cannot be written is tried again and again, also while the folder is removed.
  await Promise.all(opened.map((state) => state.close()));
  await rm(folder, { recursive: true, force: true });
});

const teams: StoredRevision = {
  since: 5,
  floor: -Infinity,
  lastModified: -Infinity,
  newest: 7,
  fingerprint: 'f',
};
const news: StoredRevision = { since: 6, lastModified: 3, newest: Infinity };

async function open(file = 'state.json', configuration = 'c', interval = 20): Promise<StateFile> {
  const state = await openStateFile({ file: join(folder, file), configuration, log, interval });
  opened.push(state);
  return state;
}
const text = (file = 'state.json'): Promise<string> => readFile(join(folder, file), 'utf8');

/** What the next process remembers. */
async function reopened(file?: string, configuration?: string): Promise<object> {
  const state = await open(file, configuration);
  const known = { ...state.forgotten, teams: state.get('teams'), news: state.get('news') };
  await state.close();
  return known;
}

const NOTHING = { copies: true, items: true, teams: undefined, news: undefined };

describe('a state file that another process keeps', () => {
  const KEPT = 'state not written: another process owns the file';

  it('is not written, which is reported once, and is taken over when that process has stopped', async () => {
    const first = await open();
    first.set('teams', teams);
    await vi.waitFor(async () => expect(await text()).toContain('"teams":'));
    const second = await open();
    second.set('news', news);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(told.filter((message) => message === KEPT)).toHaveLength(1);
    expect(await text()).not.toContain('"news":');
    await first.close();
    await vi.waitFor(async () => expect(await text()).toContain('"news":'));
    await second.close();
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(await reopened()).toEqual({ copies: true, items: true, teams: undefined, news });
  });

  it('is left alone by the process that stops without ever having kept it', async () => {
    const first = await open();
    first.set('teams', teams);
    await (await open()).close();
    await first.close();
    expect(await reopened()).toMatchObject({ copies: false, teams });
  });

  const space = 'another.example.org';
  const lock = (holder: object): string => JSON.stringify({ token: 't', pid: 1, started: '1', space, ...holder });
  it.each([
    ['of another machine that gives signs of life', lock({}), 0, true],
    ['of another machine that has given none for a minute', lock({}), 60, false],
    ['that is just being made', '', 0, true],
    ['that was never made', '', 60, false],
    ['that is something else', '{"pid":"x"}', 60, false],
  ])('is told by a lock %s', async (_title, content, seconds, keeps) => {
    const file = join(folder, 'state.json.lock');
    await writeFile(file, content);
    const then = Date.now() / 1_000 - seconds;
    await utimes(file, then, then);
    await open();
    expect(told).toEqual(keeps ? [KEPT] : []);
  });
});

describe('a state file', () => {
  it('that is not there yet tells of no process before, and is made at once, for one that would be killed', async () => {
    const state = await open();
    expect(state.forgotten).toEqual({ copies: false, items: false });
    expect(state.get('teams')).toBeUndefined();
    await vi.waitFor(() => text());
    expect(await reopened()).toMatchObject({ items: true });
    await state.close();
    expect(await reopened()).toEqual({ ...NOTHING, copies: false });
  });

  it('keeps what is remembered, in folders that are made, and nothing beside it', async () => {
    const state = await open('var/lib/state.json');
    state.set('teams', teams);
    state.set('news', news);
    await state.close();
    expect(await reopened('var/lib/state.json')).toEqual({ copies: false, items: true, teams, news });
    expect(await readdir(join(folder, 'var/lib'))).toEqual(['state.json']);
    expect(told).toEqual([]);
  });

  it('knows of what it was made to forget that it was there', async () => {
    const state = await open();
    state.set('teams', teams);
    state.forget('news');
    expect(state.forgotten.copies).toBe(false);
    state.forget('teams');
    expect(state.forgotten.copies).toBe(true);
    await state.close();
    expect(await reopened()).toEqual(NOTHING);
  });

  it('keeps how many records there were, also for a process with another configuration, or after one that was killed', async () => {
    const state = await open('state.json', 'c', 400);
    state.set('teams', teams);
    state.setRecordCount('http://one.example.org teams', 30);
    state.setRecordCount('http://one.example.org teams', 31);
    await vi.waitFor(async () => expect(await text()).toContain(' teams":31'));
    const left = await text();
    expect(left).toContain('"settled":false');
    await state.close();
    const counted = async (configuration: string): Promise<unknown> => {
      const next = await open('state.json', configuration);
      return [next.get('teams'), next.recordCount('http://one.example.org teams'), next.recordCount('teams')];
    };
    expect(await counted('c')).toEqual([teams, 31, undefined]);
    expect(await counted('another')).toEqual([undefined, 31, undefined]);
    await writeFile(join(folder, 'state.json'), left);
    expect(await counted('c')).toEqual([undefined, 31, undefined]);
  });

  it('waits, when it is closed, for what is still to be remembered', async () => {
    const state = await open();
    state.addPendingWork(new Promise((resolve) => setTimeout(resolve, 30)).then(() => state.set('teams', teams)));
    state.addPendingWork(Promise.reject(new Error('in vain')));
    await state.close();
    expect(await reopened()).toMatchObject({ teams });
  });

  it('is trusted only where the process before was closed: of one that was cut short nobody knows what it showed last', async () => {
    const state = await open();
    state.set('teams', teams);
    await vi.waitFor(async () => expect(await text()).toContain('"teams":'));
    const left = await text();
    await state.close();
    expect(await reopened()).toEqual({ copies: false, items: true, teams, news: undefined });
    await writeFile(join(folder, 'state.json'), left);
    expect(await reopened()).toEqual(NOTHING);
    expect(told).toEqual([
      'stored state not used: the process that wrote it was not stopped cleanly, or is still running',
    ]);
  });

  it('tells before anything is answered that a process is at work, and does so when its last words cannot be written', async () => {
    const state = await open();
    state.set('teams', teams);
    await state.close();
    const next = await open();
    expect(await text()).toContain('"settled":false');
    await mkdir(join(folder, 'state.json.tmp'));
    next.set('teams', { ...teams, since: 9 });
    await next.close();
    await rm(join(folder, 'state.json.tmp'), { recursive: true });
    expect(await reopened()).toEqual(NOTHING);
  });

  it('of another configuration is not taken over', async () => {
    const state = await open();
    state.set('teams', teams);
    await state.close();
    expect(await reopened('state.json', 'another')).toEqual(NOTHING);
    expect(told).toEqual(['stored state not used: the configuration has changed in settings that shape responses']);
  });

  const head = '"format":"rollcall-state","version":1,"configuration":"c","settled":true,"forgotten":false';
  it.each([
    ['cut off', `{${head},"copies":{"teams":`],
    ['empty', ''],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe])],
    ['of something else', '{"name":"x"}'],
    ['no object', '[1]'],
    ['of another version', `{${head.replace('1', '2')},"copies":{},"records":{}}`],
    ['without its copies', `{${head},"records":{}}`],
    ['without its numbers of records', `{${head},"copies":{}}`],
    ['with a number of records that is none', `{${head},"copies":{},"records":{"teams":"x"}}`],
    ['with a head of other types', `{${head.replace('"settled":true', '"settled":1')},"copies":{},"records":{}}`],
    ['with a copy that is none', `{${head},"copies":{"teams":1},"records":{}}`],
    [
      'with a number that is none',
      `{${head},"copies":{"teams":{"since":"x","lastModified":1,"newest":1}},"records":{}}`,
    ],
    ['with a copy that lacks one', `{${head},"copies":{"teams":{"since":1,"lastModified":1}},"records":{}}`],
    [
      'with a fingerprint that is none',
      `{${head},"copies":{"teams":{"since":1,"lastModified":1,"newest":1,"fingerprint":1}},"records":{}}`,
    ],
  ])('that is %s is told, ignored and replaced', async (_title, damaged) => {
    await writeFile(join(folder, 'state.json'), damaged);
    const state = await open();
    expect([state.forgotten, state.get('teams')]).toEqual([{ copies: true, items: true }, undefined]);
    expect(told).toEqual(['state file cannot be read and is replaced']);
    expect(await text()).toContain('"copies":{}');
    state.set('teams', teams);
    await state.close();
    expect(await reopened()).toEqual({ copies: true, items: true, teams, news: undefined });
  });

  it('that cannot be written is told once, tried again, and told again after it could', async () => {
    await mkdir(join(folder, 'state.json.tmp'));
    const state = await open();
    state.set('teams', teams);
    await vi.waitFor(() => expect(told).toEqual(['state file cannot be written']));
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(told).toHaveLength(1);
    await rm(join(folder, 'state.json.tmp'), { recursive: true });
    await vi.waitFor(async () => expect(await text()).toContain('"teams":'));
    await mkdir(join(folder, 'state.json.tmp'));
    state.set('news', news);
    await vi.waitFor(() => expect(told).toHaveLength(2));
    await state.close();
  });

  it('is never there in part, however often it is replaced', async () => {
    const state = await openStateFile({ file: join(folder, 'state.json'), configuration: 'c', log, interval: 0 });
    for (let at = 0; at < 3_000; at += 1) state.set(`copy ${at}`, teams);
    await vi.waitFor(() => text());
    for (let at = 0; at < 100; at += 1) {
      state.set(`copy ${at}`, news);
      expect(Object.keys(Object(JSON.parse(await text())) as object)).toContain('copies');
    }
    await state.close();
    expect(told).toEqual([]);
  });

  it('tells of a folder in its place, and leaves nothing beside it', async () => {
    await mkdir(join(folder, 'state.json'));
    expect(await reopened()).toEqual(NOTHING);
    await Promise.all(opened.map((state) => state.close()));
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(told).toEqual(['state file cannot be read and is replaced', 'state file cannot be written']);
  });
});
