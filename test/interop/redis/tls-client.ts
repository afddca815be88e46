import { randomUUID } from 'node:crypto';
import { RedisStore } from '../../../src/state/redis/redis-store.js';
import { claimGranted, publish } from '../../state/sharing/store-contract/store-fixture.js';
import { untilConnected } from './redis-server.js';

/**
 * A process that uses a shared memory at the address in its arguments, because Node.js reads NODE_EXTRA_CA_CERTS when a
 * process starts. It prints what it read back, or the first error, as JSON.
 */
const [url = ''] = process.argv.slice(2);
const result = new Promise<string>((resolve) => {
  void useStore(resolve);
});
process.stdout.write(`${JSON.stringify(await result)}\n`, () => process.exit());

async function useStore(report: (text: string) => void): Promise<void> {
  const store = new RedisStore({ url, namespace: randomUUID(), onError: report, commandTimeout: 10_000 });
  try {
    const isSubscribed = new Promise<void>((resolve) => store.onChange(() => resolve()));
    await untilConnected(store);
    await isSubscribed;
    const records = { id: 'records-1', duration: 60_000 };
    await store.writeRecords(records.id, [Buffer.alloc(700_000)]);
    await publish(store, await claimGranted(store, 'teams'), { records, head: Buffer.from('the head') });
    let bytes = 0;
    for await (const chunk of store.readRecords(records.id)) bytes += chunk.length;
    report(`${String((await store.read('teams'))?.head)}, ${bytes} bytes`);
  } catch (error) {
    report(String(error));
  } finally {
    await store.close();
  }
}
