import type {
  AccessConfig,
  AdminConfig,
  ClientKeyConfig,
  Config,
  IssuerConfig,
  ServerConfig,
  ServerLimits,
} from '../../config/config.js';
import type { DocumentNode } from '../../model/document-node.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { maskSource } from './masked-source.js';
import { maskUrl, maskValue, showDuration, showRate, showSize, toSettings } from './masked-values.js';
import type { ShownSettings } from './masked-values.js';

/**
 * The configuration in force, by the names of the configuration file, without its secrets (operation 3.7).
 * `ShownSettings` makes the compiler refuse a new setting that is not listed here.
 */
export function maskConfig({
  server,
  admin,
  cache,
  access,
  samples,
  sources,
}: Config): ReadonlyMap<string, DocumentNode> {
  return toSettings({
    server: maskServer(server),
    admin: maskAdmin(admin),
    cache: maskCache(cache),
    access: maskAccess(access),
    samples: new Map(samples),
    sources: new Map(sources.map((source) => [source.code, maskSource(source)])),
  } satisfies ShownSettings<Config>);
}

function maskCache({ memory, state, disk, redis, redisKey }: Config['cache']): DocumentNode {
  return toSettings({
    memory: showSize(memory),
    state,
    disk,
    redis: redis && maskUrl(redis),
    redisKey: redisKey && maskValue(redisKey),
  } satisfies ShownSettings<Config['cache']>);
}

function maskServer({ publicUrl, explorer, limit, limits, ...server }: ServerConfig): DocumentNode {
  return toSettings({
    name: server.name,
    host: server.host,
    port: server.port,
    publicUrl: publicUrl && maskUrl(publicUrl),
    explorer: toSettings({ enabled: explorer.enabled }),
    limit: toSettings({ default: limit.default, max: limit.max }),
    limits: toSettings({
      connections: limits.connections,
      body: showSize(limits.body),
      rate: showRate(limits.rate),
    } satisfies ShownSettings<ServerLimits>),
    deadline: showDuration(server.deadline),
    log: server.log,
    logLevel: server.logLevel,
    concurrency: server.concurrency,
    trustProxy: server.trustProxy,
  } satisfies ShownSettings<ServerConfig>);
}

function maskAdmin({ host, port, ready, keySha256 }: AdminConfig): DocumentNode {
  return toSettings({ host, port, ready, keySha256: maskValue(keySha256) } satisfies ShownSettings<AdminConfig>);
}

function maskAccess({ scopes, clients, issuer }: AccessConfig): DocumentNode {
  return toSettings({
    scopes: new Map(Object.entries(scopes)),
    clients: clients.map(maskClient),
    issuer: issuer && maskIssuer(issuer),
  } satisfies ShownSettings<AccessConfig>);
}

function maskClient({ name, keySha256, access, expires, rate }: ClientKeyConfig): DocumentNode {
  return toSettings({
    name,
    keySha256: maskValue(keySha256),
    access,
    expires: expires === undefined ? undefined : formatIsoTimestamp(expires),
    rate: showRate(rate),
  } satisfies ShownSettings<ClientKeyConfig>);
}

function maskIssuer({ url, audience, algorithms, membersClaim, rate }: IssuerConfig): DocumentNode {
  return toSettings({
    url: maskUrl(url),
    audience,
    algorithms,
    membersClaim,
    rate: showRate(rate),
  } satisfies ShownSettings<IssuerConfig>);
}
