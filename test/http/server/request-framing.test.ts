import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCaseGateway } from '../../support/gateway/case-gateway.js';
import type { RunningCaseGateway } from '../../support/gateway/case-gateway.js';
import type { Log } from '../../../src/model/log.js';
import { silentLog } from '../../support/silent-log.js';

const TEAMS = '/directory/v1/teams?limit=1&pretty=0';
const lines: object[] = [];
const log: Log = {
  ...silentLog,
  info: (facts) => void lines.push(facts),
  warn: (facts) => void lines.push(facts),
  error: (facts) => void lines.push(facts),
};

let caseGateway: RunningCaseGateway;

beforeAll(async () => {
  caseGateway = await startCaseGateway('two', { now: () => Date.UTC(2026, 5, 1) }, log);
  // From the third request on the response is in the response cache.
  for (let times = 0; times < 3; times += 1)
    await exchange(`GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
});

afterAll(() => caseGateway.close());

/** Everything that a connection receives until the server closes it. Each further piece is written after a response to the one before. */
function exchange(...written: readonly string[]): Promise<string> {
  const socket = connect(caseGateway.port, '127.0.0.1');
  socket.on('error', () => undefined);
  void (async () => {
    for (const piece of written) {
      const answered = once(socket, 'data').catch(() => undefined);
      socket.write(piece, 'latin1');
      await answered;
    }
  })();
  return text(socket);
}

function statuses(responses: string): readonly number[] {
  return [...responses.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** A request that a hostile client sends as a body. */
const SMUGGLED = `GET /directory/v1/smuggled HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n`;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const ORDERS = [
  ['Host: a', 'Expect: 100-continue', `Content-Length: ${SMUGGLED.length}`],
  [`Content-Length: ${SMUGGLED.length}`, 'expect: 100-Continue', 'Host: a'],
  ['Expect: 100-continue', 'Host: a', 'Transfer-Encoding: chunked'],
];

/** Expect: 100-continue (decisions 7.18). */
describe('a request with Expect: 100-continue', () => {
  it.each(METHODS.flatMap((method) => ORDERS.map((order) => [method, order] as const)))(
    'gets a response that closes the connection: %s, %j',
    async (method, order) => {
      const head = [`${method} ${TEAMS} HTTP/1.1`, ...order, '', ''].join('\r\n');
      const responses = await exchange(head, SMUGGLED);
      const status = { OPTIONS: 204, GET: 200, HEAD: 200 }[method] ?? 405;
      // The bytes behind the head are not a chunk: if they are read before the response is sent, they are refused.
      const expected = order.includes('Transfer-Encoding: chunked') ? [[status], [400]] : [[status]];
      expect(expected).toContainEqual(statuses(responses));
      expect(responses).toMatch(/\r\nConnection: close\r\n/i);
      expect(responses).not.toContain('100 Continue');
    },
  );

  it('is the last request of its connection when it is pipelined', async () => {
    const plain = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const expecting = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${plain.length}\r\n\r\n`;
    const responses = await exchange(plain + expecting, plain);
    expect(statuses(responses)).toEqual([200, 200]);
    expect(responses).not.toContain('100 Continue');
  });

  it('is a 417 that closes the connection when it expects something else', async () => {
    const responses = await exchange(
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nExpect: cookies\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n`,
      SMUGGLED,
    );
    expect(statuses(responses)).toEqual([417]);
    expect(responses).toMatch(/\r\nConnection: close\r\n/i);
  });
});

/** Request bodies (decisions 7.18). */
describe('a body', () => {
  const last = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

  it.each([
    ['with Content-Length', `Content-Length: 5\r\n\r\nhello`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ])('%s is read and ignored, and the next request gets a response', async (_title, body) => {
    for (const method of ['GET', 'POST']) {
      const responses = await exchange(`${method} ${TEAMS} HTTP/1.1\r\nHost: a\r\n${body}${last}`);
      expect(statuses(responses)).toEqual([method === 'GET' ? 200 : 405, 200]);
    }
  });

  it.each([
    ['has no valid chunks', 'Transfer-Encoding: chunked', 'zz\r\n'],
    ['has a chunk size that overflows', 'Transfer-Encoding: chunked', `${'f'.repeat(17)}\r\n`],
    ['has no valid chunks and is sent with Expect', 'Expect: 100-continue\r\nTransfer-Encoding: chunked', 'zz\r\n'],
  ])('that %s is refused, and no bytes behind it are parsed as a request', async (_title, fields, body) => {
    const responses = await exchange(`POST ${TEAMS} HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n${body}${last}`);
    expect([[400], [405]]).toContainEqual(statuses(responses));
    expect(responses).toMatch(/\r\nConnection: close\r\n/i);
  });

  it.each([
    ['announces more than 64 KiB', `Content-Length: 65537\r\n\r\n`, ''],
    [
      'sends more than 64 KiB',
      `Transfer-Encoding: chunked\r\n\r\n`,
      `8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(2) + `1\r\nx\r\n0\r\n\r\n`,
    ],
  ])('that %s is a 413 that closes the connection', async (_title, head, body) => {
    const responses = await exchange(`GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n${head}${body}`);
    expect(statuses(responses)).toEqual([413]);
    expect(responses).toMatch(/\r\nConnection: close\r\n/i);
    expect(responses).toContain(`"the request's body is larger than 65536 bytes"`);
  });
});

