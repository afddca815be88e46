import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EntrySealer } from '../../../src/lists/store/redis/entry-sealer.js';
import { SharedStore } from '../../../src/lists/store/redis/shared-store.js';
import { systemClock } from '../../../src/model/clock.js';
import { findList, listsOf, publishList, teamList } from '../../lists/store/redis/shared-team-list.js';

/**
 * A process that uses a shared memory at the address in its arguments, because Node.js reads NODE_EXTRA_CA_CERTS when a
 * process starts. It prints how many records it shared, or why it does not reach the memory.
 */
const [url = ''] = process.argv.slice(2);
const namespace = randomUUID();
const open = (): SharedStore =>
  new SharedStore({
    ...{ url, namespace, sealer: new EntrySealer(undefined), clock: systemClock },
    publish: () => undefined,
  });
const stores = [open(), open()];
await Promise.all(stores.map((store) => store.waitUntilReachable(2_000)));
const { reachable, error = '' } = stores[0]?.status ?? { reachable: false };
process.stdout.write(`${reachable ? await shareList() : error}\n`, () => process.exit());

async function shareList(): Promise<string> {
  const [a, b] = stores.map((store) => listsOf(store));
  if (a === undefined || b === undefined) throw new Error('no stores');
  // A connection for records may not be made yet, and a loaded machine may take longer than an instance waits.
  for (let attempts = 0; attempts < 100; attempts += 1) {
    await publishList(a, teamList(Date.now(), { teams: 5_000 }));
    const found = await findList(b).catch(() => undefined);
    if (found !== undefined) return `${found.set.records.length} records`;
    await pause(25);
  }
  return 'nothing was shared';
}
