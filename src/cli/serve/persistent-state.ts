import type { RateLimitStore } from '../../access/request-counters.js';
import { fingerprintConfig } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { listNumbers } from '../../config/source-number-changes.js';
import type { Publish } from '../../events/event.js';
import { systemClock } from '../../model/clock.js';
import { HistoryView } from '../../state/history-view.js';
import { SnapshotFolderView } from '../../state/snapshots/snapshot-folder-view.js';
import { SnapshotFolder } from '../../state/snapshots/snapshot-folder.js';
import { SharedMemoryView } from '../../state/sharing/shared-memory-view.js';
import type { OpenSharedMemory } from './open-shared-memory.js';
import { openStateFile } from '../../state/state-file.js';
import type { StateFile, StateFileOptions } from '../../state/state-file.js';

/**
 * What outlives the process: the state file, the folder of snapshots, and the memory that is shared with other
 * instances (operation 2.5.2 to 2.5.4).
 */
export interface PersistentState {
  readonly build: string;
  readonly paths: Pick<Config['cache'], 'state' | 'disk'>;
  readonly shared: OpenSharedMemory | undefined;
  /** Undefined without `cache.state`. */
  readonly file: StateFile | undefined;
  /** Undefined without `cache.disk`. */
  readonly folder: SnapshotFolder | undefined;
}

export interface StateView {
  readonly history: HistoryView | undefined;
  readonly snapshots: SnapshotFolderView | undefined;
  readonly sharedMemory: SharedMemoryView | undefined;
  readonly rateLimitStore: RateLimitStore | undefined;
}

export interface StateContext {
  readonly publish: Publish;
  /** Another build may give other responses. */
  readonly build: string;
}

/**
 * Keeps what is open in `current`. A file that is opened later does not have the history of a process that has served
 * already. Never rejects.
 */
export async function openState(
  config: Config,
  { publish, build }: StateContext,
  current?: PersistentState,
): Promise<PersistentState> {
  const { state, disk, memory: maxBytes } = config.cache;
  const paths = { state, disk };
  const openFile = async (): Promise<StateFile | undefined> => {
    if (state === undefined) return undefined;
    const hasServed = current !== undefined;
    return openStateFile({
      file: state,
      ...describeConfiguration(config, build),
      publish,
      ...(hasServed && { hasServed }),
    });
  };
  const openFolder = async (): Promise<SnapshotFolder | undefined> =>
    disk === undefined ? undefined : SnapshotFolder.open({ path: disk, maxBytes, clock: systemClock, publish });
  const openShared = async (): Promise<OpenSharedMemory | undefined> => {
    // The client of Redis takes 20 MB of memory. Only a process that uses it loads it.
    const { openSharedMemory } = await import('./open-shared-memory.js');
    return openSharedMemory(config, { publish, build }, current?.shared);
  };
  return {
    build,
    paths,
    file: current?.paths.state === state ? current?.file : await openFile(),
    folder: current?.paths.disk === disk ? current?.folder : await openFolder(),
    shared: config.cache.redis === undefined ? undefined : await openShared(),
  };
}

export function createStateView({ file, folder, shared }: PersistentState): StateView {
  return {
    history: file && new HistoryView(file),
    snapshots: folder && new SnapshotFolderView(folder),
    sharedMemory: shared && new SharedMemoryView(shared.memory),
    rateLimitStore: shared?.rateLimitStore,
  };
}

/** `replacedAt`: when the configuration replaced one that answered differently (operation 6.2). */
export async function noteConfiguration(
  { build, file, folder, shared }: PersistentState,
  config: Config,
  replacedAt: number | undefined,
): Promise<void> {
  void shared?.memory.reconfigure(shared.fingerprintOf(config));
  file?.reconfigure(describeConfiguration(config, build), replacedAt);
  folder?.setMaxBytes(config.cache.memory);
  await folder?.retainSources(new Set(config.sources.map(({ code }) => code)));
}

/** The fingerprint covers what shapes the responses of this program. */
function describeConfiguration(config: Config, build: string): Pick<StateFileOptions, 'configuration' | 'numbers'> {
  return { configuration: `${fingerprintConfig(config)}+${build}`, numbers: listNumbers(config) };
}

/** Closes what is not in `kept`, after its last content has been written. Never rejects. */
export async function closeState({ file, folder, shared }: PersistentState, kept?: PersistentState): Promise<void> {
  await Promise.all([
    shared === kept?.shared ? undefined : shared?.close(),
    file === kept?.file ? undefined : file?.close(),
    folder === kept?.folder ? undefined : folder?.close(),
  ]);
}
