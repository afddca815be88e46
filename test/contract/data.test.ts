import { dataUpstream } from '../support/upstream/data-upstream.js';
import { testDraining } from './draining-contract.js';

const source = (address: string): object => ({ data: address });

const numbered = (at: number): string => String(at).padStart(5, '0');

testDraining({
  name: 'data teams',
  list: '/data/v1/teams',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${numbered(at)}`, country: 'NO' })),
  serve: (teams, paging) => dataUpstream({ teams }, paging),
  source,
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['team']),
});

testDraining({
  name: 'news',
  list: '/data/v1/news',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      title: `Item ${numbered(at)}`,
      published: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
    })),
  serve: (news, paging) => dataUpstream({ news }, paging),
  source,
  short: ['partial', 'window'],
  nameOf: (record) => String(record['title']),
});

testDraining({
  name: 'channels',
  list: '/data/v1/channels',
  records: (count) => Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Channel ${numbered(at)}` })),
  serve: (channels, paging) => dataUpstream({ channels }, paging),
  source,
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['title']),
});
