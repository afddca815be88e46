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
import { createAuthenticator } from './access/authenticator.js';
import { createAdmissionControl } from './http/admission-control.js';
import { createHttpApp } from './http/express-app.js';
import { formatVary } from './http/request/response-format.js';
import { ResponseCache } from './http/cache/response-cache.js';
import type { RenderedBody } from './http/cache/rendered-body.js';
import { RenderCache } from './http/cache/render-cache.js';
import { createRepresentationKeyReader } from './http/representation-key-reader.js';
import type { ListOptions, QueryBackend, ServedResource } from './http/served-resource.js';
import { isAccessSufficient } from './model/access-level.js';
import type { AccessLevel } from './model/access-level.js';
import type { Clock } from './model/clock.js';
import { dataInterface, directoryInterface } from './model/api-interface.js';
import { withLogFields } from './model/log.js';
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
  /** The sources at public access, ordered by number. */
  readonly sources: readonly Source[];
  /** The sources at an access level, ordered by number; undefined where no client can have it. */
  sourcesAt(access: AccessLevel): readonly Source[] | undefined;
  /** Warms up every source, for at most one `server.deadline` (operation 2.3.6). Never rejects. */
  warmUp(): Promise<void>;
  /** The same at members access, where a client can have it. */
  warmUpMembers(): Promise<void>;
  /** From now on, each response closes its connection (operation 6.3). */
  closeConnectionsAfterResponse(): void;
  /** Aborts the work that runs in the background. */
  stopBackgroundWork(): void;
}

/** All served resources, the most requested ones first. */
const SERVED_RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels] as const;

/** Composes the application from a configuration. Every part gets its dependencies here and creates none itself. */
export function createApp(config: Config, dependencies: AppDependencies): App {
  const { clock, log, meter = noMeter } = dependencies;
  const { server, access } = config;
  const name = server.name ?? `rollcall-${randomBytes(4).toString('hex')}`;
  const stopController = new AbortController();
  let accepting = true;
  const levelOptions: LevelOptions = {
    config,
    dependencies,
    gatewayName: name,
    stop: allowManyListeners(stopController.signal),
    ...shareMemory(config, dependencies.onHalfFull),
  };
  const publicLevel = createLevel('public', levelOptions);
  const membersLevel = canGrantMembersAccess(access) ? createLevel('members', levelOptions) : undefined;
  const levels = { public: publicLevel, members: membersLevel };
  const accessLog: AccessLog = { log, meter, clock, level: server.log };
  const isStopping = (): boolean => !accepting;
  const authenticator = createAuthenticator(access, { clock, log });
  const servedResources = createServedResources(config, {
    backends: { public: publicLevel.backend, members: membersLevel?.backend },
    gatewayName: name,
    clock,
  });
  const { renderCache } = publicLevel;
  const responseCache = new ResponseCache({
    renderCache,
    changeCounter: publicLevel.backend.changeCounter,
    gatewayName: name,
    accessLog,
    readRepresentation: createRepresentationKeyReader(servedResources),
    isStopping,
  });
  const listener = createHttpApp({
    resources: servedResources,
    gatewayName: name,
    accessLog,
    admissionControl: createAdmissionControl({ authenticator, server, meter }),
    sendDependencies: { renderCache, responseCache, clock, vary: formatVary(authenticator !== undefined) },
    isStopping,
    maxBodyBytes: server.limits.body,
  });
  return {
    listener,
    accessLog,
    servedResources,
    sources: publicLevel.sources,
    sourcesAt: (level) => levels[level]?.sources,
    warmUp: () => warmUp(publicLevel.sources, server.deadline),
    warmUpMembers: () => warmUp(membersLevel?.sources ?? [], server.deadline),
    closeConnectionsAfterResponse: () => {
      accepting = false;
    },
    stopBackgroundWork: () => {
      stopController.abort(new DOMException('the process stops', 'AbortError'));
    },
  };
}

async function warmUp(sources: readonly Source[], deadline: number): Promise<void> {
  const signal = createDeadlineSignal(deadline);
  await Promise.all(sources.flatMap((source) => SERVED_RESOURCES.map((resource) => source.warmUp(resource, signal))));
}

/** Whether a client can have members access: by a configured key, or by a token. */
function canGrantMembersAccess({ clients, issuer }: Config['access']): boolean {
  return issuer !== undefined || clients.some(({ access }) => access === 'members');
}

/** What both access levels are built from. */
interface LevelOptions {
  readonly config: Config;
  readonly dependencies: AppDependencies;
  readonly gatewayName: string;
  readonly stop: AbortSignal;
  /** Bytes of memory of one level (decisions 7.16). */
  readonly memory: number;
  /** Called when more than half of a level's cache comes into use, and when that ends. */
  readonly onHalfFull: (level: AccessLevel, isHalfFull: boolean) => void;
}

/**
 * Divides `cache.memory` equally. Members data must not evict public data: the responses to the public would show it
 * (decisions 7.16).
 */
