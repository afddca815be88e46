import fc from 'fast-check';
import { it } from 'vitest';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { CachingClient } from './caching-client.js';
import { applyEvent, history, initialState, settle, sharedHistory } from './history-events.js';
import { SimulatedWorld } from './simulated-world.js';

const ask = { kind: 'request', client: 0, condition: 'tag', instance: undefined } as const;
const add = { kind: 'change', source: 0, change: 'add', which: 0, dating: undefined } as const;

/** A history after which an instance forgot for a moment that a source had failed. */
const FOUND: Parameters<typeof applyEvent>[2][] = [
  { kind: 'state', source: 0, state: 'failing' },
  { kind: 'wait', milliseconds: 10_000 },
  ...[ask, ask, ask, add],
  { kind: 'wait', milliseconds: 2_000 },
  ...[ask, { kind: 'restart' } as const, ask],
];

const memory = (event: 'restart empty' | 'cut off' | 'reconnect') => ({ kind: 'memory', event }) as const;
const wait = (milliseconds: number) => ({ kind: 'wait', milliseconds }) as const;
const everywhere = { kind: 'everywhere', client: 0 } as const;
const askByDate = { ...ask, condition: 'date' } as const;

/** A history after which an instance kept the dates of a list that its source confirmed for it alone. */
const FOUND_LATER: typeof FOUND = [
  ...[ask, memory('restart empty'), askByDate, memory('cut off'), add, wait(10_000), askByDate],
  ...[wait(200), askByDate, askByDate, wait(1_300), askByDate, askByDate, memory('reconnect'), memory('cut off')],
  ...[{ ...add, dating: 3 as const }, everywhere, askByDate, { kind: 'restart' } as const, wait(60_000), everywhere],
  ...[{ kind: 'state', source: 1, state: 'incomplete' } as const, everywhere, memory('reconnect'), everywhere],
  ...[wait(10_600), wait(10_000), everywhere, ask],
];

type Initial = typeof initialState extends fc.Arbitrary<infer T> ? T : never;

/** Applies a history while clients check every response, and then requires that unchanged content is recognised. */
async function runHistory(
  initial: Initial & { readonly instances?: number },
  events: readonly Parameters<typeof applyEvent>[2][],
): Promise<void> {
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

it('responds with 304 only to unchanged content, and Last-Modified never decreases and is never in the future', async () => {
  const property = fc.asyncProperty(initialState, history, runHistory);
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 6, long: 150 }) });
});

it('does so with three instances, of which clients meet a different one each time, whatever happens to their memory', async () => {
  const property = fc.asyncProperty(initialState, sharedHistory, (initial, events) =>
    runHistory({ ...initial, instances: 3 }, events),
  );
  await fc.assert(boundShrinking(property), {
    numRuns: generatedRuns({ usual: 6, long: 150 }),
    examples: [
      [{ tagging: false, revalidating: true, targets: ['/directory/v1/teams?limit=2&pretty=0'] }, FOUND],
      [{ tagging: true, revalidating: false, targets: ['/directory/v1/teams?limit=2&pretty=0'] }, FOUND_LATER],
    ],
  });
});
