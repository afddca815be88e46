import { describe, expect, it } from 'vitest';
import type { ListReadResult } from '../../src/lists/reading/list-reader.js';
import type { SnapshotValidators } from '../../src/lists/reading/page-validators.js';
import type { Outcome } from '../../src/model/outcome.js';
import type { Snapshot } from '../../src/lists/snapshot.js';
import { findSnapshot } from '../../src/model/outcome.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { SourceFailure } from '../../src/source/client/source-failure.js';
import { completeListQuery } from '../../src/source/request/source-query.js';
import type { StoredList } from '../../src/lists/stored-list.js';
import { HOUR, ITEM, MINUTE, PUSHED, SECOND, snapshotOf } from './known-list.js';
import { scriptLists } from './scripted-lists.js';
import type { ScriptedLists } from './scripted-lists.js';

const WHOLE = completeListQuery(directoryTeams);
const DAY = 24 * HOUR;

/** A reading of all records, of so many bytes. */
function drained(snapshot: Snapshot, bytes = 100): ListReadResult {
  const drainResult = { records: [], receivedCount: 0, bytes, findings: new Map() };
  return { outcome: { state: 'fresh', snapshot }, drainResult };
}

const VALIDATORS: SnapshotValidators = [
  { url: new URL('https://one.example.org'), condition: {}, freshnessLifetime: Infinity },
];

const fails = (): never => {
  throw new SourceFailure('connect', 'refused');
};

function describeOutcome(outcome: Outcome<Snapshot>): string {
  const reason = 'reason' in outcome ? ` ${outcome.reason}` : '';
  const snapshot = findSnapshot(outcome);
  return outcome.state + reason + (snapshot === undefined ? '' : ` ${snapshot.set.records.length}`);
}

async function get(scripted: ScriptedLists, query = WHOLE): Promise<string> {
  return describeOutcome(await scripted.get(query));
}

describe('a list when the clock was set back', () => {
  it('is read again as often as before, although its source fails', async () => {
    const scripted = scriptLists();
    scripted.script(() => drained(snapshotOf(3, scripted.clock.now())));
    expect(await get(scripted)).toBe('fresh 3');
    scripted.clock.advance(-DAY);
    scripted.script(fails);
    expect(await get(scripted)).toBe('stale connect 3');
    const { readings } = scripted;
    scripted.clock.advance(2 * SECOND);
    await get(scripted);
    expect(scripted.readings).toBe(readings + 1);
  });
});

describe('a list that memory had no room for', () => {
  it.each([
    ['a whole list', WHOLE],
    ['an item', ITEM.query],
  ])('counts as changed when it is read again: %s', async (_title, query) => {
    const scripted = scriptLists();
    const changedAt = async (): Promise<number | undefined> => findSnapshot(await scripted.get(query))?.changedAt;
    scripted.script(() => drained(snapshotOf(1, scripted.clock.now())));
    expect(await changedAt()).toBeUndefined();
    scripted.evictAll();
    const { clock } = scripted;
    expect(await changedAt()).toBe(Math.floor(clock.now() / SECOND) * SECOND + SECOND);
  });
});

describe('the snapshot that the source is asked to confirm', () => {
  it.each<[title: string, wait: number, isAsked: boolean]>([
    ['is the last one', 10 * MINUTE, true],
    ['is none when an hour has passed since it was read as a whole', HOUR, false],
    ['is none when the clock was set back, because its age is unknown', -SECOND, false],
  ])('%s', async (_title, wait, isAsked) => {
    const scripted = scriptLists();
    let isPrevious: boolean | undefined;
    scripted.script(({ previous }) => {
      isPrevious = previous !== undefined;
      return { ...drained(snapshotOf(3, scripted.clock.now())), validators: VALIDATORS };
    });
    await get(scripted);
    expect(isPrevious).toBe(false);
    scripted.clock.advance(wait);
    await get(scripted);
    expect(isPrevious).toBe(isAsked);
  });
});

it('shows the times of the latest confirmation, as long as it has the records of an answer', async () => {
  const scripted = scriptLists();
  const refresh = async (records: number): Promise<Snapshot | undefined> => {
    scripted.clock.advance(MINUTE);
    scripted.script(() => drained(snapshotOf(records, scripted.clock.now())));
    return findSnapshot(await scripted.lists.find(WHOLE).refresh());
  };
  const used = (await refresh(3))?.lists[0];
  const read = scripted.clock.now();
  await refresh(3);
  expect(used?.times.verifiedAt).toBe(read + MINUTE);
  await refresh(4);
  expect(used?.times.verifiedAt).toBe(read);
});

describe('a list of an earlier process', () => {
  it('is followed by one with a later date, although the clock was set back', async () => {
    const later = scriptLists().clock.now() + HOUR;
    const stored = { ...snapshotOf(3, later), query: WHOLE, weight: 1, changedAt: later };
    const load = async function* (): AsyncGenerator<StoredList> {
      yield await Promise.resolve(stored);
    };
    const scripted = scriptLists(1_000_000, { disk: { save: () => undefined, forget: () => undefined, load } });
    await scripted.lists.restore();
    scripted.script(() => drained(snapshotOf(4, scripted.clock.now())));
    await scripted.lists.find(WHOLE).refresh();
    expect(findSnapshot(await scripted.get(WHOLE))?.changedAt).toBe(later + SECOND);
  });
});

