import { dataUpstream } from '../support/upstream/data-upstream.js';
import { testConformance } from './conformance.js';
import { testOffsetPaging } from './offset-paging.js';
import { OFFSET_PAGES } from './offset-paging/offset-fixture.js';
import type { OffsetDialectFixture } from './offset-paging/offset-fixture.js';

const numbered = (at: number): string => String(at).padStart(5, '0');

const dataInterface = { ...OFFSET_PAGES, source: (address: string): object => ({ data: address }) };

const dialects: readonly OffsetDialectFixture[] = [
  {
    ...dataInterface,
    name: 'data teams',
    list: '/data/v1/teams',
    records: (count) =>
      Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${numbered(at)}`, country: 'NO' })),
    serve: (teams, paging) => dataUpstream({ teams }, paging),
    short: ['inconsistent', 'total'],
    nameOf: (record) => String(record['team']),
  },
  {
    ...dataInterface,
    name: 'news',
    list: '/data/v1/news',
    records: (count) =>
      Array.from({ length: count }, (_, at) => ({
        id: at + 1,
        title: `Item ${numbered(at)}`,
        published: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
      })),
    serve: (news, paging) => dataUpstream({ news }, paging),
    short: ['partial', 'window'],
    nameOf: (record) => String(record['title']),
  },
  {
    ...dataInterface,
    name: 'channels',
    list: '/data/v1/channels',
    records: (count) => Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Channel ${numbered(at)}` })),
    serve: (channels, paging) => dataUpstream({ channels }, paging),
    short: ['inconsistent', 'total'],
    nameOf: (record) => String(record['title']),
  },
];

for (const dialect of dialects) {
  testConformance(dialect);
  testOffsetPaging(dialect);
}
