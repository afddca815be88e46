import { expect, test } from 'vitest';
import { openSharedMemory } from '../../../src/cli/serve/open-shared-memory.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { silentLog } from '../../support/silent-log.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

const sources = { one: { number: 1, directory: 'http://127.0.0.1:1' } };

test('instances of two builds of one version are not in agreement, those of one build are', async () => {
  // Nothing listens there: an instance works without its shared memory.
  const parsed = parseConfig(JSON.stringify({ cache: { redis: 'redis://127.0.0.1:1' }, sources }), {});
  if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  const { config } = parsed;
  const [one, same, other] = await Promise.all(
    ['a', 'a', 'b'].map(async (build) => {
      const opened = await openSharedMemory(config, { publish: () => undefined, build });
      await opened?.close();
      return opened?.fingerprintOf(config);
    }),
  );
  expect(one).toBeDefined();
  expect(same).toBe(one);
  expect(other).not.toBe(one);
});

test.each([
  [undefined, 1],
  ['k'.repeat(32), 0],
])('with the key %s, the log has %i warnings of forgery at the start', async (key, count) => {
  const cache = { redis: 'redis://127.0.0.1:1', ...(key !== undefined && { 'redis-key': key }) };
  const parsed = parseConfig(JSON.stringify({ cache, sources }), {});
  if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
  const warnings: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) };
  const opened = await openSharedMemory(parsed.config, { publish: createLogSubscriber(log), build: 'a' });
  await opened?.close();
  expect(warnings.filter((message) => message.includes('without cache.redis-key'))).toHaveLength(count);
});
