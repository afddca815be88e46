import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/model/outcome.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import { worst } from '../../src/source/channel.js';
import type { Copy } from '../../src/source/snapshot/snapshot.js';

const copy: Copy = {
  set: new RecordSet(directoryTeams, 1, []),
  fetchedAt: 0,
  verifiedAt: 0,
  staleAt: 0,
  since: 0,
  via: [],
  leases: [],
};
const fresh: Outcome<Copy> = { state: 'fresh', copy };
const stale: Outcome<Copy> = { state: 'stale', reason: 'status', copy };
const partial: Outcome<Copy> = { state: 'partial', reason: 'window', copy };
const inconsistent: Outcome<Copy> = { state: 'inconsistent', reason: 'total', copy };

describe('what is made of several outcomes', () => {
  it.each<[string, readonly Outcome<Copy>[], Outcome<Copy>]>([
    ['fresh where all are', [fresh, fresh], fresh],
    ['stale where one is old, and none lacks anything', [fresh, stale], stale],
    ['partial where one may lack records, however old another is', [stale, fresh, partial], partial],
    ['inconsistent where that comes first', [stale, inconsistent, partial], inconsistent],
  ])('is %s', (_, outcomes, expected) => {
    expect(worst(outcomes)).toEqual(expected);
  });
});
