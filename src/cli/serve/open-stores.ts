import { createHash } from 'node:crypto';
import type { RateLimitStore } from '../../access/request-counters.js';
import { fingerprintServing } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { listNumbers } from '../../config/source-number-changes.js';
import type { KnownNumbers } from '../../config/source-number-changes.js';
import type { Publish } from '../../events/event.js';
import { ListFolder } from '../../lists/store/disk/list-folder.js';
import type { SharedStore } from '../../lists/store/redis/shared-store.js';
import { systemClock } from '../../model/clock.js';
import type { OpenSharedStore } from './open-shared-store.js';

/** What outlives the process, and what other instances share (operation 2.5.3, 2.5.4). */
export interface Stores {
  /** Hash of the build of the program and of everything that decides which responses it gives, and when. */
  configurationOf(config: Config): string;
  /** Undefined without `cache.disk`. */
  readonly folder: ListFolder | undefined;
  /** Undefined without `cache.redis`. */
  readonly shared: SharedStore | undefined;
  /** Counts for the rate limits of all instances. Undefined without `cache.redis`. */
  readonly rateLimitStore: RateLimitStore | undefined;
  /** Another configuration is in force. Never rejects. */
  reconfigure(config: Config): Promise<void>;
  /** Writes what is pending. Never rejects. */
  close(): Promise<void>;
}

interface StoresContext {
  readonly publish: Publish;
  /** Another build may give other responses. */
  readonly build: string;
}

/** What cannot be opened is reported, and not used. Never rejects. */
export async function openStores(config: Config, { publish, build }: StoresContext): Promise<Stores> {
  const { disk: path, redis } = config.cache;
  const configurationOf = (one: Config): string =>
    createHash('sha256')
      .update(JSON.stringify([build, fingerprintServing(one)]))
      .digest('base64url');
  const describe = (one: Config): { readonly configuration: string; readonly numbers: KnownNumbers } => ({
    configuration: configurationOf(one),
    numbers: listNumbers(one),
  });
  const folder =
    path === undefined ? undefined : await ListFolder.open({ path, ...describe(config), clock: systemClock, publish });
  const shared = redis === undefined ? undefined : await openShared(config, publish);
  return {
    configurationOf,
    folder,
    shared: shared?.store,
    rateLimitStore: shared?.rateLimitStore,
    reconfigure: async (next) => {
      await folder?.reconfigure({ ...describe(next), codes: new Set(next.sources.map(({ code }) => code)) });
    },
    close: async () => {
      await Promise.all([shared?.close(), folder?.close()]);
    },
  };
}

/** The client of Redis takes 20 MB of memory. Only a process that uses it loads it. */
async function openShared({ cache, server }: Config, publish: Publish): Promise<OpenSharedStore> {
  const { openSharedStore } = await import('./open-shared-store.js');
  return openSharedStore(cache, { publish, name: server.name ?? '' });
}
