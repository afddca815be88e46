import { randomUUID } from 'node:crypto';
import type {
  Claim,
  ClaimOptions,
  FetchLease,
  InstanceReport,
  Publication,
  PublicationResult,
  SharedState,
  SharedStore,
} from '../../../../src/state/sharing/shared-store.js';

/** A shared memory that is empty at the beginning of each test. */
export interface SharedStoreFixture {
  /** Returns a new connection that is ready. */
  readonly connect: () => Promise<SharedStore>;
  /** Lets the memory evict the list of changes, and nothing else. */
  readonly evictChanges: () => Promise<void>;
  /** Waits until this time has passed by the clock of the memory, in milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Notice period of the tests, in milliseconds. */
export const NOTICE = 200;

/** A time without end for a test, in milliseconds. */
export const LONG = 60_000;

/** Reports that an instance is alive. By default it knows nothing. */
export function report(store: SharedStore, options: Partial<InstanceReport> = {}): Promise<SharedState> {
  return store.synchronize({ instance: 'a', configuration: 'one', known: undefined, notice: NOTICE, ...options });
}

/** Claims an entry that the instance may know, for a long time. By default it reports before. */
export async function claim(store: SharedStore, name: string, options: Partial<ClaimOptions> = {}): Promise<Claim> {
  const epoch = 'epoch' in options ? options.epoch : (await report(store)).epoch.id;
  return store.claim(name, { version: 0, duration: LONG, ...options, epoch });
}

/** Claims an entry, which must be granted. */
export async function claimGranted(
  store: SharedStore,
  name: string,
  options: Partial<ClaimOptions> = {},
): Promise<FetchLease & { readonly time: number }> {
  const result = await claim(store, name, options);
  if (result.state !== 'granted') throw new Error(`the claim of ${name} is ${result.state}`);
  return { ...result.lease, time: result.time };
}

/** Writes records, and publishes an entry that names them. By default nothing was published before. */
export async function publish(
  store: SharedStore,
  lease: FetchLease,
  options: Partial<Publication> = {},
): Promise<PublicationResult> {
  const id = randomUUID();
  await store.writeRecords(id, [Buffer.from('records')]);
  return store.publish(lease, {
    head: Buffer.from('head'),
    activeAt: 0,
    waitAt: 0,
    records: { id, duration: LONG },
    duration: LONG,
    isUnchanged: false,
    isFollowed: true,
    notice: NOTICE,
    ...options,
  });
}

/** Claims and publishes an entry, which must succeed, and returns its version. */
export async function publishEntry(
  store: SharedStore,
  name: string,
  { version = 0, ignoresRejected = false, ...options }: Partial<Publication & ClaimOptions> = {},
): Promise<number> {
  const result = await publish(store, await claimGranted(store, name, { version, ignoresRejected }), options);
  if (result.state !== 'published') throw new Error(`the publication of ${name} is ${result.state}`);
  return result.version;
}
