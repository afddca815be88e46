import { once } from 'node:events';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendAtOnce, writeHead } from '../../src/http/at-once.js';
import { publicServer } from '../../src/http/server.js';
import { directoryInterface } from '../../src/model/interface.js';
import { listen } from '../../src/operate/listener.js';

const NO_HTTP = 'this is not an HTTP request; characters beyond ASCII must be percent-encoded';

const nothingReady = { wishOf: () => undefined, has: () => false, answerTo: () => undefined };

let server: Server;
let port: number;
/** Called when a request has come. */
let arrived: (response: ServerResponse) => void;

beforeEach(async () => {
  arrived = (response) => response.end('answered');
  const listener: RequestListener = (_, response) => arrived(response);
  server = publicServer({ listener, ready: nothingReady }, directoryInterface);
  port = Number(new URL(await listen(server, { host: '127.0.0.1', port: 0 })).port);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** All that a connection gets to read for what it has written. */
function exchange(written: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(written, 'latin1');
  return text(socket);
}

describe('the public port', () => {
  it('answers what is no HTTP with an error in the interface’s shape, and hangs up', async () => {
    const [head = '', body = ''] = (await exchange('GET /teams?q=Z\xc3\xbcrich HTTP/1.1\r\nHost: a\r\n\r\n')).split(
      '\r\n\r\n',
    );
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        'HTTP/1.1 400 Bad Request',
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${body.length}`,
        'Connection: close',
      ]),
    );
    expect(JSON.parse(body)).toEqual({ status: 'Bad Request', status_code: 400, version: '1.0', message: NO_HTTP });
  });

  it('tells a head that is too long from one that is wrong', async () => {
    const reply = await exchange(`GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(70_000)}\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(reply).toContain('"status_code": 431');
  });

  it('tells a request that did not arrive in time', async () => {
    const socket = new PassThrough();
    server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('lets a target of 60 kB reach its routes, which know what to say', async () => {
    const reply = await exchange(`GET /${'a'.repeat(60_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  it('writes nothing into an answer that is under way', async () => {
    arrived = (response) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write('the first half');
    };
    const reply = await exchange('GET / HTTP/1.1\r\nHost: a\r\n\r\nno HTTP at all\r\n\r\n');
    expect(reply).not.toContain('400 Bad Request');
  });

  it('writes no 100 into an answer that is still to come', async () => {
    arrived = (response) => {
      setTimeout(() => {
        sendAtOnce(response.req, response, writeHead(200, [{ 'Content-Length': 8 }], 0), Buffer.from('answered'));
      }, 5);
    };
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
    const reply = await exchange(`${request}\r\n${request}Expect: 100-continue\r\nConnection: close\r\n\r\n`);
    expect(reply).not.toContain('100 Continue');
    expect(reply.match(/answered/g)).toHaveLength(2);
  });

  it('answers the next request of a connection after the one before it', async () => {
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n';
    const socket = connect(port, '127.0.0.1');
    socket.write(`${request}\r\n`);
    await once(socket, 'data');
    socket.write('no HTTP at all\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });
});
