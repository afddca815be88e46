import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createAuthenticator } from './access/authenticator.js';
import { createClientAddressReader } from './access/client-address.js';
import { createLevel } from './composition/create-level.js';
import type { LevelOptions } from './composition/create-level.js';
import type { ReplaceableApp } from './composition/continue-after-reload.js';
import type { AppDependencies, LevelWorkers } from './composition/app-dependencies.js';
import { canBeProbed, probeSource } from './composition/examination-options.js';
import type { ExaminedSourceOptions } from './composition/examination-options.js';
import { createServedResources } from './composition/create-served-resources.js';
import { createWarmUp } from './composition/warm-up.js';
import type { WarmUp } from './composition/warm-up.js';
import type { Config } from './config/config.js';
import type { Publish } from './events/event.js';
import { endSpan } from './events/spans.js';
import { createDescriptionRoute } from './openapi/openapi-route.js';
import type { DescriptionOptions } from './openapi/create-openapi.js';
import { createExplorer } from './explorer/explorer.js';
import type { Explorer } from './explorer/explorer.js';
import type { ReadKeys } from './source/keys/key-views.js';
import { createAdmissionControl } from './http/admission-control.js';
import { ResponseCache } from './http/cache/response-cache.js';
import { createHttpApp } from './http/express-app.js';
import type { AccessLog } from './http/log/access-log.js';
import { DOCS_PATH, createDescriptionLinks } from './http/representation/description-links.js';
import { createRepresentationKeyReader } from './http/representation-key-reader.js';
import { formatVary } from './http/request/response-format.js';
import type { ServedResource } from './http/operations/served-resource.js';
import type { AccessLevel } from './model/access-level.js';
import type { ProbeReport } from './probe/probe.js';
import { allowManyListeners } from './source/client/timeout.js';
import type { Source } from './lists/source/source.js';

/** Without its listeners. */
export interface App extends ReplaceableApp, WarmUp {
  readonly listener: RequestListener;
  readonly accessLog: AccessLog;
  readonly servedResources: readonly ServedResource[];
  /** At public access, ordered by number. */
  readonly sources: readonly Source[];
  /** Ordered by number; undefined where no client can have the level. */
  sourcesAt(access: AccessLevel): readonly Source[] | undefined;
  /** Undefined if no source has the code, or it is a document (operation 3.5). */
  probeSource(code: string): Promise<ProbeReport> | undefined;
  /** From now on (operation 6.3). */
  closeConnectionsAfterResponse(): void;
  stopBackgroundWork(): void;
}

