import { dataUpstream } from '../support/upstream/data-upstream.js';
import { testConformance } from './conformance.js';
import { testChangingPages } from './conformance/changing-pages.js';
import { testInconsistentSources } from './page-walk/inconsistent-sources.js';
import { OFFSET_PAGES } from './page-walk/offset-fixture.js';
import type { OffsetDialectFixture } from './page-walk/offset-fixture.js';

const numbered = (at: number): string => String(at).padStart(5, '0');

const dataInterface = { ...OFFSET_PAGES, source: (address: string): object => ({ data: address }) };

const teams: OffsetDialectFixture = {
  ...dataInterface,
  name: 'data teams',
  list: '/data/v1/teams',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${numbered(at)}`, country: 'NO' })),
  serve: (records, paging) => dataUpstream({ teams: records }, paging),
  twins: 'two-records',
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['team']),
};

const news: OffsetDialectFixture = {
  ...dataInterface,
  name: 'news',
  list: '/data/v1/news',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      title: `Item ${numbered(at)}`,
      published: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
    })),
  serve: (records, paging) => dataUpstream({ news: records }, paging),
  twins: 'one-record',
  short: ['partial', 'window'],
  nameOf: (record) => String(record['title']),
};

const channels: OffsetDialectFixture = {
  ...dataInterface,
  name: 'channels',
  list: '/data/v1/channels',
  records: (count) => Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Channel ${numbered(at)}` })),
  serve: (records, paging) => dataUpstream({ channels: records }, paging),
  twins: 'one-record',
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['title']),
};

for (const dialect of [teams, news, channels]) testConformance(dialect);

// News have integer ids, and beyond the window that paging reaches they are read by their dates.
testChangingPages(news);
testInconsistentSources(news);
