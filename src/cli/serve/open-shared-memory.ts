import { createHash } from 'node:crypto';
import { fingerprintConfig } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { systemClock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import { RedisStore } from '../../state/redis/redis-store.js';
import { EntrySealer } from '../../state/sharing/entry-sealer.js';
import type { DisagreementReason } from '../../state/sharing/instance-agreement.js';
import { SharedMemory } from '../../state/sharing/shared-memory.js';

/** Version of everything that instances exchange. Instances with another one do not see each other's entries. */
const FORMAT_VERSION = 1;

/** Longest time that a start waits for the shared memory, in milliseconds. */
const MAX_START_WAIT_MS = 1_000;

/** Receives what happens with the shared memory. */
export interface SharedMemoryMeter {
  /** Records whether this instance serves what the others serve; otherwise with the reason (operation 7.1). */
  recordAgreement(reason: DisagreementReason | undefined): void;
  /** Counts a snapshot that another instance has fetched, or an entry that was refused. */
  countSharedSnapshot(event: 'adopted' | 'refused'): void;
}

/** A shared memory in use (operation 2.5.4). */
export interface OpenSharedMemory {
  readonly memory: SharedMemory;
  /** Hash of everything that shapes responses. */
  fingerprintOf(config: Config): string;
  /** The settings with which it was opened. */
  readonly settings: string;
}

/**
 * Opens the memory of `cache.redis`, or keeps the one in use if its settings are the same. Undefined without the setting.
 * Waits up to a second for the server; without it the instance goes on by itself. Never rejects.
 */
export async function openSharedMemory(
  config: Config,
  context: { readonly log: Log; readonly meter: SharedMemoryMeter; readonly version: string },
  current?: OpenSharedMemory,
): Promise<OpenSharedMemory | undefined> {
  const { redis: url, redisKey } = config.cache;
  if (url === undefined) return undefined;
  const settings = JSON.stringify([url, redisKey, config.server.name]);
  if (current?.settings === settings) return current;
  const { log, meter, version } = context;
  const fingerprintOf = (one: Config): string =>
    createHash('sha256')
      .update(JSON.stringify([version, fingerprintConfig(one)]))
      .digest('base64url');
  const memory = new SharedMemory({
    store: new RedisStore({
      url,
      namespace: `rollcall:${FORMAT_VERSION}:${config.server.name ?? ''}`,
      onError: (error) => {
        log.warn({ error }, 'shared memory failed');
      },
    }),
    sealer: new EntrySealer(redisKey),
    clock: systemClock,
    log,
    configuration: fingerprintOf(config),
    onAgreement: (reason) => {
      meter.recordAgreement(reason);
      if (reason === undefined) log.info({}, 'in agreement with the other instances');
      else log.warn({ reason }, 'not in agreement with the other instances: responses have no Last-Modified');
    },
    onAdopted: () => {
      meter.countSharedSnapshot('adopted');
    },
    onRefused: () => {
      meter.countSharedSnapshot('refused');
    },
  });
  void memory.run();
  await memory.waitUntilReachable(MAX_START_WAIT_MS);
  return { memory, fingerprintOf, settings };
}