function shareMemory(
  { cache, access }: Config,
  notify: AppDependencies['onHalfFull'] = () => undefined,
): Pick<LevelOptions, 'memory' | 'onHalfFull'> {
  const halfFullLevels = new Set<AccessLevel>();
  return {
    memory: canGrantMembersAccess(access) ? cache.memory / 2 : cache.memory,
    onHalfFull: (level, isHalfFull) => {
      const before = halfFullLevels.size > 0;
      if (isHalfFull) halfFullLevels.add(level);
      else halfFullLevels.delete(level);
      const after = halfFullLevels.size > 0;
      if (after !== before) notify(after);
    },
  };
}

/** The sources, caches and limits of one access level. Two levels share nothing but threads and connections. */
interface Level {
  readonly backend: QueryBackend;
  readonly renderCache: RenderCache;
  /** Ordered by number. */
  readonly sources: readonly Source[];
}

function createLevel(access: AccessLevel, options: LevelOptions): Level {
  const { config, dependencies, gatewayName, stop, memory, onHalfFull } = options;
  const { clock, log, historyStore, meter = noMeter, random = Math.random } = dependencies;
  // The levels of the cache are evicted in this order (decisions 7.16).
  const maxBytes = maxCacheBytes(memory);
  const budget = new MemoryBudget(maxBytes, (isHalfFull) => {
    onHalfFull(access, isHalfFull);
  });
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
    log: access === 'public' ? log : withLogFields(log, { access }),
    meter: meter.forAccess(access),
    gatewayName,
    random,
    // Nothing that depends on members data is stored on disk (decisions 7.16).
    ...(historyStore && access === 'public' && { historyStore }),
    maxDrainBytes: maxBytes / MEMORY_PER_JSON_BYTE,
    maxLargeListBytes: memory * LARGE_LIST_MEMORY_SHARE,
    largeDrainLimiter: createLimiter(1 / LARGE_LIST_MEMORY_SHARE),
    keyReader: dependencies.keyReader,
    stop,
  };
  const sources = createSources(access, { config, services, dependencies });
  const gateway = new Gateway(sources, mergedLists, clock, config.server.deadline);
  const answers = new AnswerCache({ gateway, mergedLists, changeCounter, clock });
  return {
    sources,
    renderCache,
    backend: {
      answerQuery: (query, itemId, queryOptions) =>
        itemId === undefined ? answers.getList(query, queryOptions) : answers.getItem(query, itemId, queryOptions),
      changeCounter,
      recordCache,
    },
  };
}

type ServedResourceDependencies = Pick<ListOptions, 'backends' | 'gatewayName' | 'clock'>;

function createServedResources(
  config: Config,
  dependencies: ServedResourceDependencies,
): [ServedResource, ...ServedResource[]] {
  const [first, ...others] = SERVED_RESOURCES;
  return [
    createServedResource(first, config, dependencies),
    ...others.map((resource) => createServedResource(resource, config, dependencies)),
  ];
}

function createServedResource(
  resource: Resource,
  config: Config,
  dependencies: ServedResourceDependencies,
): ServedResource {
  const { server, access } = config;
  const [servedInterface, basePath] =
    resource.interfaceName === 'data' ? [dataInterface, server.dataPath] : [directoryInterface, server.directoryPath];
  const vocabulary = { resource, ...createVocabularyNames(config) };
  const item = resource === newsItem;
  const envelope = server.envelope[resource.interfaceName];
  return {
    basePath,
    options: {
      servedInterface,
      rules: { vocabulary, limit: server.limit, envelope, scopeAccess: access.scopes, item },
      publicUrl: server.publicUrl ?? '',
      ...dependencies,
    },
  };
}

interface SourceDependencies {
  readonly config: Config;
  readonly services: SourceServices;
  readonly dependencies: AppDependencies;
}

function createSources(access: AccessLevel, { config, services, dependencies }: SourceDependencies): readonly Source[] {
  const { transport, observeSource, bodyParser } = dependencies;
  const sharedLimit = createLimiter(config.server.concurrency);
  return config.sources.map((source) => {
    const settings = createSourceSettings(source, config, access);
    const { code, timeout, maxBody, concurrency, breaker, retries } = source;
    const observer = observeSource?.(code);
    services.meter.recordSuspension(code, false);
    const fetch = createSourceClient({
      transport,
      requestObserver: observer?.requestLayer,
      credential: source.credentials[settings.upstreamAccess],
      clock: services.clock,
      bodyParser,
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
    return new Source(settings, observer?.responseLayer(fetch) ?? fetch, services);
  });
}

/** Builds the registration of a source at an access level (operation 2.8; decisions 8.3). */
export function createSourceSettings(
  source: SourceConfig,
  { sources: all, access: { scopes } }: Pick<Config, 'sources' | 'access'>,
  access: AccessLevel,
): SourceSettings {
  const others = all.filter((other) => other !== source);
  const { number, sourceName, site, aggregate, directory, data, credentials } = source;
  const upstreamAccess = access === 'members' && credentials.members !== undefined ? 'members' : 'public';
  return {
    ...source,
    access,
    upstreamAccess,
    showsDerivedKeys: isAccessSufficient(access, scopes.pgp),
    ...(upstreamAccess === 'members' && { staleIfError: source.staleIfErrorMembers }),
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
