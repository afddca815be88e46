import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Generation } from '../../../src/cli/serve/generation.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { SharedMemoryView } from '../../../src/state/sharing/shared-memory-view.js';
import { fakeClock } from '../../support/fake-clock.js';
import { MemoryStore } from '../../support/gateway/sharing/memory-store.js';
import { joinMemory } from '../../support/gateway/sharing/shared-instances.js';
import type { SharedInstance } from '../../support/gateway/sharing/shared-instances.js';

/** A generation, and how often it has forgotten its source because another instance did. */
interface ObservedGeneration {
  readonly generation: Generation;
  count: number;
}

describe('generations of an instance that shares its memory', () => {
  const clock = fakeClock();
  let own: SharedInstance;
  let other: SharedInstance;
  let opened: Generation[] = [];

  beforeEach(async () => {
    const store = new MemoryStore(clock);
    [own, other] = [await joinMemory(store, { clock }), await joinMemory(store, { clock })];
  });
  afterEach(async () => {
    for (const generation of opened) await generation.close();
    opened = [];
    await Promise.all([own.close(), other.close()]);
  });

  const create = ({ memory }: SharedInstance): ObservedGeneration => {
    const parsed = parseConfig(
      JSON.stringify({ sources: { one: { number: 1, directory: 'http://127.0.0.1:1' } } }),
      {},
    );
    if (!('config' in parsed)) throw new Error(JSON.stringify(parsed.errors));
    const observed = { count: 0 };
    const generation = new Generation(parsed.config, {
      publish: ({ type }) => {
        if (type.startsWith('source forgotten')) observed.count += 1;
      },
      unnamedGateway: 'rollcall-test',
      explorerAssets: undefined,
      version: '1.2.3',
      tracer: undefined,
      getLocalOrigin: () => undefined,
      state: {
        history: undefined,
        snapshots: undefined,
        sharedMemory: new SharedMemoryView(memory),
        rateLimitStore: undefined,
      },
    });
    opened.push(generation);
    return Object.assign(observed, { generation });
  };
  const forgetByOther = async (): Promise<void> => {
    clock.advance(1_000);
    await create(other).generation.app.sources[0]?.operations.forget();
    await sleep(20);
  };

  test('follow what another instance forgets only while they are in force', async () => {
    const [first, second] = [create(own), create(own)];
    const counts = (): readonly number[] => [first.count, second.count];
    first.generation.activate();
    await forgetByOther();
    expect(counts()).toEqual([1, 0]);
    first.generation.deactivate();
    second.generation.activate(first.generation);
    await forgetByOther();
    expect(counts()).toEqual([1, 1]);
  });

  test('follow nothing any more once they are closed', async () => {
    const first = create(own);
    first.generation.activate();
    await first.generation.close();
    await forgetByOther();
    expect(first.count).toBe(0);
  });
});
