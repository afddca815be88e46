import { describe, expect, test } from 'vitest';
import { unpackRecords } from '../../../src/records/packed-records.js';
import { channels } from '../../../src/model/resources/channels.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { Resource } from '../../../src/model/resource.js';
import { feedEntries } from '../../../src/model/resources/feed-entries.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { PUBLISHED_LIST_HINT } from '../../../src/source/dialect/envelope.js';
import { createFeedParser } from '../../../src/source/dialect/feed/feed-parser.js';
import { parsePageBody, requireReadableRecords } from '../../../src/source/body/parse-page-body.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';

const provenance = {
  sourceName: 'A',
  sourceNumber: 1,
  codes: ['a'],
  registeredCodes: [],
  isAggregate: false,
  otherSourceNames: [],
};

function failureOf(resource: Resource, findings: Record<string, number>, received: number): unknown {
  try {
    requireReadableRecords({ findings: new Map(Object.entries(findings)), receivedCount: received }, resource);
    return undefined;
  } catch (error) {
    return error;
  }
}

test('parsePageBody counts the items of a feed as received, and not its channel', () => {
  const body = Buffer.from(
    '<rss version="2.0"><channel><title>A</title><item><title>One</title></item></channel></rss>',
  );
  const parse = createFeedParser({ kind: 'feed', address: 'https://cert.example.org/feed' });
  const recordReader = new RecordReader(feedEntries, provenance);
  const page = parsePageBody({ body, context: { path: '/feed' }, now: 0 }, { recordReader, parse });
  expect(page.receivedCount).toBe(1);
  expect(unpackRecords(page.sheets)).toHaveLength(2);
});

describe('requireReadableRecords', () => {
  test('reports the property that is missing in most records', () => {
    const failure = failureOf(directoryTeams, { 'no-name (record)': 4_980, 'not-a-record (record)': 3 }, 5_000);
    expect(failure).toBeInstanceOf(SourceFailure);
    expect(failure).toMatchObject({
      reason: 'schema',
      message: `4,980 of 5,000 records have no short-team-name; ${PUBLISHED_LIST_HINT}`,
      detail: { missing: { property: 'short-team-name', recordsWithout: 4_980, recordsReceived: 5_000 } },
    });
  });

  test('reports the id where it is missing in more records than the name', () => {
    expect(failureOf(channels, { 'no-id (record)': 6, 'no-name (record)': 3 }, 10)).toMatchObject({
      message: `6 of 10 records have no id; ${PUBLISHED_LIST_HINT}`,
      detail: { missing: { property: 'id', recordsWithout: 6, recordsReceived: 10 } },
    });
  });

  test('reports no property where most unreadable entries are not objects', () => {
    expect(failureOf(directoryTeams, { 'not-a-record (record)': 4, 'no-name (record)': 3 }, 10)).toMatchObject({
      reason: 'schema',
      message: '4 of 10 entries of the list of teams are not objects',
      detail: undefined,
    });
  });

  test('accepts a list of which half is readable', () => {
    expect(failureOf(directoryTeams, { 'no-name (record)': 5 }, 10)).toBeUndefined();
  });
});
