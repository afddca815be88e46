import { mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStateFile } from '../../src/state/state-file.js';
import type { StateFile } from '../../src/state/state-file.js';
import type { StoredRevision } from '../../src/source/snapshot/history-store.js';
import { silentLog } from '../support/silent-log.js';
import { waitFor } from '../support/wait-for.js';
import { createLogSubscriber } from '../../src/events/log-lines.js';

let folder = '';
let logged: string[] = [];
let opened: StateFile[] = [];
const log = (_: object, message: string): void => void logged.push(message);
const publish = createLogSubscriber({ ...silentLog, info: log, warn: log, error: log });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-state-'));
  logged = [];
  opened = [];
});
afterEach(async () => {
  // A failed write is retried, also while the folder is removed.
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
  const state = await openStateFile({ file: join(folder, file), configuration, numbers: new Map(), publish, interval });
  opened.push(state);
  return state;
}
const text = (file = 'state.json'): Promise<string> => readFile(join(folder, file), 'utf8');

/** What the next process reads from the state file. */
async function reopened(file?: string, configuration?: string): Promise<object> {
  const state = await open(file, configuration);
  const known = { ...state.forgotten, teams: state.get('teams'), news: state.get('news') };
  await state.close();
  return known;
}

const NOTHING = { copies: true, items: true, teams: undefined, news: undefined };

describe('a state file that another process owns', () => {
  const OCCUPIED = 'state not written: another process owns the file';

  it('is not written, which is logged once, and is taken over when that process has stopped', async () => {
    const first = await open();
    first.set('teams', teams);
    await waitFor(async () => expect(await text()).toContain('"teams":'));
    const second = await open();
    second.set('news', news);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(logged.filter((message) => message === OCCUPIED)).toHaveLength(1);
    expect(await text()).not.toContain('"news":');
    await first.close();
    await waitFor(async () => expect(await text()).toContain('"news":'));
    await second.close();
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(await reopened()).toEqual({ copies: true, items: true, teams: undefined, news });
  });

  it('is not changed by a process that stops without ever having written it', async () => {
    const first = await open();
    first.set('teams', teams);
    await (await open()).close();
    await first.close();
    expect(await reopened()).toMatchObject({ copies: false, teams });
  });

  const space = 'another.example.org';
  const lock = (holder: object): string => JSON.stringify({ token: 't', pid: 1, started: '1', space, ...holder });
  it.each([
    ['is not written, beside a lock of another machine with a recent sign of life', lock({}), 0, true],
    ['is taken over, beside a lock of another machine without a sign of life for a minute', lock({}), 60, false],
    ['is not written, beside a new empty lock', '', 0, true],
    ['is taken over, beside an empty lock that is a minute old', '', 60, false],
    ['is taken over, beside a lock with other content that is a minute old', '{"pid":"x"}', 60, false],
  ])('%s', async (_title, content, seconds, isOccupied) => {
    const file = join(folder, 'state.json.lock');
    await writeFile(file, content);
    const then = Date.now() / 1_000 - seconds;
    await utimes(file, then, then);
    await open();
    expect(logged).toEqual(isOccupied ? [OCCUPIED] : []);
  });
});

describe('a state file', () => {
  it('that a process opens after it has served gives it no history, because it has a later one', async () => {
    const first = await open();
    first.set('teams', teams);
    first.setRecordCount('list', 30);
    await first.close();
    const file = join(folder, 'state.json');
    const state = await openStateFile({ file, configuration: 'c', numbers: new Map(), publish, hasServed: true });
    opened.push(state);
    expect([state.get('teams'), state.recordCount('list')]).toEqual([undefined, 30]);
    await state.close();
    expect(await reopened()).toEqual(NOTHING);
  });

  it('that does not exist proves that there was no earlier process, and is created at once, in case this one is killed', async () => {
    const state = await open();
    expect(state.forgotten).toEqual({ copies: false, items: false });
    expect(state.get('teams')).toBeUndefined();
    await waitFor(() => text());
    expect(await reopened()).toMatchObject({ items: true });
    await state.close();
    expect(await reopened()).toEqual({ ...NOTHING, copies: false });
  });

  it('stores revisions, creates missing folders, and leaves no other file', async () => {
    const state = await open('var/lib/state.json');
    state.set('teams', teams);
    state.set('news', news);
    await state.close();
    expect(await reopened('var/lib/state.json')).toEqual({ copies: false, items: true, teams, news });
    expect(await readdir(join(folder, 'var/lib'))).toEqual(['state.json']);
    expect(logged).toEqual([]);
  });

  it('can be read by its owner only, like its lock, and a link in place of its temporary file is not followed', async () => {
    await writeFile(join(folder, 'other'), 'untouched');
    await symlink(join(folder, 'other'), join(folder, 'state.json.tmp'));
    const state = await open();
    expect(JSON.parse(await text())).toMatchObject({ copies: {} });
    for (const file of ['state.json', 'state.json.lock'])
      expect([file, (await stat(join(folder, file))).mode & 0o777]).toEqual([file, 0o600]);
    await state.close();
    expect(await text('other')).toBe('untouched');
  });

  it('that is a link is neither read nor replaced', async () => {
    const elsewhere = await open('elsewhere.json');
    elsewhere.set('teams', teams);
    await elsewhere.close();
    const before = await text('elsewhere.json');
    await symlink(join(folder, 'elsewhere.json'), join(folder, 'state.json'));
    expect(await reopened()).toEqual(NOTHING);
    expect(logged).toEqual(['state file cannot be read and is not used', 'state file cannot be written']);
    expect(await text('elsewhere.json')).toBe(before);
  });

  it('records that a stored revision was forgotten', async () => {
    const state = await open();
    state.set('teams', teams);
    state.forget('news');
    expect(state.forgotten.copies).toBe(false);
    state.forget('teams');
    expect(state.forgotten.copies).toBe(true);
    await state.close();
    expect(await reopened()).toEqual(NOTHING);
  });

  it('keeps the numbers of records for a process with another configuration, and after a killed process', async () => {
    const state = await open('state.json', 'c', 400);
    state.set('teams', teams);
    state.setRecordCount('http://one.example.org teams', 30);
    state.setRecordCount('http://one.example.org teams', 31);
    await waitFor(async () => expect(await text()).toContain(' teams":31'));
    const unclosed = await text();
    expect(unclosed).toContain('"settled":false');
    await state.close();
    const read = async (configuration: string): Promise<unknown> => {
      const next = await open('state.json', configuration);
      return [next.get('teams'), next.recordCount('http://one.example.org teams'), next.recordCount('teams')];
    };
    expect(await read('c')).toEqual([teams, 31, undefined]);
    expect(await read('another')).toEqual([undefined, 31, undefined]);
    await writeFile(join(folder, 'state.json'), unclosed);
    expect(await read('c')).toEqual([undefined, 31, undefined]);
  });

  it('waits for pending work when it is closed', async () => {
    const state = await open();
    state.addPendingWork(new Promise((resolve) => setTimeout(resolve, 30)).then(() => state.set('teams', teams)));
    state.addPendingWork(Promise.reject(new Error('in vain')));
    await state.close();
    expect(await reopened()).toMatchObject({ teams });
  });

  it('that its process did not close is not trusted, because the revisions served last are unknown', async () => {
    const state = await open();
    state.set('teams', teams);
    await waitFor(async () => expect(await text()).toContain('"teams":'));
    const unclosed = await text();
    await state.close();
    expect(await reopened()).toEqual({ copies: false, items: true, teams, news: undefined });
    await writeFile(join(folder, 'state.json'), unclosed);
    expect(await reopened()).toEqual(NOTHING);
    expect(logged).toEqual([
      'stored state not used: the process that wrote it was not stopped cleanly, or is still running',
    ]);
  });

  it('is marked as unclosed when it is opened, and stays so when the last write fails', async () => {
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

  it('of another configuration is ignored', async () => {
    const state = await open();
    state.set('teams', teams);
    await state.close();
    expect(await reopened('state.json', 'another')).toEqual(NOTHING);
    expect(logged).toEqual([
      'stored state not used: another build of the program wrote it, or settings that shape responses have changed',
    ]);
  });

  const head = '"format":"rollcall-state","version":1,"configuration":"c","settled":true,"forgotten":false';
  it.each([
    ['that is cut off', `{${head},"copies":{"teams":`],
    ['that is empty', ''],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe])],
    ['of another format', '{"name":"x"}'],
    ['that is not an object', '[1]'],
    ['of another version', `{${head.replace('1', '2')},"copies":{},"records":{}}`],
    ['without revisions', `{${head},"records":{}}`],
    ['without numbers of records', `{${head},"copies":{}}`],
    ['with a number of records that is not a number', `{${head},"copies":{},"records":{"teams":"x"}}`],
    ['with a header of other types', `{${head.replace('"settled":true', '"settled":1')},"copies":{},"records":{}}`],
    ['with a revision that is not an object', `{${head},"copies":{"teams":1},"records":{}}`],
    [
      'with a time that is not a number',
      `{${head},"copies":{"teams":{"since":"x","lastModified":1,"newest":1}},"records":{}}`,
    ],
    ['with a revision that lacks a time', `{${head},"copies":{"teams":{"since":1,"lastModified":1}},"records":{}}`],
    [
      'with a fingerprint that is not a text',
      `{${head},"copies":{"teams":{"since":1,"lastModified":1,"newest":1,"fingerprint":1}},"records":{}}`,
    ],
  ])('%s is logged, ignored and replaced', async (_title, damaged) => {
    await writeFile(join(folder, 'state.json'), damaged);
    const state = await open();
    expect([state.forgotten, state.get('teams')]).toEqual([{ copies: true, items: true }, undefined]);
    expect(logged).toEqual(['state file cannot be read and is not used']);
    expect(await text()).toContain('"copies":{}');
    state.set('teams', teams);
    await state.close();
    expect(await reopened()).toEqual({ copies: true, items: true, teams, news: undefined });
  });

  it('that cannot be written is logged once, retried, and logged again after a successful write', async () => {
    await mkdir(join(folder, 'state.json.tmp'));
    const state = await open();
    state.set('teams', teams);
    await waitFor(() => expect(logged).toEqual(['state file cannot be written']));
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(logged).toHaveLength(1);
    await rm(join(folder, 'state.json.tmp'), { recursive: true });
    await waitFor(async () => expect(await text()).toContain('"teams":'));
    await mkdir(join(folder, 'state.json.tmp'));
    state.set('news', news);
    await waitFor(() => expect(logged).toHaveLength(2));
    await state.close();
  });

  it('is always complete while it is replaced', async () => {
    const state = await openStateFile({
      file: join(folder, 'state.json'),
      configuration: 'c',
      numbers: new Map(),
      publish,
      interval: 0,
    });
    for (let at = 0; at < 3_000; at += 1) state.set(`copy ${at}`, teams);
    await waitFor(() => text());
    for (let at = 0; at < 100; at += 1) {
      state.set(`copy ${at}`, news);
      expect(Object.keys(Object(JSON.parse(await text())) as object)).toContain('copies');
    }
    await state.close();
    expect(logged).toEqual([]);
  });

  it('that is a folder is logged, and nothing else is left beside it', async () => {
    await mkdir(join(folder, 'state.json'));
    expect(await reopened()).toEqual(NOTHING);
    await Promise.all(opened.map((state) => state.close()));
    expect(await readdir(folder)).toEqual(['state.json']);
    expect(logged).toEqual(['state file cannot be read and is not used', 'state file cannot be written']);
  });
});
