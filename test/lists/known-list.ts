import { createListId } from '../../src/lists/list-id.js';
import type { ListId } from '../../src/lists/list-id.js';
import type { JudgePolicy, KnownList, Reading } from '../../src/lists/judge.js';
import type { Snapshot } from '../../src/lists/snapshot.js';
import { newsItem } from '../../src/model/resources/news.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { completeListQuery, largeCompleteListQuery } from '../../src/source/request/source-query.js';
import { teamRecordSet } from '../support/unit/team-record-set.js';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** When the first reading of these tests was accepted, in milliseconds since 1970: half a second after a whole one. */
export const START = 1_000_000_500;

export const POLICY: JudgePolicy = {
  ttl: MINUTE,
  staleWhileRevalidate: 5 * MINUTE,
  staleIfError: 2 * HOUR,
  confirmShrink: 10 * MINUTE,
  drainThreshold: 100,
};

export const WHOLE: ListId = createListId('one', completeListQuery(directoryTeams));
export const LARGE: ListId = createListId('one', largeCompleteListQuery(directoryTeams));
export const ITEM: ListId = createListId('one', { resource: newsItem, parameters: {}, nativeId: 7 });
export const PUSHED: ListId = createListId('one', {
  resource: directoryTeams,
  parameters: { sort: 'short-team-name' },
  pushDown: { exact: [], hasExactTotal: true, topRecords: { order: [], first: 100 } },
});

/** Read at a time, with so many records. */
export function snapshotOf(records: number, at = START): Snapshot {
  const set = teamRecordSet(
    'one',
    1,
    Array.from({ length: records }, (_, n) => ({ slug: `team-${n}` })),
  );
  return { set, fetchedAt: at, verifiedAt: at, staleAt: at + POLICY.ttl, via: [], lists: [] };
}

export function freshReading(snapshot: Snapshot, isUnchanged = false): Reading {
  return { outcome: { state: 'fresh', snapshot }, isUnchanged, weight: 1 };
}

export const FAILED: Reading = { outcome: { state: 'failed', reason: 'connect' }, isUnchanged: false };

/** Before the first reading. */
export function unknownList(id: ListId = WHOLE, isInterrupted = false): KnownList {
  return { id, state: { at: -Infinity, isInterrupted, weight: 0 } };
}
