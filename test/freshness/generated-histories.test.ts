import fc from 'fast-check';
import { it } from 'vitest';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { CachingClient } from './caching-client.js';
import { applyEvent, history, initialState, settle } from './history-events.js';
import type { HistoryEvent } from './history-events.js';
import { SimulatedWorld } from './simulated-world.js';

type Initial = typeof initialState extends fc.Arbitrary<infer T> ? T : never;

/** Applies a history while clients check every response, and then requires that unchanged content is recognised. */
async function runHistory(initial: Initial, events: readonly HistoryEvent[]): Promise<void> {
  const world = await SimulatedWorld.open(initial);
  try {
    const clients = initial.targets.map((target) => new CachingClient(world, target));
    for (const client of clients) await client.requestConditionally('nothing');
    for (const next of events) await applyEvent(world, clients, next);
    await settle(world, clients);
    for (const client of clients) await client.expectNotModified();
  } finally {
    await world.close();
  }
}

it('responds with 304 only to unchanged content, and one Last-Modified, which is never in the future, has one content', async () => {
  const property = fc.asyncProperty(initialState, history, runHistory);
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 6, long: 150 }) });
});
