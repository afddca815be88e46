import { Agent, request } from 'node:http';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../support/gateway/program.js';
import { startCaseGateway } from '../support/gateway/case-gateway.js';
import { programs } from './programs.js';
import { nginxAround, startProgram } from './started-program.js';
import type { StartedProgram } from './started-program.js';

/** Connections that the hostile client opens. */
const ATTACKS = 600;

/** Hostile connections that are open at the same time. */
const ATTACKERS = 6;

/** Other clients, which send their requests in sequence. */
const VICTIMS = 4;

/** Minimum number of requests of each of these clients. */
const MIN_REQUESTS = 300;

/** Time that a client waits for a response, in milliseconds. */
const RESPONSE_TIMEOUT = 5_000;

/** A reverse proxy that sends the requests of all clients over a few connections. */
interface ReverseProxy {
  readonly name: string;
  start(gateway: number): Promise<StartedProgram>;
}

/** Passes on Expect, and streams request bodies. */
const nginx: ReverseProxy = {
  name: 'nginx with keepalive',
  start: (gateway) =>
    startProgram(programs.nginx, (folder, port) => {
      const location = [
        'proxy_pass http://rollcall;',
        'proxy_http_version 1.1;',
        'proxy_set_header Connection "";',
        'proxy_set_header Expect $http_expect;',
        'proxy_request_buffering off;',
      ];
      const http = [
        `upstream rollcall { server 127.0.0.1:${gateway}; keepalive 2; }`,
        'client_body_timeout 1s;',
        `server { listen 127.0.0.1:${port}; location / { ${location.join(' ')} } }`,
      ];
      const file = join(folder, 'nginx.conf');
      writeFileSync(file, nginxAround(http.join('\n'), folder));
      return ['-p', folder, '-e', 'stderr', '-c', file];
    }),
};

const haproxy: ReverseProxy = {
  name: 'HAProxy with http-reuse always',
  start: (gateway) =>
    startProgram(programs.haproxy, (folder, port) => {
      const file = join(folder, 'haproxy.cfg');
      const lines = [
        'defaults',
        '  mode http',
        '  timeout connect 5s',
        '  timeout client 1s',
        '  timeout server 5s',
        'listen public',
        `  bind 127.0.0.1:${port}`,
        '  http-reuse always',
        `  server rollcall 127.0.0.1:${gateway} maxconn 4`,
        '',
      ];
      writeFileSync(file, lines.join('\n'));
      return ['-db', '-q', '-f', file];
    }),
};

/** A target whose response names its request: the callback is part of the body. */
function targetOf(callback: string): string {
  return `/directory/v1/teams?limit=1&callback=${callback}`;
}

const SMUGGLED = `GET ${targetOf('smuggled')} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** The pieces that the hostile client writes on each connection. The connection is closed shortly after the last piece. */
const attacks: readonly (readonly string[])[] = ['GET', 'HEAD', 'POST', 'OPTIONS'].flatMap((method) => {
  const head = `${method} ${targetOf('hostile')} HTTP/1.1\r\nHost: a\r\n`;
  const length = `Content-Length: ${SMUGGLED.length}\r\n`;
  return [
    [`${head}Expect: 100-continue\r\n${length}\r\n`],
    [`${head}Expect: 100-continue\r\n${length}\r\n`, SMUGGLED],
    [`${head}Expect: 100-continue\r\n${length}\r\n`, SMUGGLED.slice(0, 20)],
    [`${head}Expect: 100-continue\r\n${length}\r\n${SMUGGLED}${SMUGGLED}`],
    [`${head}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`, `0\r\n\r\n${SMUGGLED}`],
    [`${head}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n`, SMUGGLED],
    [`${head}${length}\r\n`, SMUGGLED.slice(0, 20)],
    [`${head}Content-Length: 5\r\n\r\n${SMUGGLED}`],
    [`${head}Content-Length: 100000\r\n\r\n${SMUGGLED}`],
    [`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    [`${head}Transfer-Encoding: chunked\xa0\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    [`${head}Transfer-Encoding:\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    [`${head}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    [`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${SMUGGLED}`],
    [`${head}\r\n${head}\r\n${SMUGGLED}\x00\x01garbage\r\n\r\n${SMUGGLED}`],
    [`${head}\r\n`.repeat(20)],
  ];
});

async function attack(port: number, pieces: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await pause(5);
  }
  await pause(15);
  socket.destroy();
}

/** Counts of the responses that one client received. */
interface Tally {
  /** Responses to the client's own requests. */
  own: number;
  /** Errors of the proxy, and requests without a response: a proxy cannot always know whether a request may be sent again. */
  none: number;
  /** Descriptions of responses to other requests. */
  readonly wrong: string[];
}

/** Sends requests in sequence, each with its own callback, until the attacks have ended. */
async function sendUntilEnd(port: number, { victim, ending }: { victim: number; ending: AbortSignal }): Promise<Tally> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const tally: Tally = { own: 0, none: 0, wrong: [] };
  for (let at = 0; at < MIN_REQUESTS || !ending.aborted; at += 1) {
    // Callbacks repeat, so that some responses come from the response cache and others do not.
    const callback = `victim${victim}request${at % 50}`;
    const body = await bodyOf(port, targetOf(callback), agent);
    if (body === undefined) tally.none += 1;
    else if (body.includes(`${callback}(`)) tally.own += 1;
    else tally.wrong.push(`${callback}: ${body.slice(0, 200)}`);
  }
  agent.destroy();
  return tally;
}

/** The body of a response; undefined where the proxy sent an error or nothing. */
async function bodyOf(port: number, path: string, agent: Agent): Promise<string | undefined> {
  const sent = request({ host: '127.0.0.1', port, path, agent, timeout: RESPONSE_TIMEOUT });
  sent.once('timeout', () => sent.destroy(new Error('no response in time')));
  const body = new Promise<string | undefined>((resolve) => {
    sent.once('error', () => resolve(undefined));
    sent.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', () => resolve(undefined));
      const { statusCode = 0 } = response;
      response.once('end', () => resolve(statusCode >= 502 ? undefined : Buffer.concat(chunks).toString()));
    });
  });
  sent.end();
  return body;
}

describe.each([nginx, haproxy])('behind $name', (proxy) => {
  it('no client receives the response to a request of another client, whatever that client sends', async () => {
    const gateway = await startCaseGateway('two', systemClock);
    const running = await proxy.start(gateway.port);
    const { port } = running;
    const ending = new AbortController();
    const victims = Array.from({ length: VICTIMS }, (_, victim) =>
      sendUntilEnd(port, { victim, ending: ending.signal }),
    );
    const attackers = Array.from({ length: ATTACKERS }, async (_, first) => {
      for (let at = first; at < ATTACKS; at += ATTACKERS) await attack(port, attacks[at % attacks.length] ?? []);
    });
    await Promise.all(attackers);
    ending.abort();
    const tallies = await Promise.all(victims);
    await running.close();
    await gateway.close();
    expect(tallies.flatMap(({ wrong }) => wrong)).toEqual([]);
    // Fewer than one in fifty requests is lost.
    const own = tallies.reduce((sum, tally) => sum + tally.own, 0);
    const none = tallies.reduce((sum, tally) => sum + tally.none, 0);
    expect(none, `${own} received their own response`).toBeLessThan(own / 50);
  });
});
