import { createServer } from 'node:http';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { Gateway } from '../../src/gateway/gateway.js';
import { MergedListCache } from '../../src/gateway/merged-list-cache.js';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { Config } from '../../src/config/config.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { systemClock } from '../../src/model/clock.js';
import type { ExplorerAssets } from '../../src/explorer/assets/explorer-assets.js';
import type { Log } from '../../src/model/log.js';
import { findSnapshot } from '../../src/model/outcome.js';
import type { Resource } from '../../src/model/resource.js';
import { listen } from '../../src/runtime/http-listener.js';
import { SearchEngine } from '../../src/search/search-engine.js';
import { SearchThreads } from '../../src/search/search-threads.js';
import type { RecordSet } from '../../src/records/record-set.js';
import { createSourceRequestContext } from '../../src/source/request/source-request-context.js';
import { BodyParser } from '../../src/source/body/body-parser.js';
import { createUndiciTransport } from '../../src/source/client/transport/http-transport.js';
import type { ListFolder } from '../../src/lists/store/disk/list-folder.js';
import { codeOf } from './source-fleet.js';
import { subjectOf } from '../subjects/all.js';
import type { Subject } from '../subjects/subject.js';
import { silentLog } from '../../test/support/silent-log.js';
import { createLogSubscriber } from '../../src/events/log-lines.js';

/** A complete gateway in this process, composed as by `rollcall serve`. */
export interface InProcessGateway {
  readonly app: App;
  /** URL of a resource. */
  address(resource: Resource): string;
  close(): Promise<void>;
}

/** Further settings of a configuration, each as YAML text. */
export interface BenchSettings {
  /** Settings of `server`. */
  readonly server?: string;
  /** Settings of `defaults`. */
  readonly defaults?: string;
  /** Settings of each source. */
  readonly source?: string;
}

/**
 * Returns the configuration of a gateway with sources at these ports. By default, the time to live is an hour, no time limit is
 * reached, every source is drained, and the cache has room for all records.
 */
export function configOf(name: Subject['name'], ports: readonly number[], settings: BenchSettings = {}): Config {
  const { server = 'deadline: 5m', defaults = 'timeout: 2m, drain-threshold: 1000000', source = '' } = settings;
  const registered = ports.map((port, at) => {
    const keys = subjectOf(name).registered(`http://127.0.0.1:${port}`);
    return `  ${codeOf(at + 1)}: { number: ${at + 1}, ${keys}${source} }`;
  });
  return parseBenchConfig([
    `server: { log: none, ${server} }`,
    `defaults: { ttl: 1h, ${defaults} }`,
    'cache: { memory: 4GiB }',
    'sources:',
    ...registered,
  ]);
}

/** Parses a configuration. Throws if it has errors. */
export function parseBenchConfig(lines: readonly string[]): Config {
  const parsed = parseConfig(lines.join('\n'), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

const quiet: Log = { ...silentLog, warn: console.warn, error: console.error };

/** Options of {@link openGateway}. */
export interface GatewayOptions {
  readonly log?: Log;
  /** Script, style sheet and map of the pages. Absent: pages have none. */
  readonly explorerAssets?: ExplorerAssets;
  /** Where snapshots are saved. Absent: nowhere. */
  readonly listFolder?: ListFolder;
}

/** Starts a gateway with an empty cache and no open connections. */
export async function openGateway(
  config: Config,
  { log = quiet, explorerAssets, listFolder }: GatewayOptions = {},
): Promise<InProcessGateway> {
  const undici = createUndiciTransport('rollcall');
  const bodyParser = new BodyParser({ maxBody: Math.max(...config.sources.map(({ maxBody }) => maxBody)) });
  const searchThreads = new SearchThreads();
  const app = createApp(config, {
    transport: undici.transport,
    workers: { public: { bodyParser, searchThreads }, members: { bodyParser } },
    clock: systemClock,
    publish: createLogSubscriber(log),
    explorerAssets,
    listFolder,
  });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  return {
    app,
    address: ({ interfaceName, path }) => `${origin}/${interfaceName}/v1/${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      app.stopBackgroundWork();
      bodyParser.close();
      searchThreads.close();
      await undici.close();
    },
  };
}

/** A gateway over the sources of a running gateway that caches no merged lists, so that every query is computed. */
export function uncachedGatewayOf({ app }: InProcessGateway): Gateway {
  const budget = new MemoryBudget(1);
  return new Gateway(app.sources, {
    mergedLists: new MergedListCache(budget.addLevel()),
    clock: systemClock,
    deadline: 60_000,
    searchEngine: new SearchEngine({
      cacheLevel: budget.addLevel(),
      clock: systemClock,
      publish: () => undefined,
      codeOf: String,
    }),
  });
}

/** The cached record set of a resource of each source. */
export async function cachedRecordSets({ app }: InProcessGateway, resource: Resource): Promise<readonly RecordSet[]> {
  const outcomes = await Promise.all(
    app.sources.map((source) =>
      source.getRecords({ resource, scope: 'public' }, createSourceRequestContext(new AbortController().signal)),
    ),
  );
  return outcomes.flatMap((outcome) => findSnapshot(outcome)?.set ?? []);
}

/** Sends a request, reads the body and returns the header fields. Rejects if the status is not 200. */
export async function request(url: string): Promise<Headers> {
  return (await fetchText(url)).headers;
}

async function fetchText(url: string): Promise<{ readonly headers: Headers; readonly body: string }> {
  const response = await fetch(url);
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${url}: status ${response.status}`);
  return { headers: response.headers, body };
}

/**
 * Requests a list and returns the body. Rejects if the total differs, if no source is fresh, or if one is neither fresh
 * nor without the resource, because an incomplete response takes less time.
 */
export async function requestComplete(url: string, total?: number): Promise<string> {
  const { headers, body } = await fetchText(url);
  const status = headers.get('source-status') ?? '';
  if (!status.includes('state=fresh') || /state=(?!fresh|excluded;reason=resource)/.test(status))
    throw new Error(`${url}: ${status}`);
  const counted = headers.get('x-total-count');
  if (total !== undefined && counted !== String(total)) throw new Error(`${url}: ${counted ?? 'no'} of ${total}`);
  return body;
}
