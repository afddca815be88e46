import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Config, SourceConfig } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import { MergedListCache } from './gateway/merged-list-cache.js';
import { MemoryBudget } from './cache/memory-budget.js';
import { ExpiringStore } from './cache/expiring-store.js';
import type { ExpiringEntry } from './cache/expiring-store.js';
import { ChangeCounter } from './cache/change-counter.js';
import { SerializedRecordCache } from './cache/serialized-record-cache.js';
import type { AccessLog } from './http/log/access-log.js';
import { AnswerCache } from './http/cache/answer-cache.js';
import { createHttpApp } from './http/express-app.js';
import { ResponseCache } from './http/cache/response-cache.js';
import type { RenderedBody } from './http/cache/rendered-body.js';
import { RenderCache } from './http/cache/render-cache.js';
import { createRepresentationKeyReader } from './http/representation-key-reader.js';
import type { ServedResource } from './http/served-resource.js';
import type { Clock } from './model/clock.js';
import { dataInterface, directoryInterface } from './model/api-interface.js';
import type { Log } from './model/log.js';
import { noMeter } from './model/meter.js';
import type { Meter } from './model/meter.js';
import type { Resource } from './model/resource.js';
import { channels } from './model/resources/channels.js';
import { dataTeams } from './model/resources/data-teams.js';
import { directoryTeams } from './model/resources/directory-teams.js';
import { news, newsItem } from './model/resources/news.js';
import { maxCacheBytes } from './runtime/heap-growth-limit.js';
import type { BodyParser } from './source/body/body-parser.js';
import type { Transport } from './source/client/http-client-types.js';
import type { ClientObserver } from './source/body/source-fetch-types.js';
import type { KeyReader } from './source/keys/key-reader.js';
import { createLimiter } from './source/client/concurrency-limit.js';
import type { SnapshotHistoryStore } from './source/snapshot/history-store.js';
import { Source } from './source/source.js';
import type { StoredSnapshot, SourceSettings, SourceServices } from './source/source-settings.js';
import { createSourceClient } from './source/source-client.js';
import { createDeadlineSignal, allowManyListeners } from './source/client/timeout.js';
import { MEMORY_PER_JSON_BYTE, LARGE_LIST_MEMORY_SHARE } from './source/memory-estimate.js';

/** What is passed in: transport, clock, log and stored history. */
export interface AppDependencies {
  readonly transport: Transport;
  /** Parses large bodies in a worker thread. Absent: they block the main thread. */
  readonly bodyParser?: BodyParser;
  /** Reads PGP keys in a worker thread. Absent: fingerprints are neither derived from keys nor compared with them. */
  readonly keyReader?: KeyReader;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: nothing is counted. */
  readonly meter?: Meter;
  /**
   * Stored history of snapshots (decisions 7.9). Absent: there is no history of earlier processes, and none is stored.
   */
  readonly historyStore?: SnapshotHistoryStore;
  /** Returns a number from 0 up to, but not including, 1. Absent: Math.random. */
  readonly random?: () => number;
  /** Called when more than half of the cache comes into use, and when that ends. */
  readonly onHalfFull?: (isHalfFull: boolean) => void;
  /** Creates the observer of the requests to the source of a code. Absent: requests are not observed. */
  readonly observeSource?: (source: string) => ClientObserver;
}

/** The composed application, without its listeners. */
export interface App {
  /** Handles the requests of the public port. */
  readonly listener: RequestListener;
  /** Log and counters of requests. */
  readonly accessLog: AccessLog;
  /** The resources that the listener serves. */
  readonly servedResources: readonly ServedResource[];
  /** Ordered by number. */
  readonly sources: readonly Source[];
  /** Warms up every source, for at most one `server.deadline` (operation 2.3.6). Never rejects. */
  warmUp(): Promise<void>;
  /** From now on, each response closes its connection (operation 6.3). */
  closeConnectionsAfterResponse(): void;
  /** Aborts the work that runs in the background. */
  stopBackgroundWork(): void;
}

/** All served resources, the most requested ones first. */
const SERVED_RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels] as const;

/** Composes the application from a configuration. Every part gets its dependencies here and creates none itself. */
export function createApp(config: Config, dependencies: AppDependencies): App {
  const { clock, log, historyStore, meter = noMeter, random = Math.random } = dependencies;
  const { server, cache } = config;
  const name = server.name ?? `rollcall-${randomBytes(4).toString('hex')}`;
  const stopController = new AbortController();
  let accepting = true;
  // The levels are evicted in this order (decisions 7.16).
  const maxBytes = maxCacheBytes(cache.memory);
  const budget = new MemoryBudget(maxBytes, dependencies.onHalfFull);
  const renderCache = new RenderCache(budget.addLevel((rendered: RenderedBody) => rendered.notifyEvicted()));
  const recordCache = new SerializedRecordCache(budget.addLevel());
  const mergedLists = new MergedListCache(budget.addLevel());
  const items = budget.addLevel<ExpiringEntry<StoredSnapshot>>();
  const snapshots = budget.addLevel<ExpiringEntry<StoredSnapshot>>();
  const changeCounter = new ChangeCounter();
  const services: SourceServices = {
    unboundedStore: new ExpiringStore(items),
    store: new ExpiringStore(snapshots),
    changeCounter,
    onChange: (sourceNumber, path) => {
      mergedLists.dropSource(sourceNumber, path);
      recordCache.dropGroup(path);
    },
    clock,
    log,
    meter,
    gatewayName: name,
    random,
    ...(historyStore && { historyStore }),
    maxDrainBytes: maxBytes / MEMORY_PER_JSON_BYTE,
    maxLargeListBytes: cache.memory * LARGE_LIST_MEMORY_SHARE,
    largeDrainLimiter: createLimiter(1 / LARGE_LIST_MEMORY_SHARE),
    keyReader: dependencies.keyReader,
    stop: allowManyListeners(stopController.signal),
  };
  const sources = createSources(config, services, dependencies);
  const gateway = new Gateway(sources, mergedLists, clock, server.deadline);
  const answers = new AnswerCache({ gateway, mergedLists, changeCounter, clock });
  const accessLog: AccessLog = { log, meter, clock, level: server.log };
  const isStopping = (): boolean => !accepting;
  const servedResources = createServedResources({ config, answers, name, clock, changeCounter, recordCache });
  const readRepresentation = createRepresentationKeyReader(servedResources);
  const responseCache = new ResponseCache({
    renderCache,
    changeCounter,
    gatewayName: name,
    accessLog,
    readRepresentation,
    isStopping,
  });
  const sendDependencies = { renderCache, responseCache, clock };
  const listener = createHttpApp({
    resources: servedResources,
    gatewayName: name,
    accessLog,
    sendDependencies,
    isStopping,
    maxBodyBytes: server.limits.body,
  });
  return {
    listener,
    accessLog,
    servedResources,
    sources,
    warmUp: async () => {
      const signal = createDeadlineSignal(server.deadline);
      const warmUps = sources.flatMap((source) => SERVED_RESOURCES.map((resource) => source.warmUp(resource, signal)));
      await Promise.all(warmUps);
    },
    closeConnectionsAfterResponse: () => {
      accepting = false;
    },
    stopBackgroundWork: () => {
      stopController.abort(new DOMException('the process stops', 'AbortError'));
    },
  };
}