/** Request heads (decisions 2.3, 7.18). */
describe('a head', () => {
  it.each([
    ['two Host fields', `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nhost: b\r\n`, 400],
    ['the same Host twice', `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nHost: a\r\n`, 400],
    ['a Host with a path', `GET ${TEAMS} HTTP/1.1\r\nHost: a/b\r\n`, 400],
    ['a Host with credentials', `GET ${TEAMS} HTTP/1.1\r\nHost: me@a\r\n`, 400],
    ['a Host that is a list', `GET ${TEAMS} HTTP/1.1\r\nHost: a, b\r\n`, 400],
    ['no Host', `GET ${TEAMS} HTTP/1.1\r\n`, 400],
    [
      'a transfer coding before chunked',
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n`,
      501,
    ],
    ['a transfer coding alone', `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n`, 501],
    [
      'a transfer coding with a byte that is white space only in JavaScript',
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\xa0\r\n`,
      501,
    ],
    ['an IPv6 Host', `GET ${TEAMS} HTTP/1.1\r\nHost: [::1]:8080\r\n`, 200],
    ['an empty Host', `GET ${TEAMS} HTTP/1.1\r\nHost:\r\n`, 200],
    ['the target *', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n', 204],
    ['the target *, in absolute form', 'OPTIONS http://a HTTP/1.1\r\nHost: a\r\n', 204],
    ['the target * in another method', 'GET * HTTP/1.1\r\nHost: a\r\n', 404],
    ['the root of the server', 'OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\n', 204],
    ['a target of 60 KB', `GET ${TEAMS}&${'x=1&'.repeat(15_000)} HTTP/1.1\r\nHost: a\r\n`, 414],
  ])('with %s gets the expected status', async (_title, head, status) => {
    const end = head.includes('chunked') ? '0\r\n\r\n' : '';
    expect(statuses(await exchange(`${head}Connection: close\r\n\r\n${end}`))).toEqual([status]);
  });

  it.each([
    ['an empty transfer coding', `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n\r\n`, 501],
    [
      'a transfer coding in HTTP/1.0',
      `GET ${TEAMS} HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'a length after more fields than node:http keeps',
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(1_100)}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
      431,
    ],
    [
      'a second Host after more fields than node:http keeps',
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n${'a: b\r\n'.repeat(1_100)}Host: b\r\n\r\n`,
      431,
    ],
    ['two Host fields', `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`, 400],
    ['the version of HTTP/2', `GET ${TEAMS} HTTP/2.0\r\nHost: a\r\n\r\n`, 505],
    ['the version of HTTP/0.9', `GET ${TEAMS} HTTP/0.9\r\nHost: a\r\n\r\n`, 505],
  ])('with %s is refused with a status that closes the connection', async (_title, head, status) => {
    const responses = await exchange(head, `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(statuses(responses)).toEqual([status]);
    expect(responses).toMatch(/\r\nConnection: close\r\n/i);
  });

  it.each(['http://[/x', 'http://a@[b/x', 'http://xn--a/x', 'http://a:b:c/x', 'http://[::1/x#y'])(
    'in absolute form with an invalid authority gets an error in the form of the interface: %s',
    async (target) => {
      const response = await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(statuses(response)).toEqual([404]);
      expect(response).toContain('Content-Type: application/json');
    },
  );

  it('in absolute form is logged without its user and password', async () => {
    lines.length = 0;
    for (const target of [`http://me:secret@a${TEAMS}`, 'http://me:secret@a', 'http://me:secret@a?q=x']) {
      await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('with many unknown parameters is refused with twenty errors, whose long names are shortened', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `${'unknown'.repeat(8)}${at}=1`).join('&');
    const response = await exchange(
      `GET /directory/v1/teams?${names} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(response.match(/"parameter"/g)).toHaveLength(20);
    const long = await exchange(
      `GET /directory/v1/teams?${'long'.repeat(500)}=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(long)).toEqual([400]);
    expect(long).not.toContain('long'.repeat(50));
  });
});
