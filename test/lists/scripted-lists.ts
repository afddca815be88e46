import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ChangeCounter } from '../../src/cache/change-counter.js';
import { createSourceSettings } from '../../src/composition/create-sources.js';
import { parseConfig } from '../../src/config/parse-config.js';
import type { SourceEvent } from '../../src/events/event.js';
import type { List } from '../../src/lists/list.js';
import { Lists } from '../../src/lists/lists.js';
import type { ListsServices } from '../../src/lists/lists.js';
import type { ListReadResult } from '../../src/lists/reading/list-reader.js';
import type { Snapshot } from '../../src/lists/snapshot.js';
import type { Outcome } from '../../src/model/outcome.js';
import { createSourceRequestContext } from '../../src/source/request/source-request-context.js';
import type { SourceQuery } from '../../src/source/request/source-query.js';
import { SourceActivity } from '../../src/lists/status/source-activity.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';

/** What a reading gives, and what happens meanwhile. */
export type ScriptedReading = (
  basis: Parameters<ListsServices['reader']['fetchSnapshot']>[1],
) => ListReadResult | Promise<ListReadResult>;

/** The lists of a source whose readings a test decides. */
export interface ScriptedLists {
  readonly lists: Lists;
  readonly clock: FakeClock;
  readonly memory: { readonly kept: { readonly bytes: number }; readonly perQuery: { readonly bytes: number } };
  readonly events: readonly SourceEvent[];
  readonly changeCounter: ChangeCounter;
  /** Each reading from now on gives this. */
  script(reading: ScriptedReading): void;
  /** Readings until now. */
  readonly readings: number;
  get(query: SourceQuery): Promise<Outcome<Snapshot>>;
  /** As other lists do that need the memory. */
  evictAll(): void;
}

/** With room for so many bytes, with `ttl: 1m`, `stale-while-revalidate: 5m`, `stale-if-error: 2h` and `drain-threshold: 100`. */
export function scriptLists(room = 1_000_000, services: Partial<ListsServices> = {}): ScriptedLists {
  const clock = fakeClock();
  const budget = new MemoryBudget(room);
  const perQuery = budget.addLevel((list: List) => list.evict());
  const kept = budget.addLevel((list: List) => list.evict());
  const events: SourceEvent[] = [];
  const changeCounter = new ChangeCounter();
  let [current, readings] = [
    (): ListReadResult | Promise<ListReadResult> => Promise.reject(new Error('nothing is scripted')),
    0,
  ] as [ScriptedReading, number];
  const lists = new Lists(
    settings(),
    {
      reader: {
        fetchSnapshot: async (_query, basis) => {
          readings += 1;
          return current(basis);
        },
      },
      memory: { kept, perQuery },
      changeCounter,
      onChange: () => undefined,
      clock,
      publish: (event) => events.push(event),
      maxLargeListBytes: room / 4,
      hasLostLists: false,
      stop: new AbortController().signal,
      ...services,
    },
    new SourceActivity(),
  );
  return {
    lists,
    clock,
    memory: { kept, perQuery },
    events,
    changeCounter,
    script: (reading) => {
      current = reading;
    },
    get readings() {
      return readings;
    },
    get: (query) => lists.get(query, createSourceRequestContext(new AbortController().signal)),
    evictAll: () => {
      for (const level of [perQuery, kept]) while (level.evictOne() > 0);
    },
  };
}

function settings(): ConstructorParameters<typeof Lists>[0] {
  const lifetimes = { ttl: '1m', 'stale-while-revalidate': '5m', 'stale-if-error': '2h', 'confirm-shrink': '10m' };
  const one = { number: 1, directory: 'https://one.example.org', 'drain-threshold': 100, ...lifetimes };
  const parsed = parseConfig(JSON.stringify({ sources: { one } }), {});
  const [source] = 'config' in parsed ? parsed.config.sources : [];
  if (source === undefined || !('config' in parsed)) throw new Error(JSON.stringify(parsed));
  return createSourceSettings(source, parsed.config, 'public');
}