interface ServedResourceDependencies {
  readonly config: Config;
  readonly answers: AnswerCache;
  readonly name: string;
  readonly clock: Clock;
  readonly changeCounter: ChangeCounter;
  readonly recordCache: SerializedRecordCache;
}

function createServedResources(dependencies: ServedResourceDependencies): [ServedResource, ...ServedResource[]] {
  const [first, ...others] = SERVED_RESOURCES;
  return [
    createServedResource(first, dependencies),
    ...others.map((resource) => createServedResource(resource, dependencies)),
  ];
}

function createServedResource(
  resource: Resource,
  { config, answers, name, clock, changeCounter, recordCache }: ServedResourceDependencies,
): ServedResource {
  const { server } = config;
  const [servedInterface, basePath] =
    resource.interfaceName === 'data' ? [dataInterface, server.dataPath] : [directoryInterface, server.directoryPath];
  const vocabulary = { resource, ...createVocabularyNames(config) };
  const item = resource === newsItem;
  return {
    basePath,
    options: {
      servedInterface,
      rules: { vocabulary, limit: server.limit, envelope: server.envelope[resource.interfaceName], item },
      answerQuery: (query, itemId, options) =>
        itemId === undefined ? answers.getList(query, options) : answers.getItem(query, itemId, options),
      changeCounter,
      recordCache,
      publicUrl: server.publicUrl ?? '',
      gatewayName: name,
      clock,
    },
  };
}

function createSources(
  config: Config,
  services: SourceServices,
  { transport, observeSource, bodyParser: bodies }: Pick<AppDependencies, 'transport' | 'observeSource' | 'bodyParser'>,
): readonly Source[] {
  const sharedLimit = createLimiter(config.server.concurrency);
  return config.sources.map((source) => {
    const { code, timeout, maxBody, concurrency, breaker, retries } = source;
    const observer = observeSource?.(code);
    services.meter.recordSuspension(code, false);
    const fetch = createSourceClient({
      transport: observer?.requestLayer(transport) ?? transport,
      clock: services.clock,
      bodyParser: bodies,
      gatewayName: services.gatewayName,
      sharedLimit,
      sourceLimit: createLimiter(concurrency),
      timeout,
      maxBody,
      breaker: {
        ...breaker,
        onChange: (isSuspended) => {
          services.log.warn({ source: code }, isSuspended ? 'source suspended' : 'source resumed');
          services.meter.recordSuspension(code, isSuspended);
        },
      },
      retry: { retries, maxDelay: config.server.deadline, random: services.random },
      onResult: services.meter.sourceRequestCounter(code),
    });
    return new Source(createSourceSettings(source, config.sources), observer?.responseLayer(fetch) ?? fetch, services);
  });
}

/** Builds the registration of a source, given all sources of the configuration (operation 2.8). */
export function createSourceSettings(source: SourceConfig, all: readonly SourceConfig[]): SourceSettings {
  const others = all.filter((other) => other !== source);
  const { number, sourceName, site, aggregate, directory, data } = source;
  return {
    ...source,
    baseUrls: { directory, data },
    provenance: {
      sourceName,
      sourceNumber: number,
      isAggregate: aggregate,
      ...(site !== undefined && { site }),
      codes: listCodes(source),
      otherCodes: others.flatMap(listCodes),
      otherSourceNames: others.map((other) => other.sourceName),
      registeredProperties: all.flatMap(({ properties }) => properties),
    },
  };
}

function listCodes({ code, prefixes }: SourceConfig): readonly string[] {
  return [code, ...prefixes];
}

interface VocabularyNames {
  readonly sourceNames: readonly string[];
  readonly codes: readonly string[];
  readonly properties: readonly string[];
  readonly aggregate: boolean;
}

function createVocabularyNames({ sources }: Config): VocabularyNames {
  return {
    sourceNames: sources.map(({ sourceName }) => sourceName),
    codes: sources.flatMap(listCodes),
    properties: [...new Set(sources.flatMap(({ properties }) => properties))],
    aggregate: sources.some(({ aggregate }) => aggregate),
  };
}
