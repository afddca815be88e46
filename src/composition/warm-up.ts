import type { Config } from '../config/config.js';
import type { Explorer } from '../explorer/explorer.js';
import { indexCachedLists, untilAborted } from '../gateway/indexed-search.js';
import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { createDeadlineSignal } from '../source/client/timeout.js';
import type { Source } from '../lists/source/source.js';
import { SERVED_RESOURCES } from './create-served-resources.js';
import type { Level } from './level.js';

/** Fills the caches before the first requests (operation 2.3.6). */
export interface WarmUp {
  /** From an earlier process (operation 2.5.3). Never rejects. */
  restore(): Promise<void>;
  /** Warms up sources and indexes their lists, for at most one `server.deadline`. Never rejects. */
  warmUp(isSelected?: (source: Source) => boolean): Promise<void>;
  /** At public access, indexing included. */
  isIndexing(): boolean;
  /** As `warmUp`, at members access where a client can have it. */
  warmUpMembers(): Promise<void>;
  /** What the first pages need besides the records. Never rejects. */
  warmUpPages(): Promise<void>;
}

export function createWarmUp(
  { server, access }: Config,
  levels: { readonly public: Level; readonly members: Level | undefined },
  explorer: Explorer | undefined,
): WarmUp {
  const { sources } = levels.public;
  const searchedLists = listSearchedLists(sources);
  let warmUps = 0;
  const index = async (
    { searchEngine }: Level,
    selected: readonly Source[],
    prepare: (source: Source) => Promise<unknown>,
  ): Promise<void> => {
    const signal = createDeadlineSignal(MAX_INDEXING_TIME);
    const indexSource = async (source: Source): Promise<void> => {
      await prepare(source);
      await indexCachedLists(source, searchedLists, { searchEngine, signal });
    };
    await Promise.all(selected.map(indexSource));
  };
  return {
    restore: async () => {
      // One after the other: each is read as fast as the disk allows.
      for (const source of sources) await source.restore();
    },
    warmUp: async (isSelected = () => true) => {
      const signal = createDeadlineSignal(server.deadline);
      warmUps += 1;
      const indexing = index(levels.public, sources.filter(isSelected), (source) =>
        warmUp(source, SERVED_RESOURCES, signal),
      ).finally(() => {
        warmUps -= 1;
      });
      await untilAborted(indexing, signal);
    },
    isIndexing: () => warmUps > 0,
    warmUpMembers: async () => {
      if (levels.members === undefined) return;
      const signal = createDeadlineSignal(server.deadline);
      const listResources = listMembersResources(access);
      const indexing = index(levels.members, levels.members.sources, (source) =>
        warmUp(source, listResources(source), signal),
      );
      await untilAborted(indexing, signal);
    },
    warmUpPages: async () => {
      // The pages would request records of a large source that nobody has asked for yet.
      if (!sources.some(isLarge)) await explorer?.warmUp();
    },
  };
}

/** Milliseconds until the process counts as ready without the first indexes (operation 2.4.1). */
const MAX_INDEXING_TIME = 120_000;

/** Never rejects. */
async function warmUp(source: Source, resources: readonly Resource[], signal: AbortSignal): Promise<void> {
  await Promise.all(resources.map((resource) => source.warmUp(resource, signal)));
}

const TEAM_LISTS = [directoryTeams, dataTeams];

/**
 * Indexed before the first search: teams of the directory interface, which the pages search, and those of the data
 * interface where a source has it.
 */
function listSearchedLists(sources: readonly Source[]): readonly Resource[] {
  const isNative = (resource: Resource): boolean =>
    sources.some((source) => source.serves(resource) && source.interfaceFor(resource) === resource.interfaceName);
  return TEAM_LISTS.filter((resource) => resource === directoryTeams || isNative(resource));
}

/** More teams than the `drain-threshold`, and no complete list in the cache. */
function isLarge(source: Source): boolean {
  return TEAM_LISTS.some((resource) => ['large', 'too-large'].includes(source.availability({ resource })));
}

/** Read by queries at members level, on the interface that the source serves (decisions 8.2). */
function listMembersResources({ scopes }: Config['access']): (source: Source) => readonly Resource[] {
  const served = scopes.pgp === 'members' ? [dataTeams, directoryTeams] : [dataTeams];
  return (source) => {
    const interfaces = new Set(served.map((resource) => source.interfaceFor(resource)));
    return [dataTeams, directoryTeams].filter(({ interfaceName }) => interfaces.has(interfaceName));
  };
}
