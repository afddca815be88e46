import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../../src/model/clock.js';
import { EntrySealer } from '../../../../src/lists/store/redis/entry-sealer.js';
import { SharedMemory } from '../../../../src/state/sharing/shared-memory.js';
import { SharedMemoryView } from '../../../../src/state/sharing/shared-memory-view.js';
import type { MemoryConnection } from './memory-connection.js';
import type { MemoryStore } from './memory-store.js';

/** Real milliseconds that every pause takes, whatever the fake clock shows. */
const PAUSE_MS = 2;

/** The part of one instance in a shared memory whose time is that of a fake clock. */
export interface SharedInstance {
  readonly connection: MemoryConnection;
  readonly memory: SharedMemory;
  readonly view: SharedMemoryView;
  close(): Promise<void>;
}

/** What an instance joins with. */
export interface JoinOptions {
  readonly clock: Clock;
  /** Default: the same for all. */
  readonly configuration?: string;
  /** `cache.redis-key`; default: none. */
  readonly secret?: string;
}

/** Lets an instance join a shared memory, and waits for its first report. */
export async function joinMemory(
  store: MemoryStore,
  { clock, configuration = 'same', secret }: JoinOptions,
): Promise<SharedInstance> {
  const connection = store.connect();
  const memory = new SharedMemory({
    store: connection,
    sealer: new EntrySealer(secret),
    clock,
    publish: () => undefined,
    configuration,
    monotonic: () => clock.now(),
    pause: () => sleep(PAUSE_MS),
  });
  const view = new SharedMemoryView(memory);
  view.activate();
  const running = memory.run();
  await memory.synchronize();
  return {
    connection,
    memory,
    view,
    close: async () => {
      await memory.close();
      await running;
    },
  };
}
