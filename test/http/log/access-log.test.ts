import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { startRequestLog } from '../../../src/http/log/access-log.js';
import type { AccessLogLevel, RequestLogFields } from '../../../src/http/log/access-log.js';
import type { Log } from '../../../src/model/log.js';
import { silentLog } from '../../support/silent-log.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';

type Line = Record<string, unknown>;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface LoggingServer {
  readonly address: string;
  readonly lines: Line[];
  /** Resolves when the next line has been written. */
  readonly line: () => Promise<Line>;
}

/** Starts a server that logs every request; its clock advances by 7 ms each time it is read. */
async function startLoggingServer(
  level: AccessLogLevel,
  handle: (response: ServerResponse, facts: RequestLogFields) => void,
): Promise<LoggingServer> {
  const lines: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  const write = (facts: object, message: string): void => {
    const line = { ...facts, message };
    lines.push(line);
    waiting.shift()?.(line);
  };
  const log: Log = { ...silentLog, info: write, warn: write, error: write };
  let now = 0;
  const clock = { now: () => (now += 7) };
  const server = createServer((request, response) => {
    handle(response, startRequestLog(request, response, { publish: createLogSubscriber(log), clock, level }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, lines, line: () => new Promise((resolve) => waiting.push(resolve)) };
}

/** Requests the given statuses, and returns those that were logged. */
async function loggedStatuses(level: AccessLogLevel, ...requested: readonly number[]): Promise<unknown[]> {
  const served = new Set<ServerResponse>();
  const { address, lines } = await startLoggingServer(level, (response) => {
    served.add(response);
    response.statusCode = Number(response.req.url?.slice(1));
    response.end();
  });
  for (const status of requested) await (await fetch(`${address}/${status}`)).text();
  // The access log listens for the same event, and registered its listener earlier.
  for (const response of served) if (!response.closed) await once(response, 'close');
  return lines.map(({ status }) => status);
}

describe('startRequestLog', () => {
  test('writes one line for each request at "all"', async () => {
    expect(await loggedStatuses('all', 200, 304, 404, 500)).toEqual([200, 304, 404, 500]);
  });

  test('writes only requests with an error status at "errors"', async () => {
    expect(await loggedStatuses('errors', 200, 304, 399, 400, 404, 502)).toEqual([400, 404, 502]);
  });

  test('writes nothing at "none"', async () => {
    expect(await loggedStatuses('none', 200, 404, 502)).toEqual([]);
  });

  test('writes the request id, path without query, fields of handlers, status and milliseconds', async () => {
    const { address, line } = await startLoggingServer('all', (response, facts) => {
      facts['query'] = 'directory-teams?q=a';
      response.end('[]');
      facts['bytes'] = 2;
    });
    const written = line();
    await (await fetch(`${address}/directory/v1/teams?q=secret`)).text();
    const { request, ...facts } = await written;
    expect(request).toMatch(/^[0-9a-f-]{36}$/);
    expect(facts).toEqual({
      method: 'GET',
      path: '/directory/v1/teams',
      query: 'directory-teams?q=a',
      bytes: 2,
      status: 200,
      milliseconds: 7,
      message: 'request',
    });
  });

  test('gives every request an id of its own', async () => {
    const { address, lines, line } = await startLoggingServer('all', (response) => response.end());
    for (let times = 0; times < 3; times += 1) {
      const written = line();
      await (await fetch(address)).text();
      await written;
    }
    expect(new Set(lines.map(({ request }) => request)).size).toBe(3);
  });

  test('marks a request whose client disconnected before the response', async () => {
    let handled = (): void => undefined;
    const handling = new Promise<void>((resolve) => (handled = resolve));
    const { address, line } = await startLoggingServer('all', () => handled());
    const written = line();
    const disconnecting = get(`${address}/teams`);
    disconnecting.on('error', () => undefined);
    await handling;
    disconnecting.destroy();
    expect(await written).toMatchObject({ path: '/teams', aborted: true });
  });
});
