import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCaseGateway } from '../../support/cases/case-gateway.js';
import type { RunningCaseGateway } from '../../support/cases/case-gateway.js';
import type { Log } from '../../../src/model/log.js';

const TEAMS = '/directory/v1/teams?limit=1&pretty=0';
const lines: object[] = [];
const log: Log = {
  info: (facts) => void lines.push(facts),
  warn: (facts) => void lines.push(facts),
  error: (facts) => void lines.push(facts),
};

let fleet: RunningCaseGateway;

beforeAll(async () => {
  fleet = await startCaseGateway('two', { now: () => Date.UTC(2026, 5, 1) }, log);
  // From the third one on the answer is held ready.
  for (let times = 0; times < 3; times += 1)
    await exchange(`GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
});

afterAll(() => fleet.close());

/** All that a connection reads for what it writes, until the server closes it; each further piece is written when something has come for the one before. */
function exchange(...written: readonly string[]): Promise<string> {
  const socket = connect(fleet.port, '127.0.0.1');
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

function statuses(answers: string): readonly number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** What a hostile client would have taken for a body, or for a request. */
const SMUGGLED = `GET /directory/v1/smuggled HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n`;

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
const ORDERS = [
  ['Host: a', 'Expect: 100-continue', `Content-Length: ${SMUGGLED.length}`],
  [`Content-Length: ${SMUGGLED.length}`, 'expect: 100-Continue', 'Host: a'],
  ['Expect: 100-continue', 'Host: a', 'Transfer-Encoding: chunked'],
];

describe('a request that expects to be asked for its body', () => {
  it.each(METHODS.flatMap((method) => ORDERS.map((order) => [method, order] as const)))(
    'gets its answer, and its connection is closed: %s, %j',
    async (method, order) => {
      const head = [`${method} ${TEAMS} HTTP/1.1`, ...order, '', ''].join('\r\n');
      const answers = await exchange(head, SMUGGLED);
      const answer = { OPTIONS: 204, GET: 200, HEAD: 200 }[method] ?? 405;
      // What follows is no chunk: where that is read before the answer has left, it is refused.
      const expected = order.includes('Transfer-Encoding: chunked') ? [[answer], [400]] : [[answer]];
      expect(expected).toContainEqual(statuses(answers));
      expect(answers).toMatch(/\r\nConnection: close\r\n/i);
      expect(answers).not.toContain('100 Continue');
    },
  );

  it('gets none of what an earlier client of the connection left unread', async () => {
    const plain = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const expecting = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${plain.length}\r\n\r\n`;
    const answers = await exchange(plain + expecting, plain);
    expect(statuses(answers)).toEqual([200, 200]);
    expect(answers).not.toContain('100 Continue');
  });

  it('is refused where it expects something else, and its connection is closed', async () => {
    const answers = await exchange(
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nExpect: cookies\r\nContent-Length: ${SMUGGLED.length}\r\n\r\n`,
      SMUGGLED,
    );
    expect(statuses(answers)).toEqual([417]);
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
  });
});

describe('a body', () => {
  const last = `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

  it.each([
    ['of a length', `Content-Length: 5\r\n\r\nhello`],
    ['in chunks', `Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`],
  ])('%s is read and dropped, and the next request is answered', async (_title, body) => {
    for (const method of ['GET', 'POST']) {
      const answers = await exchange(`${method} ${TEAMS} HTTP/1.1\r\nHost: a\r\n${body}${last}`);
      expect(statuses(answers)).toEqual([method === 'GET' ? 200 : 405, 200]);
    }
  });

  it.each([
    ['holds no chunks', 'Transfer-Encoding: chunked', 'zz\r\n'],
    ['holds a chunk of more bytes than can be counted', 'Transfer-Encoding: chunked', `${'f'.repeat(17)}\r\n`],
    ['holds no chunks, and is sent with Expect', 'Expect: 100-continue\r\nTransfer-Encoding: chunked', 'zz\r\n'],
  ])('that %s is refused, and nothing after it is taken for a request', async (_title, fields, body) => {
    const answers = await exchange(`POST ${TEAMS} HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n${body}${last}`);
    expect([[400], [405]]).toContainEqual(statuses(answers));
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
  });

  it.each([
    ['announces more than 64 KiB', `Content-Length: 65537\r\n\r\n`, ''],
    [
      'sends more than 64 KiB',
      `Transfer-Encoding: chunked\r\n\r\n`,
      `8000\r\n${'x'.repeat(0x8000)}\r\n`.repeat(2) + `1\r\nx\r\n0\r\n\r\n`,
    ],
  ])('that %s is a 413, and its connection is closed', async (_title, head, body) => {
    const answers = await exchange(`GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n${head}${body}`);
    expect(statuses(answers)).toEqual([413]);
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
    expect(answers).toContain(`"the request's body is larger than 65536 bytes"`);
  });
});

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
      'a transfer coding with a byte that only JavaScript takes for white space',
      `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\xa0\r\n`,
      501,
    ],
    ['an IPv6 Host', `GET ${TEAMS} HTTP/1.1\r\nHost: [::1]:8080\r\n`, 200],
    ['an empty Host', `GET ${TEAMS} HTTP/1.1\r\nHost:\r\n`, 200],
    ['the server as a whole', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n', 204],
    ['the server as a whole, in absolute form', 'OPTIONS http://a HTTP/1.1\r\nHost: a\r\n', 204],
    ['the server as a whole, in another method', 'GET * HTTP/1.1\r\nHost: a\r\n', 404],
    ['the root of the server', 'OPTIONS http://a/ HTTP/1.1\r\nHost: a\r\n', 404],
    ['a target of 60 KB', `GET ${TEAMS}&${'x=1&'.repeat(15_000)} HTTP/1.1\r\nHost: a\r\n`, 414],
  ])('with %s', async (_title, head, status) => {
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
  ])('with %s is refused, and its connection is closed', async (_title, head, status) => {
    const answers = await exchange(head, `GET ${TEAMS} HTTP/1.1\r\nHost: a\r\n\r\n`);
    expect(statuses(answers)).toEqual([status]);
    expect(answers).toMatch(/\r\nConnection: close\r\n/i);
  });

  it.each(['http://[/x', 'http://a@[b/x', 'http://xn--a/x', 'http://a:b:c/x', 'http://[::1/x#y'])(
    'in absolute form with an invalid authority gets an error in the shape of the interface: %s',
    async (target) => {
      const answer = await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(statuses(answer)).toEqual([404]);
      expect(answer).toContain('Content-Type: application/json');
    },
  );

  it('in absolute form is logged without the user and password that it names', async () => {
    lines.length = 0;
    for (const target of [`http://me:secret@a${TEAMS}`, 'http://me:secret@a', 'http://me:secret@a?q=x']) {
      await exchange(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('with thousands of unknown parameters is refused with twenty errors, none of them whole', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `${'unknown'.repeat(8)}${at}=1`).join('&');
    const answer = await exchange(`GET /directory/v1/teams?${names} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(answer.match(/"parameter"/g)).toHaveLength(20);
    const long = await exchange(
      `GET /directory/v1/teams?${'long'.repeat(500)}=1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(statuses(long)).toEqual([400]);
    expect(long).not.toContain('long'.repeat(50));
  });
});
