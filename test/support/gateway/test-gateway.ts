import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createApp } from '../../../src/app.js';
import type { App } from '../../../src/app.js';
import type { RateLimitStore } from '../../../src/access/request-counters.js';
import type { AppDependencies, LevelWorkers } from '../../../src/composition/app-dependencies.js';
import { compareSources, continueApp, continuedParts } from '../../../src/composition/continue-after-reload.js';
import { fingerprintConfig } from '../../../src/config/config-fingerprint.js';
import { listNumbers } from '../../../src/config/source-number-changes.js';
import type { KnownNumbers } from '../../../src/config/source-number-changes.js';
import type { Config } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { IncludedFileReader } from '../../../src/config/yaml/expand-variables.js';
import type { ExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
import { systemClock } from '../../../src/model/clock.js';
import type { Clock } from '../../../src/model/clock.js';
import type { AccessLevel } from '../../../src/model/access-level.js';
import type { Log } from '../../../src/model/log.js';
import type { Tracer } from '../../../src/model/tracer.js';
import { CircuitBreakers } from '../../../src/source/client/circuit-breaker.js';
import type { Transport } from '../../../src/source/client/http-client-types.js';
import type { Publish } from '../../../src/events/event.js';
import { createLogSubscriber } from '../../../src/events/log-lines.js';
import { createMetrics } from '../../../src/events/metrics.js';
import { ListFolder } from '../../../src/lists/store/disk/list-folder.js';
import type { BodyParser } from '../../../src/source/body/body-parser.js';
import type { KeyReader } from '../../../src/source/keys/key-reader.js';
import type { SearchThreads } from '../../../src/search/search-threads.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { silentLog } from '../silent-log.js';

/** A configuration with the keys of the configuration file (operation 2). Numbers of sources and missing settings are filled in. */
export interface GatewaySetup {
  readonly server?: object;
  readonly admin?: object;
  readonly cache?: object;
  readonly access?: object;
  readonly defaults?: object;
  /** By code; numbered from 1 in this order. */
  readonly sources: Readonly<Record<string, object>>;
}

/** Dependencies that a test may replace. */
export interface GatewayDependencies {
  /** Environment variables; default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Contents of the files that the configuration names, by path; default: none. */
  readonly files?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  readonly transport?: Transport;
  /** Default: a log that records every line. */
  readonly log?: Log;
  /** Default: every body is parsed on this thread. */
  readonly bodies?: BodyParser;
  /** Default: none; fingerprints are neither derived from keys nor compared with them. */
  readonly keys?: KeyReader;
  /** Default: none; indexes are built and searched on this thread. */
  readonly searchThreads?: SearchThreads;
  /** Default: none; pages have no script and no style sheet. */
  readonly explorerAssets?: ExplorerAssets;
  /** Default: always 0, so that a time to live has no random part. */
  readonly random?: () => number;
  /** Default: nothing is traced. */
  readonly tracer?: Tracer | undefined;
  /** Default: the gateway counts requests by itself. */
  readonly rateLimitStore?: RateLimitStore;
  /** Default: there are no other instances. */
  readonly sharedStore?: AppDependencies['sharedStore'];
  /** Failures in a row that suspend a source, and milliseconds until the trial request. Default: those of Rollcall. */
  readonly suspension?: Suspension;
}

interface Suspension {
  readonly failures: number;
  readonly cooldown: number;
}

/** A response with its complete body. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body parsed as JSON. Throws if it is not JSON. */
  readonly json: unknown;
}