describe('a list that is evicted while it is read', () => {
  it('counts with its memory when the source confirms it', async () => {
    const scripted = scriptLists();
    scripted.script(() => ({ ...drained(snapshotOf(3, scripted.clock.now()), 10_000), validators: VALIDATORS }));
    await get(scripted);
    const { bytes } = scripted.memory.kept;
    scripted.clock.advance(10 * MINUTE);
    scripted.script(({ previous }) => {
      scripted.evictAll();
      const now = scripted.clock.now();
      if (previous === undefined) throw new Error('no snapshot to confirm');
      const snapshot = { ...previous.snapshot, verifiedAt: now, staleAt: now + MINUTE };
      return { outcome: { state: 'fresh', snapshot }, validators: VALIDATORS };
    });
    expect(await get(scripted)).toBe('fresh 3');
    expect(scripted.memory.kept.bytes).toBe(bytes);
  });
});

describe('a list that is read again after its eviction', () => {
  it('counts as changed, even with equal records: what was served before is not known', async () => {
    const scripted = scriptLists();
    scripted.script(() => drained(snapshotOf(3, scripted.clock.now())));
    for (const query of [WHOLE, ITEM.query]) {
      expect(findSnapshot(await scripted.get(query))?.changedAt).toBeUndefined();
      scripted.evictAll();
      expect(findSnapshot(await scripted.get(query))?.changedAt).toBe(scripted.clock.now() + SECOND);
    }
  });
});

describe('a pushed-down list that does not fit into memory', () => {
  it('is judged all the same', async () => {
    const scripted = scriptLists(70_000);
    scripted.script(() => drained(snapshotOf(30, scripted.clock.now()), 22_900));
    expect(await get(scripted)).toBe('fresh 30');
    scripted.script(() => drained(snapshotOf(0, scripted.clock.now())));
    expect(await get(scripted, PUSHED.query)).toBe('failed shrunk');
  });
});

describe('a list that does not fit into memory', () => {
  it('is not read with every request where it is incomplete', async () => {
    const scripted = scriptLists(70_000);
    const snapshot = snapshotOf(30, scripted.clock.now());
    const outcome = { state: 'partial', reason: 'total', snapshot } as const;
    scripted.script(() => ({ ...drained(snapshot, 100_000), outcome }));
    await get(scripted);
    expect([await get(scripted), scripted.readings]).toEqual(['partial too-large', 1]);
  });

  it('is partial, and named to the operator', async () => {
    const scripted = scriptLists(70_000);
    scripted.script(() => drained(snapshotOf(30, scripted.clock.now()), 100_000));
    expect(await get(scripted)).toBe('partial too-large');
    const type = 'snapshot does not fit into cache.memory and is not cached';
    const named = { resource: 'directory-teams', list: 'whole', parameters: {}, weight: 301_024 };
    expect(scripted.events.filter((event) => event.type === type)).toEqual([{ type, ...named }]);
  });

  it('counts as changed when it is read again, although nothing of it remains', async () => {
    const scripted = scriptLists(70_000);
    const read = async (records: number): Promise<number | undefined> => {
      const snapshot = { ...snapshotOf(records, scripted.clock.now()) };
      scripted.script(() => drained(snapshot, 100_000));
      return findSnapshot(await scripted.get(ITEM.query))?.changedAt;
    };
    expect(await read(1)).toBeUndefined();
    expect(await read(2)).toBe(scripted.clock.now() + SECOND);
  });
});

describe('a list that is forgotten', () => {
  it('is not what another instance published before', async () => {
    let forget: (() => void) | undefined;
    const scripted = scriptLists(1_000_000, {
      shared: {
        claim: (query) => {
          if (forget === undefined) return Promise.resolve({ state: 'unreachable' });
          forget();
          forget = undefined;
          return Promise.resolve({
            state: 'found',
            list: { ...snapshotOf(3, scripted.clock.now()), query, weight: 1 },
          });
        },
        forget: () => Promise.resolve(true),
        onForget: (listener) => {
          forget = listener;
        },
      },
    });
    scripted.script(() => drained(snapshotOf(2, scripted.clock.now())));
    expect(await get(scripted)).toBe('fresh 2');
    expect(await get(scripted)).toBe('fresh 2');
  });

  it('is read again, where a reading had begun before', async () => {
    const scripted = scriptLists();
    scripted.script(async () => {
      scripted.script(() => drained(snapshotOf(2, scripted.clock.now())));
      await scripted.lists.forget();
      return drained(snapshotOf(3, scripted.clock.now()));
    });
    expect(await get(scripted)).toBe('fresh 2');
    expect([await get(scripted), scripted.readings]).toEqual(['fresh 2', 2]);
  });
});

it('counts other unread values as a change of equal records', async () => {
  const scripted = scriptLists();
  scripted.script(() => drained(snapshotOf(3, scripted.clock.now())));
  const refresh = (): Promise<unknown> => scripted.lists.find(WHOLE).refresh();
  await refresh();
  const { changes } = scripted.changeCounter;
  await refresh();
  expect(scripted.changeCounter.changes).toBe(changes);
  scripted.script(() => drained({ ...snapshotOf(3, scripted.clock.now()), unreadProperties: ['host'] }));
  await refresh();
  expect(scripted.changeCounter.changes).toBe(changes + 1);
});
