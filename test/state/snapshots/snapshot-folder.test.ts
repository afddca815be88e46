import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { RecordSet } from '../../../src/records/record-set.js';
import { completeListQuery, largeCompleteListQuery } from '../../../src/source/request/source-query.js';
import type { SavedSnapshot } from '../../../src/source/snapshot-persistence.js';
import { SnapshotFolder } from '../../../src/state/snapshots/snapshot-folder.js';
import type { SnapshotSource } from '../../../src/state/snapshots/snapshot-folder.js';
import { silentLog } from '../../support/silent-log.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';
import { waitFor } from '../../support/wait-for.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

const NOW = 10_000_000;

let path = '';
let logged: { readonly facts: object; readonly message: string }[] = [];
let opened: SnapshotFolder[] = [];
const write = (facts: object, message: string): void => void logged.push({ facts, message });
const log = { ...silentLog, info: write, warn: write, error: write };

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'rollcall-snapshots-')), 'snapshots');
  logged = [];
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((folder) => folder.close()));
  await rm(join(path, '..'), { recursive: true, force: true });
});

async function open(maxBytes = 2 ** 20): Promise<SnapshotFolder> {
  const folder = await SnapshotFolder.open({
    path,
    maxBytes,
    publish: createLogSubscriber(log),
    clock: { now: () => NOW },
  });
  opened.push(folder);
  return folder;
}

const SOURCE: SnapshotSource = { code: 'alpha', number: 1, fingerprints: { definition: 'd', context: 'c' } };

function teams(count: number, name = 'Team'): RecordSet {
  return teamRecordSet(
    'alpha',
    1,
    Array.from({ length: count }, (_, at) => ({
      slug: `team-${at}`,
      'short-team-name': `${name} ${at}`,
      'official-team-name': 'Équipe \u2028 ☎',
      'country-code': ['NO', 'SE'],
    })),
  );
}

function snapshot(set: RecordSet, times: Partial<SavedSnapshot['snapshot']> = {}): SavedSnapshot {
  return {
    query: completeListQuery(directoryTeams),
    snapshot: {
      set,
      fetchedAt: NOW - 3,
      verifiedAt: NOW - 2,
      staleAt: NOW + 1,
      via: ['gate'],
      lastModified: 7,
      ...times,
    },
    validators: [
      {
        url: new URL('http://a.example.org/teams'),
        condition: { 'if-none-match': '"x"' },
        freshnessLifetime: Infinity,
      },
    ],
    weight: 1234,
  };
}

async function save(saved: SavedSnapshot, source = SOURCE): Promise<void> {
  const folder = await open();
  folder.forSource(source).save(saved);
  await folder.close();
}

async function load(source = SOURCE): Promise<readonly SavedSnapshot[]> {
  const folder = await open();
  const loaded: SavedSnapshot[] = [];
  for await (const saved of folder.forSource(source).load()) loaded.push(saved);
  await folder.close();
  return loaded;
}

const files = async (): Promise<readonly string[]> => (await readdir(path)).sort();

async function fileEndingIn(suffix: string): Promise<string> {
  return join(path, (await files()).find((file) => file.endsWith(suffix)) ?? 'missing');
}