/** Every part gets its dependencies here and creates none itself. */
export function createApp(config: Config, dependencies: AppDependencies): App {
  const { clock, publish: publishToCaller = () => undefined, tracer, rateLimitStore } = dependencies;
  const { server, access } = config;
  const gatewayName = server.name ?? dependencies.unnamedGateway ?? `rollcall-${randomBytes(4).toString('hex')}`;
  const publish: Publish = (event) => {
    if (tracer !== undefined) endSpan(event);
    publishToCaller(event);
  };
  const [stopController, replacement] = [new AbortController(), new AbortController()];
  let accepting = true;
  const levelOptions: LevelOptions = {
    config,
    dependencies,
    publish,
    gatewayName,
    stop: allowManyListeners(stopController.signal),
    replaced: replacement.signal,
    memory: shareMemory(config),
  };
  const publicLevel = createLevel('public', levelOptions);
  const membersLevel = canGrantMembersAccess(access) ? createLevel('members', levelOptions) : undefined;
  const levels = { public: publicLevel, members: membersLevel };
  const accessLog: AccessLog = { publish, clock, level: server.log, tracer };
  const isStopping = (): boolean => !accepting;
  const authenticator = createAuthenticator(access, { clock, publish });
  const admissionControl =
    dependencies.continuedAdmissionControl ??
    createAdmissionControl({ authenticator, server, publish, rateLimitStore });
  const servedResources = createServedResources(config, {
    backends: { public: publicLevel.backend, members: membersLevel?.backend },
    gatewayName,
    clock,
  });
  const { renderCache } = publicLevel;
  const descriptionLinks = createDescriptionLinks(server.publicUrl ?? '', server.explorer.enabled);
  const responseCache = new ResponseCache({
    renderCache,
    changeCounter: publicLevel.backend.changeCounter,
    gatewayName,
    accessLog,
    readRepresentation: createRepresentationKeyReader(servedResources, descriptionLinks),
    isStopping,
  });
  const description: DescriptionOptions = {
    servedResources,
    version: dependencies.version ?? 'unknown',
    ...describeServer(config),
    acceptsCredentials: authenticator !== undefined,
  };
  const explorer = server.explorer.enabled ? createConfiguredExplorer(config, dependencies, description) : undefined;
  const listener = createHttpApp({
    resources: servedResources,
    pages: [createDescriptionRoute(description, clock), ...(explorer?.routes ?? [])],
    gatewayName,
    accessLog,
    admissionControl,
    readClientAddress: createClientAddressReader(server.trustProxy),
    sendDependencies: {
      renderCache,
      responseCache,
      clock,
      vary: formatVary(authenticator !== undefined),
      descriptionLinks,
    },
    isStopping,
  });
  return {
    config,
    levels,
    admissionControl,
    listener,
    accessLog,
    servedResources,
    sources: publicLevel.sources,
    sourcesAt: (level) => levels[level]?.sources,
    ...createWarmUp(config, levels, explorer),
    probeSource: createSourceProbe(config, { ...dependencies, gatewayName, signal: levelOptions.stop }),
    closeConnectionsAfterResponse: () => {
      accepting = false;
    },
    markReplaced: () => {
      replacement.abort();
    },
    stopBackgroundWork: () => {
      stopController.abort(new DOMException('the process stops', 'AbortError'));
    },
  };
}

function describeServer(
  config: Config,
): Pick<DescriptionOptions, 'publicUrl' | 'docsPath' | 'verifiesTokens' | 'limitsRates'> {
  const { server, access } = config;
  return {
    publicUrl: server.publicUrl ?? '',
    docsPath: server.explorer.enabled ? DOCS_PATH : undefined,
    verifiesTokens: access.issuer !== undefined,
    limitsRates: isRateLimited(config),
  };
}

function createConfiguredExplorer(
  { server }: Config,
  { explorerAssets, workers, getLocalOrigin }: AppDependencies,
  description: DescriptionOptions,
): Explorer {
  return createExplorer({
    description,
    getOrigin: () => server.publicUrl ?? getLocalOrigin?.() ?? `http://localhost:${server.port}`,
    assets: explorerAssets,
    readKeys: workers && createKeyDetailsReader(workers.public),
  });
}

function createSourceProbe(config: Config, options: ExaminedSourceOptions): App['probeSource'] {
  return (code) => {
    const source = config.sources.find((one) => one.code === code && canBeProbed(one));
    return source && probeSource(source, config, options);
  };
}

function createKeyDetailsReader({ keyReader }: LevelWorkers): ReadKeys | undefined {
  return keyReader && ((texts) => keyReader.read(texts, { depth: 'details' }));
}

/** (decisions 8.9) */
function isRateLimited({ server, access }: Config): boolean {
  const limits = [server.limits.rate, access.issuer?.rate, ...access.clients.map(({ rate }) => rate)];
  return limits.some((rate) => rate !== undefined);
}

function canGrantMembersAccess({ clients, issuer }: Config['access']): boolean {
  return issuer !== undefined || clients.some(({ access }) => access === 'members');
}

/**
 * Divides `cache.memory` equally. Members data must not evict public data: public responses would show it (decisions
 * 7.16).
 */
function shareMemory({ cache, access }: Config): number {
  return canGrantMembersAccess(access) ? cache.memory / 2 : cache.memory;
}
