import { createServer } from 'node:http';
import { createApp } from '../../src/app.js';
import type { App } from '../../src/app.js';
import { Gateway } from '../../src/gateway/gateway.js';
import { MergedListCache } from '../../src/gateway/merged-list-cache.js';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { Config } from '../../src/config/config.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { systemClock } from '../../src/model/clock.js';
import type { Log } from '../../src/model/log.js';
import { findSnapshot } from '../../src/model/outcome.js';
import type { Resource } from '../../src/model/resource.js';
import { createHeapGrowthControl } from '../../src/runtime/heap-growth-limit.js';
import { listen } from '../../src/runtime/http-listener.js';
import type { RecordSet } from '../../src/records/record-set.js';
import { createSourceRequestContext } from '../../src/source/request/source-request-context.js';
import { BodyParser } from '../../src/source/body/body-parser.js';
import { createUndiciTransport } from '../../src/source/client/transport.js';
import { codeOf } from './source-fleet.js';
import { subjectOf } from '../subjects/all.js';
import type { Subject } from '../subjects/subject.js';

/** A whole gateway in this process, put together as `rollcall serve` does it. */
export interface InProcessGateway {
  readonly app: App;
  /** The address at which it serves a resource. */
  address(resource: Resource): string;
  close(): Promise<void>;
}

/** Further keys of a configuration, each as YAML text. */
export interface BenchSettings {
  /** Of `server`. */
  readonly server?: string;
  /** Of `defaults`. */
  readonly defaults?: string;
  /** Of every source. */
  readonly source?: string;
}

/**
 * The configuration of a gateway that asks upstreams at these ports. Unless settings say otherwise, sources live for an hour, no time limit ends anything,
 * everything is drained, and everything that is drained is held.
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

/** Reads a configuration. Throws where it has faults. */
export function parseBenchConfig(lines: readonly string[]): Config {
  const parsed = parseConfig(lines.join('\n'), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

const quiet: Log = { info: () => undefined, warn: console.warn, error: console.error };

/** Opens a gateway: nothing is held in it, and every connection is still to be opened. */
export async function openGateway(config: Config, log: Log = quiet): Promise<InProcessGateway> {
  const wire = createUndiciTransport();
  const bodies = new BodyParser({ maxBody: Math.max(...config.sources.map(({ maxBody }) => maxBody)) });
  const filled = createHeapGrowthControl(config.cache.memory);
  const app = createApp(config, {
    transport: wire.transport,
    bodyParser: bodies,
    clock: systemClock,
    log,
    onHalfFull: filled,
  });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const { directoryPath, dataPath } = config.server;
  return {
    app,
    address: ({ interfaceName: apiInterface, path }) =>
      `${origin}${apiInterface === 'data' ? dataPath : directoryPath}/${path}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      app.stopBackgroundWork();
      bodies.close();
      await wire.close();
    },
  };
}

/** A gateway over what the sources of a running hold; it keeps no merged sets, so that every query is computed. */
export function gatewayOf({ app }: InProcessGateway): Gateway {
  return new Gateway(app.sources, new MergedListCache(new MemoryBudget(1).addLevel()), systemClock, 60_000);
}

/** What each source of a running holds of a resource. */
export async function cachedMergedLists({ app }: InProcessGateway, resource: Resource): Promise<readonly RecordSet[]> {
  const outcomes = await Promise.all(
    app.sources.map((source) =>
      source.getRecords({ resource, scope: 'public' }, createSourceRequestContext(new AbortController().signal)),
    ),
  );
  return outcomes.flatMap((outcome) => findSnapshot(outcome)?.set ?? []);
}

/** The answer to a request, its body read. Rejects where it is not a list. */
export async function request(url: string): Promise<Headers> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} was answered ${answer.status}`);
  return answer.headers;
}

/** Asks for a list, and rejects where a source did not give all of it or the total is another one: such an answer would be fast for nothing. */
export async function requestComplete(url: string, total?: number): Promise<void> {
  const headers = await request(url);
  const status = headers.get('source-status') ?? '';
  if (!status.includes('state=fresh') || /state=(?!fresh)/.test(status)) throw new Error(`${url}: ${status}`);
  const counted = headers.get('x-total-count');
  if (total !== undefined && counted !== String(total)) throw new Error(`${url}: ${counted ?? 'no'} of ${total}`);
}
