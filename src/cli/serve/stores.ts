import { createHash } from 'node:crypto';
import type { RateLimitStore } from '../../access/request-counters.js';
import { fingerprintConfig, fingerprintServing } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { listNumbers } from '../../config/source-number-changes.js';
import type { KnownNumbers } from '../../config/source-number-changes.js';
import type { Publish } from '../../events/event.js';
import { ListFolder } from '../../lists/store/disk/list-folder.js';
import type { SharedStore } from '../../lists/store/redis/shared-store.js';
import { systemClock } from '../../model/clock.js';

/** What outlives the process, and what other instances share (operation 2.5.3, 2.5.4). */
export interface Stores {
  /** Of the settings that shape responses, and of the build of the program. */
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
  const configurationOf = (one: Config): string => `${fingerprintConfig(one)}+${build}`;
  const describe = (one: Config): { readonly configuration: string; readonly numbers: KnownNumbers } => ({
    configuration: configurationOf(one),
    numbers: listNumbers(one),
  });
  const folder =
    path === undefined ? undefined : await ListFolder.open({ path, ...describe(config), clock: systemClock, publish });
  // The client of Redis takes 20 MB of memory. Only a process that uses it loads it.
  const opened =
    redis === undefined
      ? undefined
      : await import('./open-shared-store.js').then(({ openSharedStore }) =>
          openSharedStore(config.cache, {
            publish,
            name: config.server.name ?? '',
            configuration: fingerprintServed(config, build),
          }),
        );
  return {
    configurationOf,
    folder,
    shared: opened?.store,
    rateLimitStore: opened?.rateLimitStore,
    reconfigure: async (next) => {
      opened?.store.reconfigure(fingerprintServed(next, build));
      await folder?.reconfigure({ ...describe(next), codes: new Set(next.sources.map(({ code }) => code)) });
    },
    close: async () => {
      await Promise.all([opened?.close(), folder?.close()]);
    },
  };
}

/** Of everything that decides which responses an instance gives, and when. */
function fingerprintServed(config: Config, build: string): string {
  return createHash('sha256')
    .update(JSON.stringify([build, fingerprintServing(config)]))
    .digest('base64url');
}
