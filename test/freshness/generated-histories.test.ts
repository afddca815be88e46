import fc from 'fast-check';
import { it } from 'vitest';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';
import { CachingClient } from './caching-client.js';
import type { ConditionKind } from './caching-client.js';
import { SimulatedWorld } from './simulated-world.js';
import type { DeclaredDate, RecordChange, SourceState } from './simulated-world.js';

const TARGETS = [
  '/directory/v1/teams?limit=2&pretty=0',
  '/directory/v1/teams?country=BR&envelope=1',
  '/data/v1/teams?country=BR',
  '/data/v1/teams?scope=pgp',
  '/data/v1/news?limit=3',
  '/data/v1/news?channel=alerts&envelope=0',
  '/data/v1/news/2003',
] as const;

/** Seconds until a date that no history lives to see. */
const YEARS = 300_000_000;

const source = fc.nat(2);
const dating = fc.constantFrom<DeclaredDate>(undefined, undefined, 0, 0, -1, -100_000, 3, 15, 3_600, YEARS);
const waits = fc.constantFrom(0, 1, 400, 700, 1_000, 2_000, 5_000, 10_000, 10_000, 10_300, 10_600, 45_000, 400_000);

/** One thing that happens. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: waits }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      client: fc.nat(1),
      way: fc.constantFrom<ConditionKind>('tag', 'date', 'date', 'own clock', 'nothing'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('deed' as const),
      source,
      deed: fc.constantFrom<RecordChange>('add', 'edit', 'edit', 'delete', 'restore', 'reverse', 'shrink'),
      which: fc.nat(30),
      dating,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('says' as const), source, dating }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('mood' as const),
      source,
      mood: fc.constantFrom<SourceState>('well', 'well', 'gone', 'short', 'loop'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

async function live(world: SimulatedWorld, clients: readonly CachingClient[], one: Happening): Promise<void> {
  if (one.kind === 'wait') world.clock.advance(one.milliseconds);
  else if (one.kind === 'ask') await clients[one.client % clients.length]?.ask(one.way);
  else if (one.kind === 'deed') world.happens(one.source, one.deed, one);
  else if (one.kind === 'says') world.says(one.source, one.dating);
  else if (one.kind === 'mood') world.mood(one.source, one.mood);
  else await world.restart();
}

const beginning = fc.record({
  tagging: fc.boolean(),
  revalidating: fc.boolean(),
  targets: fc.uniqueArray(fc.constantFrom(...TARGETS), { minLength: 1, maxLength: 2 }),
});
const history = fc.array(happening, { minLength: 20, maxLength: 80, size: 'max' });

/** Longer than any date of a history, but those of years, lies ahead, and than a source that shrank or fell silent is stood in for. */
const LONG = 4_000_000;

/** Has every source answer as it should for so long that no doubt is left, and no change is young. */
async function settle(world: SimulatedWorld, clients: readonly CachingClient[]): Promise<void> {
  for (const at of [0, 1, 2]) {
    world.mood(at, 'well');
    world.happens(at, 'add', { which: 0, dating: YEARS });
  }
  for (const wait of [LONG, 20_000, 10_000]) {
    world.clock.advance(wait);
    for (const client of clients) await client.ask('nothing');
  }
}

it(
  'gives no 304 for what has changed, one for what has not, and no Last-Modified that goes back or lies ahead',
  async () => {
    const property = fc.asyncProperty(beginning, history, async (begun, happenings) => {
      const world = await SimulatedWorld.open(begun);
      try {
        const clients = begun.targets.map((target) => new CachingClient(world, target));
        for (const client of clients) await client.ask('nothing');
        for (const one of happenings) await live(world, clients, one);
        await settle(world, clients);
        for (const client of clients) await client.askUnchanged();
      } finally {
        await world.close();
      }
    });
    await fc.assert(property, { numRuns: generatedRuns({ usual: 12, long: 150 }), ...SHRINK_LIMIT });
  },
  GENERATED_TIMEOUT,
);
