import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createApp } from '../../../src/app.js';
import { fingerprintConfig } from '../../../src/config/config-fingerprint.js';
import type { Config } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { systemClock } from '../../../src/model/clock.js';
import type { Clock } from '../../../src/model/clock.js';
import type { Log } from '../../../src/model/log.js';
import type { Transport } from '../../../src/source/client/fetch.js';
import { createMetrics } from '../../../src/admin/prometheus-metrics.js';
import { openStateFile } from '../../../src/state/state-file.js';
import type { BodyParser } from '../../../src/source/body/body-parser.js';
import type { KeyReader } from '../../../src/source/keys/key-reader.js';
import { createUndiciTransport } from '../../../src/source/client/transport.js';

/** A configuration, keys as operation.md has them; numbers of sources and what is not named are filled in. */
export interface GatewaySetup {
  readonly server?: object;
  readonly cache?: object;
  readonly defaults?: object;
  /** By code, numbered in this order from 1. */
  readonly sources: Readonly<Record<string, object>>;
}

/** What is handed in, where a test hands in its own. */
export interface GatewayDependencies {
  readonly clock?: Clock;
  readonly transport?: Transport;
  /** In place of the one that remembers every line. */
  readonly log?: Log;
  /** Absent: every body is parsed on this thread. */
  readonly bodies?: BodyParser;
  /** Absent: keys are as their sources tell. */
  readonly keys?: KeyReader;
  /** Absent: 0, so that nothing is left to chance, and a time to live is exactly what it is configured to be. */
  readonly random?: () => number;
}

/** An answer, its body read to the end. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; throws where it is none. */
  readonly json: unknown;
}

/** A line of the log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly facts: object;
  readonly message: string;
}

/** A whole Rollcall that listens on a loopback port. */
export interface TestGateway {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly log: readonly LogLine[];
  /** All counts, as the operator sees them. */
  metrics(): Promise<string>;
  /** Path and query below the origin. */
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<GatewayResponse>;
  close(): Promise<void>;
}

/** Starts a whole Rollcall on the real wire. JSON is YAML, so the configuration goes through the real parser. */
export async function startGateway(setup: GatewaySetup, surroundings: GatewayDependencies = {}): Promise<TestGateway> {
  const lines: LogLine[] = [];
  const wire = createUndiciTransport();
  const { transport = wire.transport, clock = systemClock, log = collect(lines), random = () => 0 } = surroundings;
  const meter = createMetrics({ ofProcess: false });
  const config = configOf(setup);
  const { state: file } = config.cache;
  const memory =
    file === undefined ? undefined : await openStateFile({ file, configuration: fingerprintConfig(config), log });
  const { bodies, keys } = surroundings;
  const given = { ...(bodies && { bodyParser: bodies }), ...(keys && { keyReader: keys }), ...(memory && { memory }) };
  const app = createApp(config, { transport, clock, log, meter, random, ...given });
  const { origin, close } = await listen(app.listener);
  return {
    origin,
    log: lines,
    metrics: () => meter.text(),
    get: (target, headers) => get(`${origin}${target}`, headers),
    close: async () => {
      app.stopBackgroundWork();
      await Promise.all([close(), wire.close(), memory?.close()]);
    },
  };
}

function configOf({ server, sources, ...rest }: GatewaySetup): Config {
  const numbered = Object.entries(sources).map(([code, source], at) => [code, { number: at + 1, ...source }] as const);
  const written = { server: { port: 0, ...server }, ...rest, sources: Object.fromEntries(numbered) };
  const parsed = parseConfig(JSON.stringify(written), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

function collect(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (facts: object, message: string, known: object = {}): void => {
      const twice = Object.keys(facts).find((name) => Object.hasOwn(known, name));
      if (twice !== undefined) throw new Error(`a line tells ${twice} twice`);
      lines.push({ level, facts: { ...known, ...facts }, message });
    };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

async function listen(listener: RequestListener): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  // A test that computes for seconds what should come does not find its connection closed.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Rollcall has no TCP port');
  const close = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin: `http://127.0.0.1:${address.port}`, close };
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<GatewayResponse> {
  const response = await globalThis.fetch(url, { headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    get json() {
      const parsed: unknown = JSON.parse(text);
      return parsed;
    },
  };
}
