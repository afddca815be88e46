import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { createPublicServer } from '../../../src/http/server/public-server.js';
import type { AccessLog } from '../../../src/http/log/access-log.js';
import { systemClock } from '../../../src/model/clock.js';
import { directoryInterface } from '../../../src/model/api-interface.js';
import { listen } from '../../../src/runtime/http-listener.js';
import type { Publish } from '../../../src/events/event.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';
import { createMetrics } from '../../../src/events/metrics.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import { silentLog } from '../../support/silent-log.js';

const NO_HTTP = 'this is not an HTTP request; characters beyond ASCII must be percent-encoded';

/** Log lines and metrics of requests that reach no listener. */
const reported: unknown[] = [];
const write = (facts: object, message: string): void => void reported.push([message, facts]);
const writeLine = createLogSubscriber({ ...silentLog, info: write, warn: write, error: write });
const access: AccessLog = {
  publish: (event) => {
    if (event.type === 'request answered') reported.push({ status: event.status, format: event.facts.format });
    writeLine(event);
  },
  clock: { now: () => Date.UTC(2026, 10, 22) },
  level: 'all',
};

let server: Server;
let port: number;
/** Handles the requests of the listener. */
let arrived: (response: ServerResponse) => void;

beforeEach(async () => {
  reported.length = 0;
  arrived = (response) => response.end('answered');
  const listener: RequestListener = (_, response) => arrived(response);
  server = createPublicServer({ listener, accessLog: access }, directoryInterface);
  port = Number(new URL(await listen(server, { host: '127.0.0.1', port: 0 })).port);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Everything that a connection receives for the given bytes. */
function exchange(written: string, to = port): Promise<string> {
  const socket = connect(to, '127.0.0.1');
  socket.write(written, 'latin1');
  return text(socket);
}

/** Resolves when the next connection is closed. `once` of node:events would handle its errors. */
function closeOfNextConnection(): Promise<void> {
  return new Promise((resolve) => {
    server.once('connection', (socket) => socket.once('close', () => resolve()));
  });
}

describe('the public port', () => {
  it('responds to bytes that are not HTTP with an error in the form of the interface, and closes', async () => {
    const [head = '', body = ''] = (await exchange('GET /teams?q=Z\xc3\xbcrich HTTP/1.1\r\nHost: a\r\n\r\n')).split(
      '\r\n\r\n',
    );
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${body.length}`,
        'Connection: close',
        'Access-Control-Allow-Origin: *',
        'Cache-Control: no-store',
        'Date: Sun, 22 Nov 2026 00:00:00 GMT',
      ]),
    );
    expect(JSON.parse(body)).toEqual({ status: 'Bad Request', status_code: 400, version: '1.0', message: NO_HTTP });
    const facts = { status: 400, format: 'json' };
    const request: unknown = expect.stringMatching(/^[\da-f-]{36}$/);
    const line = { request, bytes: body.length, refused: 'HPE_INVALID_URL', ...facts };
    expect(reported).toEqual([facts, ['request', line]]);
  });

  it('responds 405 with Allow to CONNECT', async () => {
    const reply = await exchange('CONNECT other.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(reply).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n/);
    expect(reply).toContain('\r\nAllow: GET, HEAD, OPTIONS\r\n');
    expect(reply).toContain('"status_code": 405');
    expect(reported).toContainEqual({ status: 405, format: 'json' });
  });

  it('survives a client that resets its connection after CONNECT', async () => {
    const client = connect(port, '127.0.0.1');
    server.once('connect', () => client.resetAndDestroy());
    client.write('CONNECT other.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await closeOfNextConnection();
  });

  it('closes a connection that the client keeps open after CONNECT', async () => {
    server.timeout = 20;
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.write('CONNECT other.example.org:443 HTTP/1.1\r\nHost: a\r\n\r\n');
    await closeOfNextConnection();
    client.destroy();
  });

  it('responds 431 to a head that is too long', async () => {
    const reply = await exchange(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(reply).toContain('"status_code": 431');
    expect(reported).toContainEqual({ status: 431, format: 'json' });
  });

  it('responds 408 to a request that did not arrive in time', async () => {
    const socket = new PassThrough();
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('passes a target of 60 kB to its listener', async () => {
    const reply = await exchange(`GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('writes nothing into a response in progress', async () => {
    arrived = (response) => {
      response.writeHead(200, { 'Content-Length': 28 });
      response.write('the first half');
      setTimeout(() => response.end('the other half'), 50);
    };
    const reply = await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\nno HTTP at all\r\n\r\n');
    expect(reply).toMatch(/the first halfthe other half$/);
    expect(reported).toEqual([]);
  });

  it('writes no 100 Continue before a pending response', async () => {
    arrived = (response) => {
      setTimeout(() => {
        response.writeHead(200, ['Content-Length', 8]).end('answered');
      }, 5);
    };
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
    const reply = await exchange(`${request}\r\n${request}Expect: 100-continue\r\nConnection: close\r\n\r\n`);
    expect(reply).not.toContain('100 Continue');
    expect(reply.match(/answered/g)).toHaveLength(2);
  });

  it('responds 400 to invalid bytes after an earlier request of the connection', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
    const socket = connect(port, '127.0.0.1');
    socket.write(`${request}\r\n`);
    await once(socket, 'data');
    socket.write('no HTTP at all\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});

describe('a request that node:http would refuse itself', () => {
  const GET = 'GET /directory/v1/teams?limit=1 HTTP/1.1';

  it.each([
    ['a request without a Host', `${GET}\r\n`, 400, 'the request has no Host header'],
    [
      'a request with an unknown Expect',
      `${GET}\r\nHost: a\r\nExpect: foo\r\n`,
      417,
      'the only supported expectation is 100-continue',
    ],
  ])(
    'is refused in the form of the interface, even when its response is cached: %s',
    async (_title, request, status, message) => {
      const source = await startUpstream(directoryUpstream([{ 'short-team-name': 'One' }]));
      const { to, counts, close } = await openGateway(source.address);
      try {
        const replies: string[] = [];
        // From the third time on a request may be served from the response cache.
        for (const lines of [`${GET}\r\nHost: a\r\n`, `${GET}\r\nHost: a\r\n`, request, request, request]) {
          replies.push(await exchange(`${lines}Connection: close\r\n\r\n`, to));
        }
        const [, good = '', ...refused] = replies;
        expect(good).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
        for (const reply of refused) {
          const [head = '', body = ''] = reply.split('\r\n\r\n');
          expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
          expect(head).toContain('Access-Control-Allow-Origin: *');
          expect(JSON.parse(body)).toMatchObject({ status_code: status, version: '1.0', message });
        }
        const line: unknown = expect.objectContaining({ method: 'GET', status });
        expect(reported.slice(-3)).toEqual(Array(3).fill(['request', line]));
        const counted = `rollcall_requests_total{resource="none",status="${status}",format="json"} 3`;
        expect(await counts()).toContain(counted);
      } finally {
        close();
        await source.close();
      }
    },
  );

  it('is accepted without Host in HTTP/1.0', async () => {
    const { to, close } = await openGateway('http://127.0.0.1:9/v1');
    const reply = await exchange('GET /nowhere HTTP/1.0\r\n\r\n', to);
    close();
    expect(reply).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/);
  });
});

/** Starts a whole gateway on a public port, with its metrics. */
async function openGateway(address: string): Promise<{ to: number; counts: () => Promise<string>; close: () => void }> {
  const parsed = parseConfig(JSON.stringify({ sources: { one: { number: 1, directory: address } } }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const [wire, metrics] = [createUndiciTransport('rollcall'), createMetrics({ ofProcess: false })];
  const publish: Publish = (event) => {
    writeLine(event);
    metrics.note(event);
  };
  const app = createApp(parsed.config, { transport: wire.transport, clock: systemClock, publish });
  const gateway = createPublicServer(app, directoryInterface);
  const to = Number(new URL(await listen(gateway, { host: '127.0.0.1', port: 0 })).port);
  const close = (): void => {
    app.stopBackgroundWork();
    gateway.closeAllConnections();
    gateway.close();
    void wire.close();
  };
  return { to, counts: () => metrics.text(), close };
}
