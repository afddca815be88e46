import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/model/outcome.js';
import { combineFeedOutcomes } from '../../../src/lists/feeds/combine-feed-outcomes.js';

const fresh: Outcome<string> = { state: 'fresh', snapshot: 'a' };
const stale: Outcome<string> = { state: 'stale', reason: 'body', snapshot: 'b' };
const inconsistent: Outcome<string> = { state: 'inconsistent', reason: 'drift', snapshot: 'c' };
const failed: Outcome<string> = { state: 'failed', reason: 'timeout' };
const suspended: Outcome<string> = { state: 'suspended', reason: 'connect' };
const excluded: Outcome<string> = { state: 'excluded', reason: 'loop' };
const withoutRecords: Outcome<string> = { state: 'partial', reason: 'too-large' };
const missing: Outcome<string> = { state: 'partial', reason: 'feed', snapshot: 'a' };

it.each<[readonly Outcome<string>[], Outcome<string>]>([
  [[fresh, fresh], fresh],
  [[fresh, stale, { ...stale, reason: 'status' }], stale],
  [[stale, inconsistent], inconsistent],
  [[fresh, stale, failed], missing],
  [[suspended, fresh], missing],
  [[fresh, excluded], missing],
  [[fresh, withoutRecords], missing],
  [[withoutRecords, failed], failed],
  [[excluded, suspended, failed], suspended],
  [[excluded, excluded], excluded],
])('combines the outcomes %j of feeds', (outcomes, expected) => {
  expect(combineFeedOutcomes(outcomes)).toEqual(expected);
});
