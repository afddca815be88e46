import { describe, expect, it } from 'vitest';
import { send, sendByTarget, startDocument } from './document-scene.js';

const TEAMS = '/directory/v1/teams?pretty=0';
const MAP = { 'short-team-name': 'name', host: 'second[0].host' };

const linked = (address: string): object => ({
  url: `${address}/teams`,
  records: 'items',
  next: 'next',
  map: { 'short-team-name': 'name' },
});

const joined = (address: string): object => ({
  url: `${address}/teams`,
  map: MAP,
  join: { url: `${address}/second`, on: ['id', 'owner'], as: 'second' },
});

describe('a link to the next page', () => {
  it.each([
    ['an object', { href: '/v1/teams?p=2' }],
    ['a number', 2],
    ['false', false],
    ['a list', ['/v1/teams?p=2']],
  ])('that is %s is a fault, and not the end of the list', async (_what, next) => {
    const { gateway } = await startDocument(send({ items: [{ name: 'ACORN' }], next }), linked);
    const response = await gateway.get(TEAMS);
    expect([response.status, response.headers.get('source-status')]).toEqual([502, 'one;state=failed;reason=schema']);
  });

  it('that cannot be evaluated is a fault too', async () => {
    const { gateway } = await startDocument(send({ items: [{ name: 'ACORN' }], next: 7 }), (address) => ({
      ...linked(address),
      next: 'upper(next)',
    }));
    expect((await gateway.get(TEAMS)).headers.get('source-status')).toBe('one;state=failed;reason=schema');
  });

  it.each([null, '', undefined])('that is %j ends the list', async (next) => {
    const { gateway } = await startDocument(send({ items: [{ name: 'ACORN' }], next }), linked);
    expect((await gateway.get(TEAMS)).headers.get('source-status')).toBe('one;state=fresh;records=1;age=0');
  });

  it.each([
    'http://other.example.org/?u=',
    'http://user:pass@127.0.0.1/?u=',
    'javascript:alert(1)//',
    'data:text/json,[]//',
  ])('to %s is refused, and the credential that it repeats is not logged', async (target) => {
    const { gateway } = await startDocument(
      (request, response) =>
        response.end(
          JSON.stringify({
            items: [{ name: 'ACORN' }],
            next: target + encodeURIComponent(request.headers.authorization ?? ''),
          }),
        ),
      linked,
      { credentials: { public: { bearer: 'secret-of-a-test' } } },
    );
    expect((await gateway.get(TEAMS)).headers.get('source-status')).toBe('one;state=failed;reason=redirect');
    expect(JSON.stringify(gateway.log)).not.toContain('secret-of-a-test');
  });
});

describe('a second document', () => {
  it('with one key for all entries of both does not multiply them', async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => ({ name: `T${at}`, id: 1, owner: 1 }));
    const { gateway } = await startDocument(send(many), joined);
    expect((await gateway.get(TEAMS)).headers.get('source-status')).toBe('one;state=failed;reason=size');
  });

  it('stores an entry with many keys once', async () => {
    const owners = Array.from({ length: 15_000 }, (_, at) => at);
    const { gateway } = await startDocument(
      sendByTarget({
        '/teams': [{ name: 'ACORN', id: 14_999 }],
        '/second': [{ owner: owners, host: 'x'.repeat(100_000) }],
      }),
      joined,
    );
    const { json } = await gateway.get(TEAMS);
    expect(json).toMatchObject([{ 'short-team-name': 'ACORN', host: 'x'.repeat(100_000) }]);
  });

  it('gives nothing for integers that JSON parsers change', async () => {
    const { gateway } = await startDocument(
      sendByTarget({
        '/teams': '[{"name":"ACORN","id":9007199254740992},{"name":"BIRCH","id":9007199254740993}]',
        '/second': '[{"owner":9007199254740993,"host":"of Birch"}]',
      }),
      joined,
    );
    expect(JSON.stringify((await gateway.get(TEAMS)).json)).not.toContain('of Birch');
  });

  it.each(['__proto__', 'constructor', 'toString'])('may have the key and the name %s', async (name) => {
    const { gateway } = await startDocument(
      sendByTarget({
        '/teams': [
          { name: 'ACORN', id: name },
          { name: 'BIRCH', id: 'other' },
        ],
        '/second': [{ owner: name, host: 'Example Org' }],
      }),
      joined,
    );
    expect((await gateway.get(`${TEAMS}&fields=short-team-name,host`)).json).toEqual([
      { 'short-team-name': 'ACORN', host: 'Example Org' },
      { 'short-team-name': 'BIRCH' },
    ]);
  });
});

it('a small document that is nested very deep fails, and is no fault of the gateway', async () => {
  const deep = `[{"name":"ACORN","second":${'['.repeat(60_000)}${']'.repeat(60_000)}}]`;
  const { gateway } = await startDocument(send(deep), (address) => ({
    url: `${address}/teams`,
    map: { 'short-team-name': 'name', host: 'second' },
  }));
  const status = (await gateway.get(TEAMS)).headers.get('source-status');
  expect(status).toMatch(/^one;state=fresh|^one;state=failed;reason=(?:size|body|schema)/);
});