describe('a snapshot folder', () => {
  it('gives a later process the same records, times and validators', async () => {
    const set = teams(300);
    await save(snapshot(set));
    const [loaded, ...others] = await load();
    expect(others).toEqual([]);
    expect(loaded?.snapshot.set.records.map(({ id, values }) => [id, values])).toEqual(
      set.records.map(({ id, values }) => [id, values]),
    );
    expect(await loaded?.snapshot.set.fingerprint()).toBe(await set.fingerprint());
    const { query, validators, weight, snapshot: saved } = snapshot(set);
    expect({ ...loaded, snapshot: undefined }).toEqual({ query, validators, weight, snapshot: undefined });
    expect({ ...loaded?.snapshot, set: undefined }).toEqual({ ...saved, set: undefined });
  });

  it('has one snapshot of a list, the one that was saved last', async () => {
    const folder = await open();
    const persistence = folder.forSource(SOURCE);
    persistence.save(snapshot(teams(5)));
    persistence.save({ ...snapshot(teams(3)), query: largeCompleteListQuery(directoryTeams) });
    await folder.close();
    const [loaded] = await load();
    expect(loaded?.snapshot.set.records).toHaveLength(3);
    expect(loaded?.query.completeAtAnySize).toBe(true);
    expect(await files()).toHaveLength(2);
  });

  it('writes only the times of unchanged records', async () => {
    const set = teams(5);
    const folder = await open();
    folder.forSource(SOURCE).save(snapshot(set));
    await waitFor(async () => expect(await files()).toHaveLength(3));
    const records = await fileEndingIn('.records');
    folder.forSource(SOURCE).save(snapshot(set, { verifiedAt: NOW }));
    await folder.close();
    expect(await fileEndingIn('.records')).toBe(records);
    const [loaded] = await load();
    expect(loaded?.snapshot.verifiedAt).toBe(NOW);
  });

  it('does not use the snapshot of another definition of the source', async () => {
    await save(snapshot(teams(5)));
    expect(await load({ ...SOURCE, fingerprints: { definition: 'other', context: 'c' } })).toEqual([]);
  });

  it('makes a snapshot stale, if other sources decide now which records it has', async () => {
    await save(snapshot(teams(5)));
    const [loaded] = await load({ ...SOURCE, fingerprints: { definition: 'd', context: 'other' } });
    expect(loaded?.snapshot.staleAt).toBe(NOW);
  });

  it.each([
    ['.records', (text: string) => text.replace('Team 4', 'Team 9')],
    ['.records', (text: string) => text.slice(0, 100)],
    ['.records', () => ''],
    ['.json', (text: string) => text.replace('"weight":1234', '"weight":4321')],
    ['.json', (text: string) => text.slice(0, 80)],
    ['.json', () => ''],
  ])('sets a damaged %s file aside, and reports it', async (suffix, damage) => {
    await save(snapshot(teams(5)));
    const file = await fileEndingIn(suffix);
    await writeFile(file, damage(await readFile(file, 'utf8')));
    expect(await load()).toEqual([]);
    expect(logged.map(({ message }) => message)).toEqual(['saved snapshot is damaged and not used']);
    expect((await files()).filter((one) => one.endsWith('.damaged'))).toHaveLength(1);
    await save(snapshot(teams(6)));
    expect(await load()).toHaveLength(1);
  });

  it('does not use the records of another snapshot', async () => {
    await save(snapshot(teams(5)));
    await save(snapshot(teams(6)), { ...SOURCE, code: 'beta' });
    const heads = (await files()).filter((file) => file.endsWith('.json')).map((file) => join(path, file));
    const [alpha = '', beta = ''] = await Promise.all(heads.map((file) => readFile(file, 'utf8')));
    const named = (text: string): string => /"file":"[^"]+","bytes":\d+,"sha256":"[^"]+"/.exec(text)?.[0] ?? '';
    const forged = (alpha.split('\n')[1] ?? '').replace(named(alpha), named(beta));
    await writeFile(heads[0] ?? '', `${createHash('sha256').update(forged).digest('base64url')}\n${forged}\n`);
    expect(await load()).toEqual([]);
  });

  it('neither uses nor keeps what another version of the program wrote', async () => {
    await save(snapshot(teams(5)));
    const file = await fileEndingIn('.json');
    const [, json = ''] = (await readFile(file, 'utf8')).split('\n');
    const other = json.replace('"version":3', '"version":2');
    await writeFile(file, `${createHash('sha256').update(other).digest('base64url')}\n${other}\n`);
    expect(await load()).toEqual([]);
    expect(logged).toEqual([]);
    expect(await files()).toEqual([]);
  });

  it('deletes what a killed process left, and leaves the files of others alone', async () => {
    await save(snapshot(teams(5)));
    const kept = await files();
    const uuid = '00000000-0000-4000-8000-000000000000';
    await writeFile(join(path, `alpha-0123456789abcdef.${uuid}.records.tmp`), 'part');
    await writeFile(join(path, `alpha-0123456789abcdef.${uuid}.records`), 'never named');
    await writeFile(join(path, 'notes.txt'), 'of the operator');
    expect(await load()).toHaveLength(1);
    expect(await files()).toEqual([...kept, 'notes.txt'].sort());
  });

  it('keeps within its bytes: the snapshot that was confirmed longest ago goes first', async () => {
    const folder = await open(4_000);
    const [alpha, beta] = [SOURCE, { ...SOURCE, code: 'beta', number: 2 }];
    folder.forSource(alpha).save(snapshot(teams(20), { verifiedAt: 2 }));
    folder.forSource(beta).save(snapshot(teams(20), { verifiedAt: 1 }));
    await folder.close();
    expect(await load(alpha)).toHaveLength(1);
    expect(await load(beta)).toEqual([]);
  });

  it('deletes the snapshots of sources that are no longer registered', async () => {
    await save(snapshot(teams(5)));
    const folder = await open();
    await folder.retainSources(new Set(['beta']));
    await folder.close();
    expect(await files()).toEqual([]);
  });

  it('writes nothing while another process has it locked, and reads all the same', async () => {
    await save(snapshot(teams(5)));
    const first = await open();
    const second = await open();
    second.forSource(SOURCE).save(snapshot(teams(9)));
    const loaded: SavedSnapshot[] = [];
    for await (const saved of second.forSource(SOURCE).load()) loaded.push(saved);
    expect(loaded[0]?.snapshot.set.records).toHaveLength(5);
    await second.close();
    expect(logged.map(({ message }) => message)).toEqual(['snapshots cannot be saved']);
    await first.close();
    expect((await load())[0]?.snapshot.set.records).toHaveLength(5);
  });

  it('continues what the process wrote that had it locked before', async () => {
    await save(snapshot(teams(5)));
    const first = await open();
    const second = await open();
    const restored: SavedSnapshot[] = [];
    for await (const saved of second.forSource(SOURCE).load()) restored.push(saved);
    first.forSource(SOURCE).save(snapshot(teams(6)));
    await first.close();
    for (const { snapshot: saved } of restored) second.forSource(SOURCE).save(snapshot(saved.set));
    await second.close();
    expect((await load())[0]?.snapshot.set.records).toHaveLength(5);
    expect(await files()).toHaveLength(2);
  });

  it('sets no file aside, and deletes none, while another process has it locked', async () => {
    await save(snapshot(teams(5)));
    const earlier = await fileEndingIn('.records');
    const [first, second] = [await open(), await open()];
    first.forSource(SOURCE).save(snapshot(teams(6)));
    await waitFor(async () => {
      expect(await files()).toHaveLength(3);
      expect(await fileEndingIn('.records')).not.toBe(earlier);
    });
    const written = await files();
    for await (const saved of second.forSource(SOURCE).load()) expect(saved).toBeUndefined();
    expect(await files()).toEqual(written);
    await first.close();
    expect((await load())[0]?.snapshot.set.records).toHaveLength(6);
  });

  it('leaves no records behind whose head cannot be written', async () => {
    await save(snapshot(teams(5)));
    const head = await fileEndingIn('.json');
    const folder = await open();
    await rm(head);
    await mkdir(head);
    folder.forSource(SOURCE).save(snapshot(teams(6)));
    await folder.close();
    expect((await files()).filter((file) => file.endsWith('.records'))).toHaveLength(1);
  });

  it('is created again when it is deleted, and has all that is saved afterwards', async () => {
    const set = teams(5);
    const folder = await open();
    folder.forSource(SOURCE).save(snapshot(set));
    await waitFor(async () => expect(await files()).toHaveLength(3));
    await rm(path, { recursive: true, maxRetries: 10 });
    folder.forSource(SOURCE).save(snapshot(set, { verifiedAt: NOW }));
    await folder.close();
    expect(await load()).toHaveLength(1);
  });

  it('logs once that it cannot write, and once that it can again, and the process goes on', async () => {
    await writeFile(path, 'a file in the place of the folder');
    const folder = await open();
    for (const count of [5, 6]) {
      folder.forSource(SOURCE).save(snapshot(teams(count)));
      await waitFor(() => expect(folder.saveFailure?.lists).toBe(1));
    }
    await rm(path);
    folder.forSource(SOURCE).save(snapshot(teams(7)));
    await folder.close();
    expect(folder.saveFailure).toBeUndefined();
    expect(logged.map(({ message }) => message)).toEqual(['snapshots cannot be saved', 'snapshots are saved again']);
  });

  it('counts a list that it could not save until that list is saved, whichever others are', async () => {
    const folder = await open();
    const [alpha, beta] = [folder.forSource(SOURCE), folder.forSource({ ...SOURCE, code: 'beta' })];
    alpha.save(snapshot(teams(5)));
    const head = await waitFor(async () => {
      const found = await fileEndingIn('.json');
      expect(await stat(found)).toBeDefined();
      return found;
    });
    await rm(head);
    await mkdir(head);
    alpha.save(snapshot(teams(6)));
    await waitFor(() => expect(folder.saveFailure?.lists).toBe(1));
    beta.save(snapshot(teams(6)));
    await waitFor(async () => expect((await files()).filter((file) => file.startsWith('beta'))).toHaveLength(2));
    expect(folder.saveFailure?.lists).toBe(1);
    await rm(head, { recursive: true });
    alpha.save(snapshot(teams(7)));
    await waitFor(() => expect(folder.saveFailure).toBeUndefined());
  });

  it.each(['.json', '.records'])('does not follow a link in place of a file that ends in %s', async (suffix) => {
    await save(snapshot(teams(5)));
    const file = await fileEndingIn(suffix);
    await rename(file, join(path, 'elsewhere'));
    await symlink('elsewhere', file);
    expect(await load()).toEqual([]);
    expect(logged).toEqual([
      {
        message: 'saved snapshot is damaged and not used',
        facts: expect.objectContaining({ error: `${file} is not a regular file` }) as object,
      },
    ]);
  });

  it('lets only its owner read the files', async () => {
    await save(snapshot(teams(5)));
    const modes = await Promise.all(
      [path, ...(await files()).map((file) => join(path, file))].map(async (one) => (await stat(one)).mode & 0o077),
    );
    expect(modes.every((mode) => mode === 0)).toBe(true);
  });
});
