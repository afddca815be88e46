import fc from 'fast-check';
import type { CachingClient, ConditionKind } from './caching-client.js';
import type { SourceState } from './origin.js';
import type { Configuration, DeclaredDate, OperatorAction, RecordChange, SimulatedWorld } from './simulated-world.js';

const TARGETS = [
  '/directory/v1/teams?limit=2&pretty=0',
  '/directory/v1/teams?country=BR&envelope=1',
  '/data/v1/teams?country=BR',
  '/data/v1/teams?scope=pgp',
  '/data/v1/news?limit=3',
  '/data/v1/news?channel=alerts&envelope=0',
  '/data/v1/news/2003',
  '/directory/v1/teams?sort=source-name&limit=3',
] as const;

/** Seconds until a date after the end of every history. */
const YEARS = 300_000_000;

const source = fc.nat(4);
const dating = fc.constantFrom<DeclaredDate>(undefined, undefined, 0, 0, -1, -100_000, 3, 15, 3_600, YEARS);
const waits = fc.constantFrom<number>(
  0,
  1,
  400,
  700,
  1_000,
  2_000,
  5_000,
  10_000,
  10_000,
  10_300,
  10_600,
  45_000,
  400_000,
);

const setbacks = fc.constantFrom<number>(1, 300, 1_000, 2_700, 20_000);

/** More than every time to live, in milliseconds. */
const TIME_TO_LIVE = 10_300;

/** Requests for other lists, which evict those of the clients where memory is short. */
const MANY = 8;

/** One event of a history. */
const event = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('wait' as const), milliseconds: waits }) },
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('request' as const),
      client: fc.nat(1),
      condition: fc.constantFrom<ConditionKind>('tag', 'date', 'date', 'own clock', 'nothing'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      source,
      change: fc.constantFrom<RecordChange>('add', 'edit', 'edit', 'delete', 'restore', 'reverse', 'shrink'),
      which: fc.nat(30),
      dating,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('declare date' as const), source, dating }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('state' as const),
      source,
      state: fc.constantFrom<SourceState>('available', 'available', 'failing', 'without keys', 'incomplete', 'loop'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('restart' as const, 'kill' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('operator' as const),
      source,
      action: fc.constantFrom<OperatorAction>('forget', 'refresh', 'confirm'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clock back' as const), milliseconds: setbacks }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('other requests' as const), first: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('reload' as const),
      configuration: fc.constantFrom<Configuration>(
        'usual',
        'other times',
        'other limit',
        'a credential',
        'fewer sources',
      ),
      /** What a source changes while both configurations exist; undefined: nothing. */
      meanwhile: fc.option(fc.constantFrom<RecordChange>('edit', 'delete'), { nil: undefined }),
    }),
  },
);

/** One event of a history. */
export type HistoryEvent = typeof event extends fc.Arbitrary<infer T> ? T : never;

/** Applies an event to a world. */
export async function applyEvent(
  world: SimulatedWorld,
  clients: readonly CachingClient[],
  next: HistoryEvent,
): Promise<void> {
  if (next.kind === 'wait') world.clock.advance(next.milliseconds);
  else if (next.kind === 'request') await clients[next.client % clients.length]?.requestConditionally(next.condition);
  else if (next.kind === 'change') world.changeRecords(next.source, next.change, next);
  else if (next.kind === 'declare date') world.declareDate(next.source, next.dating);
  else if (next.kind === 'state') world.setState(next.source, next.state);
  else if (next.kind === 'reload')
    await world.reload(next.configuration, async () => {
      if (next.meanwhile === undefined) return;
      world.changeRecords(0, next.meanwhile, { which: 0, dating: undefined });
      world.clock.advance(TIME_TO_LIVE);
      for (const client of clients) await client.requestConditionally('nothing');
    });
  else if (next.kind === 'operator') await world.operate(next.source, next.action);
  else if (next.kind === 'clock back') world.clock.advance(-next.milliseconds);
  else if (next.kind === 'other requests')
    for (let at = next.first; at < next.first + MANY; at += 1)
      await world.rollcall.get(at % 4 === 0 ? (TARGETS[at % TARGETS.length] ?? '') : `/data/v1/news/${at}003`);
  else {
    await (next.kind === 'kill' ? world.kill() : world.restart());
    for (const client of clients) {
      // Known limit: without the disk a restart forgets what was served.
      if (!world.isPersistent) client.forget();
      // What was not saved yet comes back as it was before.
      else if (next.kind === 'kill') client.allowEarlierDates();
    }
  }
}

/** The options with which a history starts, and the targets of its clients. */
export const initialState = fc.record({
  tagging: fc.boolean(),
  revalidating: fc.boolean(),
  persistent: fc.boolean(),
  memory: fc.constantFrom('24KiB', '40KiB', '64MiB', '64MiB'),
  large: fc.boolean(),
  targets: fc.uniqueArray(fc.constantFrom(...TARGETS), { minLength: 1, maxLength: 2 }),
});
/** A history of sources and clients. */
export const history = fc.array(event, { minLength: 20, maxLength: 80, size: 'max' });

/** Milliseconds; longer than every date of a history except YEARS is in the future, than `confirm-shrink` and than `stale-if-error`. */
const LONG = 4_000_000;

/** Makes every source available for so long that all snapshots are fresh and no change is recent. */
export async function settle(world: SimulatedWorld, clients: readonly CachingClient[]): Promise<void> {
  for (const at of [0, 1, 2, 3, 4]) {
    world.setState(at, 'available');
    world.changeRecords(at, 'add', { which: 0, dating: YEARS });
  }
  for (const wait of [LONG, 20_000, 10_000]) {
    world.clock.advance(wait);
    for (const client of clients) await client.requestConditionally('nothing');
  }
}
