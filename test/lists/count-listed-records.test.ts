import { expect, it } from 'vitest';
import { countListedRecords } from '../../src/lists/count-listed-records.js';
import { feedChannel, feedRecordSet } from '../support/unit/feed-record-set.js';
import { teamRecordSet } from '../support/unit/team-record-set.js';

it('counts the items that a feed has, without its channel', () => {
  const entries = [feedChannel('https://cert.example.org/rss.xml'), { identity: 'guid a' }];
  const set = feedRecordSet(entries);
  expect([countListedRecords(set), countListedRecords(set)]).toEqual([1, 1]);
});

it('counts what a source has beyond the records of a set', () => {
  expect(countListedRecords(teamRecordSet('alpha', 1, [{ slug: 'a' }], 41))).toBe(42);
});
