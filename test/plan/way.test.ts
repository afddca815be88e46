import { expect, it } from 'vitest';
import { noCapability } from '../../src/model/capabilities.js';
import type { Query } from '../../src/model/query.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { news } from '../../src/model/resources/news.js';
import { wayOf } from '../../src/plan/way.js';

const capability = {
  ...noCapability,
  filters: ['country', 'before'],
  sort: ['team', '-published'],
  total: true,
};
const origin = { sourceName: 'one', aggregate: false };

function queryOf(more: Partial<Query>): Query {
  const { resource = dataTeams } = more;
  const form = { envelope: false, pretty: false, asked: [['before', '2026-01-01']], scope: 'public', key: '' } as const;
  return { resource, where: [], order: [resource.defaultSort], offset: 0, limit: 10, ...form, ...more };
}

const country = { kind: 'countries', properties: ['country'], codes: new Set(['NO']), parameter: 'country' } as const;
const before = { kind: 'between', before: Date.UTC(2026, 0, 1), parameter: 'before' } as const;

it.each<[string, Partial<Query>]>([
  ['the keys of teams', { scope: 'pgp', where: [country] }],
  ['the items of a channel', { resource: news, channel: 'news', where: [before] }],
])('a large source is not asked for %s by the other filters of a query', (_, more) => {
  const known = { held: false, large: true, capability, origin };
  expect(wayOf(queryOf(more), known).way).toBe('too-large');
  const { scope: _scope, channel: _channel, ...without } = more;
  expect(wayOf(queryOf(without), known)).toMatchObject({ way: 'push-down', stream: true });
});