/** One line of the log. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly facts: object;
  readonly message: string;
}

/** A complete gateway that listens on a loopback port. */
export interface TestGateway {
  /** Without a trailing slash. */
  readonly origin: string;
  readonly log: readonly LogLine[];
  readonly app: App;
  readonly config: Config;
  /** All metrics in the text format of Prometheus. */
  metrics(): Promise<string>;
  /** Requests a path and query of the gateway. */
  get(target: string, headers?: Readonly<Record<string, string>>): Promise<GatewayResponse>;
  /**
   * Replaces the configuration as a reload does (operation 6.2). Its new sources have been read when `meanwhile` is called;
   * it takes effect after that.
   */
  replace(setup: GatewaySetup, meanwhile?: () => Promise<void>): Promise<void>;
  /** Warms up the sources at members access, as `rollcall serve` does after it has reported ready. */
  warmUpMembers(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a complete gateway with the real HTTP client. JSON is valid YAML, so the real configuration parser reads the setup. With
 * `cache.disk`, the gateway restores its snapshots before it listens, and saves them when it is closed.
 */
export async function startGateway(setup: GatewaySetup, dependencies: GatewayDependencies = {}): Promise<TestGateway> {
  const lines: LogLine[] = [];
  const wire = createUndiciTransport('rollcall');
  const { transport = wire.transport, clock = systemClock, log = collect(lines), random = () => 0 } = dependencies;
  const [metrics, writeLine] = [createMetrics({ ofProcess: false }), createLogSubscriber(log)];
  const publish: Publish = (event) => {
    writeLine(event);
    metrics.note(event);
  };
  const config = configOf(setup, dependencies);
  const { disk } = config.cache;
  const describe = (one: Config): { configuration: string; numbers: KnownNumbers } => ({
    configuration: fingerprintConfig(one),
    numbers: listNumbers(one),
  });
  const listFolder =
    disk === undefined ? undefined : await ListFolder.open({ path: disk, ...describe(config), clock, publish });
  const { bodies, keys, searchThreads, explorerAssets, tracer, rateLimitStore, sharedStore } = dependencies;
  const workers: LevelWorkers = {
    ...(bodies && { bodyParser: bodies }),
    ...(keys && { keyReader: keys }),
    ...(searchThreads && { searchThreads }),
  };
  // The compiler does not check the names of spread properties without `satisfies`.
  const optional = {
    workers: { public: workers, members: workers } satisfies AppDependencies['workers'],
    ...(listFolder && ({ listFolder } satisfies Partial<AppDependencies>)),
  };
  const { findCertificate } = wire;
  const shared = {
    publish,
    tracer,
    transport,
    findCertificate,
    clock,
    random,
    explorerAssets,
    rateLimitStore,
    sharedStore,
  };
  const { suspension } = dependencies;
  const create = (next: Config, previous?: App): App => {
    const { continuedBreakers, ...others } = previous === undefined ? {} : continuedParts(previous, next);
    const breakersOf = (access: AccessLevel): ReadonlyMap<string, CircuitBreakers> =>
      new Map([
        ...(suspension ? createBreakers(next, { ...suspension, clock, publish }) : []),
        ...(continuedBreakers?.[access] ?? []),
      ]);
    return createApp(next, {
      ...shared,
      ...optional,
      ...others,
      continuedBreakers: { public: breakersOf('public'), members: breakersOf('members') },
      configuration: fingerprintConfig(next),
    });
  };
  let current = create(config);
  if (listFolder !== undefined) await current.restore();
  const { origin, close } = await listen((request, response) => {
    current.listener(request, response);
  });
  return {
    origin,
    log: lines,
    get app() {
      return current;
    },
    get config() {
      return current.config;
    },
    replace: async (nextSetup, meanwhile) => {
      const nextConfig = configOf(nextSetup, dependencies);
      const next = create(nextConfig, current);
      const continuity = compareSources({ previous: current.config.sources, next: nextConfig.sources }, 'public');
      await next.warmUp(({ code }) => continuity.get(code) === 'none');
      await meanwhile?.();
      void listFolder?.reconfigure({
        ...describe(nextConfig),
        codes: new Set(nextConfig.sources.map(({ code }) => code)),
      });
      continueApp(current, next);
      current = next;
    },
    metrics: () => metrics.text(),
    get: (target, headers) => get(`${origin}${target}`, headers),
    warmUpMembers: () => current.warmUpMembers(),
    close: async () => {
      current.stopBackgroundWork();
      await Promise.all([close(), wire.close(), listFolder?.close()]);
    },
  };
}

function createBreakers(
  { sources }: Config,
  { publish, ...options }: Suspension & { readonly clock: Clock; readonly publish: Publish },
): readonly (readonly [code: string, CircuitBreakers])[] {
  return sources.map(({ code, origin: { kind } }) => [
    code,
    new CircuitBreakers(kind === 'feed' ? 'url' : 'source', {
      ...options,
      publish: (event) => publish({ source: code, ...event }),
    }),
  ]);
}

function configOf(
  { server, sources, ...rest }: GatewaySetup,
  { environment = {}, files = {} }: GatewayDependencies,
): Config {
  const numbered = Object.entries(sources).map(([code, source], at) => [code, { number: at + 1, ...source }] as const);
  const written = { server: { port: 0, ...server }, ...rest, sources: Object.fromEntries(numbered) };
  const readFile: IncludedFileReader = (path) => {
    const content = files[path];
    return content === undefined ? { problem: `the file ${path} does not exist` } : { content };
  };
  const parsed = parseConfig(JSON.stringify(written), environment, undefined, { folder: '.', readFile });
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

function collect(lines: LogLine[]): Log {
  const at =
    (level: LogLine['level']) =>
    (facts: object, message: string, known: object = {}): void => {
      const twice = Object.keys(facts).find((name) => Object.hasOwn(known, name));
      if (twice !== undefined) throw new Error(`a log line contains ${twice} twice`);
      lines.push({ level, facts: { ...known, ...facts }, message });
    };
  return { ...silentLog, info: at('info'), warn: at('warn'), error: at('error'), audit: at('info') };
}

async function listen(listener: RequestListener): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  // A test that computes its expected result for seconds must not find its connection closed.
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
