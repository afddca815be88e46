import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { createPublicServer } from '../../../src/http/server/public-server.js';
import { directoryInterface } from '../../../src/model/api-interface.js';
import { systemClock } from '../../../src/model/clock.js';
import { listen } from '../../../src/runtime/http-listener.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { rawRequest } from '../../support/http/raw-http.js';
import type { RawRequest, RawResponse } from '../../support/http/raw-http.js';
import { silentLog } from '../../support/silent-log.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

const ALPHABET = 'ABCXYZabcxyz0189._~+/=-';
const NEW_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

let upstream: UpstreamServer;
let port: number;
/** Request ids in the log, of the lines with the message `request`. */
let logged: unknown[];
let stop: () => Promise<void>;

beforeEach(async () => {
  logged = [];
  upstream = await startUpstream(directoryUpstream([{ id: 1, 'short-team-name': 'Acorn CERT' }]));
  const sources = { first: { number: 1, directory: upstream.address } };
  const parsed = parseConfig(JSON.stringify({ sources }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const wire = createUndiciTransport('rollcall');
  const info = (facts: object, message: string): void => {
    if (message === 'request') logged.push(Object.entries(facts).find(([name]) => name === 'request')?.[1]);
  };
  const log = { ...silentLog, info };
  const app = createApp(parsed.config, {
    transport: wire.transport,
    clock: systemClock,
    publish: createLogSubscriber(log),
  });
  const server = createPublicServer(app, directoryInterface);
  port = Number(new URL(await listen(server, { host: '127.0.0.1', port: 0 })).port);
  stop = async () => {
    app.stopBackgroundWork();
    server.closeAllConnections();
    server.close();
    await Promise.all([once(server, 'close'), wire.close(), upstream.close()]);
  };
});

afterEach(() => stop());

function send(target: string, headers: readonly string[] = [], method = 'GET'): Promise<RawResponse> {
  return rawRequest(port, { method, target, headers } satisfies RawRequest);
}

function idOf({ headers }: RawResponse): string | undefined {
  return headers.get('x-request-id');
}

/** Everything that a connection receives for the given bytes. */
function exchange(written: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(written, 'latin1');
  return text(socket);
}

describe('the id of a request', () => {
  it.each([
    ['a list', 'GET', '/directory/v1/teams', 200],
    ['a list in another format', 'GET', '/directory/v1/teams.csv', 200],
    ['a HEAD', 'HEAD', '/directory/v1/teams', 200],
    ['one team', 'GET', '/directory/v1/teams/first.acorn-cert', 200],
    ['a page for browsers', 'GET', '/', 200],
    ['an invalid parameter', 'GET', '/directory/v1/teams?limit=x', 400],
    ['an unknown path', 'GET', '/elsewhere', 404],
    ['another method', 'POST', '/directory/v1/teams', 405],
    ['a preflight request', 'OPTIONS', '/directory/v1/teams', 204],
    ['OPTIONS *', 'OPTIONS', '*', 204],
  ])('is returned with %s, and logged', async (_, method, target, status) => {
    const response = await send(target, ['X-Request-Id: front-7/a=1'], method);
    expect([response.status, idOf(response)]).toEqual([status, 'front-7/a=1']);
    await expect.poll(() => logged).toEqual(['front-7/a=1']);
  });

  it('is returned for a target that cannot be decoded', async () => {
    const response = await send('/directory/v1/teams/%E0%A4', ['X-Request-Id: one']);
    expect([response.status, idOf(response)]).toEqual([400, 'one']);
  });

  it('is that of each request where the response comes from the response cache, also for a 304', async () => {
    const target = '/directory/v1/teams';
    const first = await send(target, ['X-Request-Id: one']);
    const second = await send(target, ['X-Request-Id: two']);
    const third = await send(target);
    const unmodified = await send(target, [`If-None-Match: ${first.headers.get('etag') ?? ''}`, 'X-Request-Id: four']);
    expect([first, second, unmodified].map(idOf)).toEqual(['one', 'two', 'four']);
    expect(idOf(third)).toMatch(NEW_ID);
    expect(unmodified.status).toBe(304);
    expect(new Set([first, second, third].map(({ headers }) => headers.get('etag'))).size).toBe(1);
    await expect.poll(() => logged).toEqual(['one', 'two', idOf(third), 'four']);
  });

  it('is that of each of many pipelined requests on parallel connections', async () => {
    const target = '/directory/v1/teams';
    await send(target);
    const exchanges = Array.from({ length: 8 }, (_, connection) => {
      const ids = Array.from({ length: 25 }, (_, at) => `${connection}-${at}`);
      const requests = ids.map((id, at) => {
        const isLast = at === ids.length - 1;
        return `GET ${target} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n${isLast ? 'Connection: close\r\n' : ''}\r\n`;
      });
      return { ids, responses: exchange(requests.join('')) };
    });
    for (const { ids, responses } of exchanges) {
      const returned = [...(await responses).matchAll(/\r\nX-Request-Id: (\S+)\r\n/g)].map(([, id]) => id);
      expect(returned).toEqual(ids);
    }
  });

  it.each([ALPHABET, 'x', 'x'.repeat(128)])('is the one of the client: %s', async (id) => {
    expect(idOf(await send('/directory/v1/teams', [`X-Request-Id: ${id}`]))).toBe(id);
  });

  it.each([
    ['too long', ['X-Request-Id: ' + 'x'.repeat(129)]],
    ['ten thousand letters', ['X-Request-Id: ' + 'x'.repeat(10_000)]],
    ['empty', ['X-Request-Id: ']],
    ['with a space', ['X-Request-Id: a b']],
    ['with markup', ['X-Request-Id: <script>alert(1)</script>']],
    ['with a quotation mark', ['X-Request-Id: a"b']],
    ['beyond ASCII', ['X-Request-Id: Z\xc3\xbcrich']],
    ['sent twice', ['X-Request-Id: one', 'X-Request-Id: two']],
  ])('is a new one where that of the client is %s', async (_, headers) => {
    const response = await send('/directory/v1/teams', headers);
    expect(idOf(response)).toMatch(NEW_ID);
    expect(response.status).toBe(200);
    await expect.poll(() => logged).toEqual([idOf(response)]);
  });

  it('cannot add a header field: a line feed ends the field', async () => {
    const response = await send('/directory/v1/teams', ['X-Request-Id: one\nSet-Cookie: a=1']);
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  it('is returned with CONNECT, and is a new one for bytes that are not a request', async () => {
    const refused = await exchange('CONNECT a.example.org:443 HTTP/1.1\r\nHost: a\r\nX-Request-Id: one\r\n\r\n');
    expect(refused).toContain('\r\nX-Request-Id: one\r\n');
    const rejected = /X-Request-Id: (\S+)\r\n/.exec(await exchange('nonsense\r\n\r\n'))?.[1];
    expect(rejected).toMatch(NEW_ID);
    expect(logged).toEqual(['one', rejected]);
  });

  it('is returned where the body of the request is not valid chunks', async () => {
    const head =
      'GET /directory/v1/teams HTTP/1.1\r\nHost: a\r\nX-Request-Id: one\r\nTransfer-Encoding: chunked\r\n\r\n';
    const refused = await exchange(`${head}zz\r\n`);
    expect(refused).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toContain('\r\nX-Request-Id: one\r\n');
  });

  it('is never sent to a source', async () => {
    await send('/directory/v1/teams?q=acorn', ['X-Request-Id: one']);
    expect(upstream.requests.length).toBeGreaterThan(0);
    expect(upstream.requests.filter(({ headers }) => headers['x-request-id'] !== undefined)).toEqual([]);
  });
});
