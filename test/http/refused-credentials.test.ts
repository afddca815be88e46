import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startCaseGateway } from '../support/gateway/case-gateway.js';
import type { RunningCaseGateway } from '../support/gateway/case-gateway.js';
import { MEMBERS_KEY, PUBLIC_KEY } from '../support/gateway/members-gateway.js';
import type { LogLine } from '../support/gateway/test-gateway.js';
import { RawConnection } from '../support/http/raw-connection.js';
import { rawRequest } from '../support/http/raw-http.js';
import type { RawResponse } from '../support/http/raw-http.js';
import { silentLog } from '../support/silent-log.js';

let gateway: RunningCaseGateway;
const log: LogLine[] = [];

beforeEach(async () => {
  log.length = 0;
  const at =
    (level: LogLine['level']) =>
    (facts: object, message: string): void =>
      void log.push({ level, facts, message });
  const clock = { now: () => Date.UTC(2026, 5, 1, 12) };
  gateway = await startCaseGateway('members', clock, {
    ...silentLog,
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    audit: at('info'),
  });
});

afterEach(() => gateway.close());

const TARGETS = ['/data/v1/teams?pretty=0', '/data/v1/teams?scope=members&pretty=0'];

function request(target: string, headers: readonly string[]): Promise<RawResponse> {
  return rawRequest(gateway.port, { method: 'GET', target, headers });
}

const challengeOf = ({ headers }: RawResponse): string | undefined => headers.get('www-authenticate');

/** The body of every 401, whatever is wrong with the credentials. */
const REFUSED =
  '{"status":"Unauthorized","status-code":401,"version":"1","message":"the credentials of the request are malformed, unknown or expired"}';

describe('a request is a 401 that does not say why', () => {
  const member = `Authorization: Bearer ${MEMBERS_KEY}`;

  it.each<[string, readonly string[]]>([
    ['two equal valid keys', [member, member]],
    ['a valid key and one with public access', [member, `Authorization: Bearer ${PUBLIC_KEY}`]],
    ['a valid key and a login', [member, 'Authorization: Basic dTpw']],
    ['a login and a valid key', ['authorization: Basic dTpw', `AUTHORIZATION: Bearer ${MEMBERS_KEY}`]],
    ['an empty field and a valid key', ['Authorization:', member]],
    ['a valid key and an empty field', [member, 'Authorization: ']],
    ['two keys in one field', [`${member} ${PUBLIC_KEY}`]],
    ['a list of two keys in one field', [`${member}, Bearer ${MEMBERS_KEY}`]],
    ['a parameter behind a valid key', [`${member};a=b`]],
    ['a valid key in quotes', [`Authorization: Bearer "${MEMBERS_KEY}"`]],
    ['a valid key behind a tab', [`Authorization: Bearer\t${MEMBERS_KEY}`]],
    ['a valid key with a byte beyond ASCII', [`${member}\xe9`]],
    ['a valid key without the last character', [member.slice(0, -1)]],
    ['a valid key in upper case', [`Authorization: Bearer ${MEMBERS_KEY.toUpperCase()}`]],
    ['a key of 20,000 characters', [`Authorization: Bearer ${'k'.repeat(20_000)}`]],
    ['a valid key with 20,000 characters behind it', [`${member}${'='.repeat(20_000)}`]],
    ['20,000 spaces before a valid key', [`Authorization: Bearer ${' '.repeat(20_000)}${MEMBERS_KEY}`]],
    ['a token of three words', ['Authorization: Bearer a.b.c']],
    ['a comma', ['Authorization: ,']],
  ])('with %s', async (_, headers) => {
    for (const target of TARGETS) {
      const response = await request(target, headers);
      expect([response.status, challengeOf(response)]).toEqual([401, 'Bearer error="invalid_token"']);
      expect([response.body.toString(), response.headers.get('cache-control')]).toEqual([REFUSED, 'no-store']);
    }
  });
});

describe('a valid key is read', () => {
  it.each<[string, string]>([
    ['behind a scheme in upper case', `Authorization: BEARER ${MEMBERS_KEY}`],
    ['behind two spaces', `Authorization: Bearer  ${MEMBERS_KEY}`],
    ['before white space at the end of the field', `Authorization: Bearer ${MEMBERS_KEY} \t `],
  ])('%s', async (_, field) => {
    const response = await request('/data/v1/teams?scope=members&fields=id&pretty=0', [field]);
    expect([response.status, response.body.toString()]).toEqual([200, expect.stringContaining('harbour.hidden')]);
  });
});

it('a key with control bytes is not HTTP: the response is a 400 without members data, and the connection ends', async () => {
  for (const bytes of ['\0', '\x01', '\x7f', '\r', '\x1b[2J']) {
    const connection = await RawConnection.open(gateway.port);
    const [response, ...others] = await connection.exchange([
      { method: 'GET', target: TARGETS[1] ?? '', headers: [`Authorization: Bearer ${MEMBERS_KEY}${bytes}`] },
      { method: 'GET', target: TARGETS[0] ?? '', headers: [] },
    ]);
    connection.close();
    expect([bytes, response?.status, others]).toEqual([bytes, 400, []]);
    expect(response?.body.toString()).not.toContain('Acorn');
  }
});

it('the credentials of a request do not apply to the next one of the connection', async () => {
  const connection = await RawConnection.open(gateway.port);
  const target = '/data/v1/teams?scope=members&fields=id&pretty=0';
  const headers = [`Authorization: Bearer ${MEMBERS_KEY}`];
  const responses = await connection.exchange([
    { method: 'GET', target, headers },
    { method: 'GET', target, headers: [] },
    { method: 'GET', target, headers: ['Authorization: Bearer unknown'] },
    { method: 'GET', target: '/data/v1/teams?fields=id&pretty=0', headers: [] },
    { method: 'GET', target, headers },
  ]);
  connection.close();
  expect(responses.map((response) => [response.status, challengeOf(response)])).toEqual([
    [200, undefined],
    [401, 'Bearer'],
    [401, 'Bearer error="invalid_token"'],
    [200, undefined],
    [200, undefined],
  ]);
  expect(responses[3]?.body.toString()).not.toContain('hidden');
  expect(log.filter(({ message }) => message === 'members data sent')).toHaveLength(2);
});

it('a field named in Connection is not dropped before it is read', async () => {
  const response = await request(TARGETS[0] ?? '', ['Connection: Authorization', 'Authorization: Bearer unknown']);
  expect(response.status).toBe(401);
});
