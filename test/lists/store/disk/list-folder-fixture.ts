import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import type { EventOf } from '../../../../src/events/event.js';
import type { ListSource } from '../../../../src/lists/store/disk/list-file.js';
import { ListFolder } from '../../../../src/lists/store/disk/list-folder.js';
import type { StoredList } from '../../../../src/lists/stored-list.js';
import { directoryTeams } from '../../../../src/model/resources/directory-teams.js';
import type { RecordSet } from '../../../../src/records/record-set.js';
import { completeListQuery } from '../../../../src/source/request/source-query.js';
import { teamRecordSet } from '../../../support/unit/team-record-set.js';

/** In milliseconds since 1970. */
export const NOW = 10_000_400;

export const ALPHA: ListSource = {
  code: 'alpha',
  number: 1,
  fingerprints: { definition: 'd', context: 'c' },
  configuration: 'one',
};
export const BETA: ListSource = { ...ALPHA, code: 'beta', number: 2 };

export function teams(count: number, name = 'Team'): RecordSet {
  const rows = Array.from({ length: count }, (_, at) => ({
    slug: `team-${at}`,
    'short-team-name': `${name} ${at}`,
    'official-team-name': 'Équipe \u2028 ☎\n',
    'country-code': ['NO', 'SE'],
  }));
  return teamRecordSet('alpha', 1, rows);
}

export function listOf(set: RecordSet, more: Partial<StoredList> = {}): StoredList {
  const times = { fetchedAt: NOW - 3, verifiedAt: NOW - 2, staleAt: NOW + 1 };
  return { query: completeListQuery(directoryTeams), set, ...times, via: ['gate'], weight: 1234, ...more };
}

export interface FolderFixture {
  readonly path: string;
  /** Names of events, without those that only set a metric. */
  readonly events: () => readonly string[];
  readonly published: readonly EventOf[];
  readonly files: () => Promise<readonly string[]>;
  readonly open: (options?: Partial<Parameters<typeof ListFolder.open>[0]>) => Promise<ListFolder>;
  /** In a process of its own: the folder is opened and closed. */
  readonly save: (list: StoredList, source?: ListSource) => Promise<void>;
  readonly load: (source?: ListSource) => Promise<readonly StoredList[]>;
}

/** A folder that does not exist yet, for each test another one. */
export function useListFolder(): FolderFixture {
  let parent = '';
  let published: EventOf[] = [];
  let opened: ListFolder[] = [];
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'rollcall-lists-'));
    [published, opened] = [[], []];
  });
  afterEach(async () => {
    vi.useRealTimers();
    await Promise.all(opened.map((folder) => folder.close()));
    await rm(parent, { recursive: true, force: true });
  });
  const fixture: FolderFixture = {
    get path() {
      return join(parent, 'lists');
    },
    get published() {
      return published;
    },
    events: () => published.map(({ type }) => type).filter((type) => type !== 'snapshots written'),
    files: async () => (await readdir(fixture.path)).sort(),
    open: async (options = {}) => {
      const numbers = new Map([ALPHA, BETA].map(({ code, number }) => [code, number]));
      const publish = (event: EventOf): void => void published.push(event);
      const defaults = { path: fixture.path, configuration: 'one', numbers, clock: { now: () => NOW }, publish };
      const folder = await ListFolder.open({ ...defaults, ...options });
      opened.push(folder);
      return folder;
    },
    save: async (list, source = ALPHA) => {
      const folder = await fixture.open({ configuration: source.configuration });
      folder.forSource(source).save(list);
      await folder.close();
    },
    load: async (source = ALPHA) => {
      const folder = await fixture.open({ configuration: source.configuration });
      const lists = await loadAll(folder, source);
      await folder.close();
      return lists;
    },
  };
  return fixture;
}

export async function loadAll(folder: ListFolder, source = ALPHA): Promise<readonly StoredList[]> {
  const lists: StoredList[] = [];
  for await (const list of folder.forSource(source).load()) lists.push(list);
  return lists;
}
