import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnownQueries, QUERIES_PER_KIND } from '../../../bench/search/known-queries.js';
import type { KnownQuery } from '../../../bench/search/known-queries.js';
import { wordsOf } from '../../../bench/search/queries/demo-team.js';
import { createApp } from '../../../src/app.js';
import { systemClock } from '../../../src/model/clock.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { listen } from '../../../src/runtime/http-listener.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { listOf } from '../../demo/sample-files.js';
import type { Raw } from '../../demo/sample-files.js';
import { startDemoRepositories } from '../../support/gateway/demo-repositories.js';
import type { RunningDemo } from '../../support/gateway/demo-repositories.js';

const undici = createUndiciTransport('rollcall');
let demo: RunningDemo;
let server: Server;
let teams: readonly Raw[];
let queries: readonly KnownQuery[];

beforeAll(async () => {
  demo = await startDemoRepositories(new URL('../../../', import.meta.url));
  const app = createApp(demo.config, { transport: undici.transport, clock: systemClock });
  server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const fields = ['-rollcall-id', ...directoryTeams.properties.map(({ name }) => name)].join();
  const response = await fetch(`${origin}/directory/v1/teams?limit=10000&fields=${fields}`);
  teams = listOf(await response.json());
  queries = createKnownQueries(teams);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all([undici.close(), demo.samples.close()]);
});

const kinds = [
  'exact short name',
  'beginnings of words',
  'one typing error',
  'two typing errors',
  'transliteration',
  'joined or split',
  'name and place',
  'domain',
  'telephone',
  'key',
];

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const nameOfCountry = (code: string): string => (/^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? '') : '');

/** The records that are right for a query. */
function rightTeams({ expected }: KnownQuery): readonly Raw[] {
  return teams.filter((team) => expected.includes(String(team['-rollcall-id'])));
}

describe('the queries with known answers', () => {
  it('are 200 different queries', () => {
    expect(new Set(queries.map(({ q }) => q)).size).toBe(200);
  });

  it.each(kinds)('have their share of the kind "%s"', (kind) => {
    expect(queries.filter((query) => query.kind === kind)).toHaveLength(QUERIES_PER_KIND);
  });

  it('are the same for the same teams, in any order of the teams', () => {
    expect(createKnownQueries(teams.toReversed())).toEqual(queries);
  });

  it('expect ids of records of the demo, of one country each', () => {
    for (const query of queries) {
      expect(query.expected.length, query.q).toBeGreaterThan(0);
      expect(rightTeams(query), query.q).toHaveLength(query.expected.length);
      expect(new Set(rightTeams(query).map((team) => team['country-code'])).size, query.q).toBe(1);
    }
  });

  it('have one right record in most cases', () => {
    expect(queries.filter(({ expected }) => expected.length === 1).length).toBeGreaterThan(100);
  });

  it.each([
    ['one typing error', 1],
    ['two typing errors', 2],
  ])('of the kind "%s" have as many words with which no word of the demo begins', (kind, count) => {
    const countries = teams.map(({ 'country-code': code }) => nameOfCountry(String(code)));
    const known = [...new Set([...teams.map((team) => JSON.stringify(team)), ...countries].flatMap(wordsOf))];
    for (const { q } of queries.filter((query) => query.kind === kind)) {
      const unknown = wordsOf(q).filter((word) => !known.some((other) => other.startsWith(word)));
      expect(unknown.length, q).toBe(count);
    }
  });

  it('expect no more than the records of one team in each repository', () => {
    for (const { q, expected } of queries) {
      const repositories = expected.map((id) => id.slice(0, id.indexOf('.')));
      expect(new Set(repositories).size, q).toBe(repositories.length);
    }
  });
});

describe('the queries with known answers for a few teams', () => {
  const team = (id: string, more: object): Raw => ({ '-rollcall-id': id, ...more });
  const queriesOf = (kind: string, ...records: Raw[]): readonly KnownQuery[] =>
    createKnownQueries(records).filter((query) => query.kind === kind);

  it('expect all records of an organisation that state the same name', () => {
    const record = { 'short-team-name': 'Heron-CERT', email: 'cert@heron.example.org', 'country-code': 'NO' };
    expect(
      queriesOf(
        'exact short name',
        team('b.heron', record),
        team('a.heron', { ...record, email: 'x@heron.example.org' }),
      ),
    ).toEqual([{ q: 'Heron-CERT', kind: 'exact short name', expected: ['a.heron', 'b.heron'] }]);
  });

  it('leave out a name that two organisations have, except with their places', () => {
    const name = { 'short-team-name': 'Heron-CERT' };
    const north = team('a.north', { ...name, email: 'cert@north.example.org', 'country-code': 'NO' });
    const south = team('a.south', { ...name, email: 'cert@south.example.org', 'country-code': 'PT' });
    expect(queriesOf('exact short name', north, south)).toEqual([]);
    expect(queriesOf('name and place', north, south).map(({ q, expected }) => [q, ...expected])).toEqual(
      expect.arrayContaining([['Heron-CERT Norway', 'a.north']]),
    );
  });

  it('leave out an error that makes the name fit another team', () => {
    const heron = team('a.heron', { 'official-team-name': 'Heron Bank', email: 'a@one.example.org' });
    const herons = team('a.herons', { 'official-team-name': 'Herons Bank', email: 'a@two.example.org' });
    for (const { q, expected } of queriesOf('one typing error', heron, herons)) {
      expect(expected, q).toHaveLength(1);
      expect(q.split(' '), q).not.toContain('heron');
    }
  });

  it('leave out a telephone number and a key of two organisations', () => {
    const shared = { 'phone-numbers': ['+44 20 7946 0001'], enckeys: ['0x'.padEnd(42, 'A')] };
    const records = [
      team('a.one', { ...shared, email: 'a@one.example.org' }),
      team('a.two', { ...shared, email: 'a@two.example.org' }),
    ];
    expect(queriesOf('telephone', ...records)).toEqual([]);
    expect(queriesOf('key', ...records)).toEqual([]);
  });

  it('expect the team with the nearest domain for a host below it', () => {
    const above = team('a.above', { email: 'a@heron.example.org' });
    const near = team('a.near', { email: 'a@dept.heron.example.org' });
    const answers = queriesOf('domain', above, near).map(({ q, expected }) => [q, ...expected].join(' '));
    expect(answers).toContainEqual(expect.stringMatching(/dept\.heron\.example\.org a\.near$/));
  });

  it('are none for teams without names, numbers and domains', () => {
    expect(
      createKnownQueries([team('a.empty', {}), team('a.wrong', { 'short-team-name': 7, host: {}, email: ['@'] })]),
    ).toEqual([]);
  });
});
