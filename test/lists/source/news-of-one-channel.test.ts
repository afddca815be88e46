import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { leastCompleteOutcome } from '../../../src/lists/source/news-of-one-channel.js';
import type { Snapshot } from '../../../src/lists/snapshot.js';
import { firstSource } from '../../support/gateway/first-source.js';

const snapshot: Snapshot = {
  set: new RecordSet(directoryTeams, firstSource, []),
  fetchedAt: 0,
  verifiedAt: 0,
  staleAt: 0,
  via: [],
  lists: [],
};
const fresh: Outcome<Snapshot> = { state: 'fresh', snapshot: snapshot };
const stale: Outcome<Snapshot> = { state: 'stale', reason: 'status', snapshot: snapshot };
const partial: Outcome<Snapshot> = { state: 'partial', reason: 'window', snapshot: snapshot };
const inconsistent: Outcome<Snapshot> = { state: 'inconsistent', reason: 'total', snapshot: snapshot };

describe('least complete of several outcomes', () => {
  it.each<[string, readonly Outcome<Snapshot>[], Outcome<Snapshot>]>([
    ['fresh where all are fresh', [fresh, fresh], fresh],
    ['stale where one is stale and none is incomplete', [fresh, stale], stale],
    ['partial where one may lack records, even if another is stale', [stale, fresh, partial], partial],
    ['the first of several incomplete ones', [stale, inconsistent, partial], inconsistent],
  ])('is %s', (_, outcomes, expected) => {
    expect(leastCompleteOutcome(outcomes)).toEqual(expected);
  });
});
