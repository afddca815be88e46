import { dataUpstream } from '../support/data-upstream.js';
import { dialectContract } from './dialect.js';

const source = (address: string): object => ({ data: address });

const numbered = (at: number): string => String(at).padStart(5, '0');

dialectContract({
  name: 'data teams',
  list: '/data/v1/teams',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({ id: `team-${at}`, team: `Team ${numbered(at)}`, country: 'NO' })),
  serve: (teams, manners) => dataUpstream({ teams }, manners),
  source,
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['team']),
});

dialectContract({
  name: 'news',
  list: '/data/v1/news',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      title: `Item ${numbered(at)}`,
      published: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
    })),
  serve: (news, manners) => dataUpstream({ news }, manners),
  source,
  short: ['partial', 'window'],
  nameOf: (record) => String(record['title']),
});

dialectContract({
  name: 'channels',
  list: '/data/v1/channels',
  records: (count) => Array.from({ length: count }, (_, at) => ({ id: at + 1, title: `Channel ${numbered(at)}` })),
  serve: (channels, manners) => dataUpstream({ channels }, manners),
  source,
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['title']),
});
