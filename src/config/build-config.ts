import type {
  AccessConfig,
  AdminConfig,
  Config,
  IssuerConfig,
  ServerConfig,
  SourceConfig,
  SourceOrigin,
} from './config.js';
import type { SourceCapabilities } from '../model/registration/capability.js';
import { defaultScopeAccess } from '../model/resources/team-scopes.js';
import type { SourceCredential, SourceCredentials } from '../model/registration/source-credential.js';
import { buildDocument } from './document/build-document.js';
import type { ProxySettings, SourceConnection } from '../model/registration/source-connection.js';
import { chooseProxies } from './connection/proxies.js';
import type { TlsFiles } from './connection/tls-files.js';
import type { ConfigDocument } from './schema/config-file-schema.js';

export interface ConfigSurroundings {
  /** Paths of published documents are relative to it. */
  readonly folder: string;
  /** PEM files by the code of the source. */
  readonly tlsFiles: ReadonlyMap<string, TlsFiles['contents']>;
  /** Of sources without the setting `proxy`; undefined: none. */
  readonly proxies: ProxySettings | undefined;
}

/** A setting that a source omits comes from `defaults` (operation 2.7). */
export function buildConfig(document: ConfigDocument, surroundings: ConfigSurroundings): Config {
  const { admin, cache, access, samples, defaults, sources } = document;
  return {
    server: buildServerConfig(document.server),
    admin: buildAdminConfig(admin),
    cache: buildCacheConfig(cache),
    access: buildAccessConfig(access),
    samples: new Map(Object.entries(samples)),
    sources: Object.entries(sources)
      .map(([code, source]) => buildSourceConfig([code, source], defaults, surroundings))
      .sort((a, b) => a.number - b.number),
  };
}

function buildCacheConfig({ 'redis-key': redisKey, ...cache }: ConfigDocument['cache']): Config['cache'] {
  const { memory, state, disk, redis } = cache;
  return { memory, state, disk, redis, redisKey };
}

function buildAdminConfig({ 'key-sha256': keySha256, ...address }: ConfigDocument['admin']): AdminConfig {
  return { ...address, keySha256 };
}

function buildServerConfig(server: ConfigDocument['server']): ServerConfig {
  const {
    name,
    'public-url': publicUrl,
    'log-level': logLevel,
    'trust-proxy': trustProxy,
    limits: { connections, body, rate },
    ...rest
  } = server;
  return { ...rest, name, publicUrl, logLevel, trustProxy, limits: { connections, body, rate } };
}

function buildAccessConfig({ scopes, clients, issuer }: ConfigDocument['access']): AccessConfig {
  const { pgp, minimal, country } = defaultScopeAccess;
  return {
    scopes: {
      ...defaultScopeAccess,
      pgp: scopes.pgp ?? pgp,
      minimal: scopes.minimal ?? minimal,
      country: scopes.country ?? country,
    },
    clients: clients.map(({ name, 'key-sha256': keySha256, access, expires, rate }) => {
      return { name, keySha256, access, expires, rate };
    }),
    issuer: issuer && buildIssuerConfig(issuer),
  };
}

function buildIssuerConfig(issuer: NonNullable<ConfigDocument['access']['issuer']>): IssuerConfig {
  const { url, audience, algorithms, 'members-claim': membersClaim, rate } = issuer;
  return { url, audience, algorithms, membersClaim: new Map(Object.entries(membersClaim)), rate };
}

type SourceDocument = ConfigDocument['sources'][string];

function buildOrigin({ directory, data, document, feed }: SourceDocument, folder: string): SourceOrigin {
  if (document !== undefined) return { kind: 'document', document: buildDocument(document, folder) };
  if (feed !== undefined) return { kind: 'feed', feeds: feed.map(({ url, title }) => ({ url, title })) };
  if (directory !== undefined && data !== undefined) return { kind: 'both', directory, data };
  if (data !== undefined) return { kind: 'data', data };
  if (directory !== undefined) return { kind: 'directory', directory };
  throw new Error('a valid source has an interface, a document or a feed');
}

/** The stated resources, else all that the interfaces, document or feeds have (operation 2.8.2). */
function buildResources({ resources, document }: SourceDocument, { kind }: SourceOrigin): SourceConfig['resources'] {
  if (document !== undefined) return [document.resource];
  if (kind === 'feed') return ['news', 'channels'];
  if (resources.length > 0) return resources;
  return kind === 'directory' ? ['teams'] : ['teams', 'news', 'channels'];
}

/** As many records as a drain may have (decisions 5.8): documents and feeds are always read as a whole. */
const WHOLE_DRAIN_THRESHOLD = 1_000_000;

function buildSourceConfig(
  [code, source]: readonly [string, SourceDocument],
  defaults: ConfigDocument['defaults'],
  surroundings: ConfigSurroundings,
): SourceConfig {
  const origin = buildOrigin(source, surroundings.folder);
  const isReadAsWhole = origin.kind === 'document' || origin.kind === 'feed';
  return {
    code,
    number: source.number,
    sourceName: source['source-name'] ?? code,
    site: source.site,
    origin,
    resources: buildResources(source, origin),
    required: source.required,
    aggregate: source.aggregate,
    prefixes: source.prefixes,
    coverage: { countries: source.coverage.countries },
    properties: source.properties,
    tolerates: source.tolerates,
    // A document is one list, with all keys that it has (decisions 4.27.3). A feed has none.
    allKeysPublic: source['all-keys-public'] || isReadAsWhole,
    ttl: source.ttl ?? defaults.ttl,
    staleWhileRevalidate: source['stale-while-revalidate'] ?? defaults['stale-while-revalidate'],
    staleIfError: source['stale-if-error'] ?? defaults['stale-if-error'],
    credentials: buildCredentials(source.credentials),
    connection: buildConnection([code, source], surroundings),
    headers: buildHeaders(source.headers),
    confirmShrink: source['confirm-shrink'] ?? defaults['confirm-shrink'],
    timeout: source.timeout ?? defaults.timeout,
    retries: source.retries ?? defaults.retries,
    breaker: {
      failures: source.breaker.failures ?? defaults.breaker.failures,
      cooldown: source.breaker.cooldown ?? defaults.breaker.cooldown,
    },
    concurrency: source.concurrency ?? defaults.concurrency,
    pageSize: source['page-size'] ?? defaults['page-size'],
    drainThreshold: isReadAsWhole ? WHOLE_DRAIN_THRESHOLD : (source['drain-threshold'] ?? defaults['drain-threshold']),
    supports: buildSupports(source.supports),
    maxBody: source['max-body'] ?? defaults['max-body'],
  };
}

function buildConnection(
  [code, { tls, proxy }]: readonly [string, ConfigDocument['sources'][string]],
  { tlsFiles, proxies }: ConfigSurroundings,
): SourceConnection {
  const settings = { ...tlsFiles.get(code), serverName: tls['server-name'] };
  const isDefault = Object.values(settings).every((setting) => setting === undefined);
  return { tls: isDefault ? undefined : settings, proxies: chooseProxies(proxy, proxies) };
}

function buildHeaders(headers: Readonly<Record<string, string>>): SourceConfig['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

type ConfiguredCredentials = ConfigDocument['sources'][string]['credentials'];

function buildCredentials({ public: forPublic, members }: ConfiguredCredentials): SourceCredentials {
  const [publicCredential, membersCredential] = [
    forPublic && buildCredential(forPublic),
    members && buildCredential(members),
  ];
  return {
    ...(publicCredential && { public: publicCredential }),
    ...(membersCredential && { members: membersCredential }),
  };
}

/** The schema has checked that there is exactly one form. */
function buildCredential(form: NonNullable<ConfiguredCredentials['public']>): SourceCredential | undefined {
  const { bearer: token, basic: userPassword, header, query } = form;
  if (token !== undefined) return { kind: 'bearer', token };
  if (userPassword !== undefined) return { kind: 'basic', userPassword };
  if (header !== undefined) return { kind: 'header', ...header };
  return query && { kind: 'query', ...query };
}

function buildSupports({ teams, news, channels }: ConfigDocument['sources'][string]['supports']): SourceCapabilities {
  return { ...(teams && { teams }), ...(news && { news }), ...(channels && { channels }) };
}
