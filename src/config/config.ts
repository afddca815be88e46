import type { TeamScope } from '../model/query.js';
import type { AccessLevel } from '../model/access-level.js';
import type { PublishedDocument } from '../model/registration/document-mapping.js';
import type { RegisteredFeed } from '../model/registration/published-feed.js';
import type { ProxySettings, SourceConnection } from '../model/registration/source-connection.js';
import type { SourceCredential, SourceCredentials } from '../model/registration/source-credential.js';
import { defaultScopeAccess } from '../model/resources/team-scopes.js';
import { buildDocument } from './build-document.js';
import type { TlsFiles } from './rules/connection-rules.js';
import type { ConfigFile, RegisteredSource } from './schema/config-file.js';

type Immutable<T> = T extends object ? { readonly [Name in keyof T]: Immutable<T[Name]> } : T;
type Settings = Immutable<ConfigFile>;

export type ServerConfig = Settings['server'];
export type AdminConfig = Settings['admin'];
export type ClientKeyConfig = Settings['access']['clients'][number];
export type RateConfig = NonNullable<ServerConfig['limits']['rate']>;

/** With port 0 the operating system assigns a free port. */
export type ListenAddress = Pick<ServerConfig, 'host' | 'port'>;

export interface IssuerConfig extends Omit<NonNullable<Settings['access']['issuer']>, 'membersClaim'> {
  /** Claims with their values that a token must have for members access; never empty. */
  readonly membersClaim: ReadonlyMap<string, string>;
}

/** (operation 2.6; decisions 8) */
export interface AccessConfig extends Pick<Settings['access'], 'clients'> {
  /** The level that each scope needs (operation 2.6.1). */
  readonly scopes: Readonly<Record<TeamScope, AccessLevel>>;
  /** Its tokens are accepted; undefined: none (operation 2.6.3). */
  readonly issuer: IssuerConfig | undefined;
}

/** The settings with what follows from them (operation 2). Durations are in milliseconds, sizes in bytes. */
export interface Config extends Pick<Settings, 'server' | 'admin' | 'cache'> {
  readonly access: AccessConfig;
  /** Loopback ports of sample repositories, by name (operation 2.9). */
  readonly samples: ReadonlyMap<string, number>;
  /** Ordered by number; at least one. */
  readonly sources: readonly SourceConfig[];
}

/**
 * Where the records of a source come from: its interfaces, with base addresses that are absolute http(s) URLs without a
 * slash at the end; or in their place a published document with teams or news (operation 2.8.16), or news feeds, each
 * with its own address (operation 2.8.17).
 */
export type SourceOrigin =
  | { readonly kind: 'directory'; readonly directory: string }
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'both'; readonly directory: string; readonly data: string }
  | { readonly kind: 'document'; readonly document: PublishedDocument }
  | { readonly kind: 'feed'; readonly feeds: readonly RegisteredFeed[] };

type SettingsInOtherForm = 'directory' | 'data' | 'document' | 'feed' | 'tls' | 'proxy' | 'credentials' | 'sourceName';

/** With the `defaults` of all sources (operation 2.8). */
export interface SourceConfig
  extends Omit<Immutable<RegisteredSource>, SettingsInOtherForm | keyof Settings['defaults']>, DefaultSettings {
  /** `[a-z][a-z0-9-]*`; unique. */
  readonly code: string;
  /** Unique as folded text. */
  readonly sourceName: string;
  readonly origin: SourceOrigin;
  /** Of this gateway at the source (operation 2.8.12). */
  readonly credentials: SourceCredentials;
  readonly connection: SourceConnection;
}

type DefaultSettings = Settings['defaults'];

export interface Surroundings {
  /** Paths of published documents are relative to it. */
  readonly folder: string;
  readonly tlsFiles: readonly TlsFiles[];
  /** Of sources without the setting `proxy`; undefined: none. */
  readonly proxies: ProxySettings | undefined;
}

/** Of a valid file. */
export function completeConfig(file: ConfigFile, surroundings: Surroundings): Config {
  const { server, admin, cache, access, samples, defaults, sources } = file;
  const { clients, scopes, issuer } = access;
  const completed = Object.entries(sources).map(([code, source]) =>
    completeSource(code, { ...defaults, ...source }, surroundings),
  );
  return {
    ...{ server, admin, cache, samples: new Map(Object.entries(samples)) },
    access: {
      clients,
      scopes: { ...defaultScopeAccess, ...scopes },
      issuer: issuer && { ...issuer, membersClaim: new Map(Object.entries(issuer.membersClaim)) },
    },
    sources: completed.sort((a, b) => a.number - b.number),
  };
}

/** As many records as a drain may have (decisions 5.8): documents and feeds are always read as a whole. */
const WHOLE_DRAIN_THRESHOLD = 1_000_000;

type Completed = RegisteredSource & DefaultSettings;

function completeSource(code: string, source: Completed, { folder, tlsFiles, proxies }: Surroundings): SourceConfig {
  const { directory, data, document, feed, tls, proxy, credentials, ...settings } = source;
  const origin = chooseOrigin({ directory, data, document, feed }, folder);
  const isReadAsWhole = origin.kind === 'document' || origin.kind === 'feed';
  const hasTls = Object.values(tls).some((file) => file !== undefined);
  return {
    ...settings,
    ...{ code, origin, sourceName: settings.sourceName ?? code },
    resources: chooseResources(source, origin),
    credentials: {
      ...(credentials.public && { public: toCredential(credentials.public) }),
      ...(credentials.members && { members: toCredential(credentials.members) }),
    },
    headers: Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value])),
    connection: {
      tls: hasTls ? tlsFiles.find((files) => files.code === code)?.contents : undefined,
      proxies: chooseProxies(proxy, proxies),
    },
    // A document is one list, with all keys that it has (decisions 4.27.3). A feed has none.
    allKeysPublic: settings.allKeysPublic || isReadAsWhole,
    drainThreshold: isReadAsWhole ? WHOLE_DRAIN_THRESHOLD : settings.drainThreshold,
  };
}

type OriginSettings = Pick<RegisteredSource, 'directory' | 'data' | 'document' | 'feed'>;

function chooseOrigin({ directory, data, document, feed }: OriginSettings, folder: string): SourceOrigin {
  if (document !== undefined) return { kind: 'document', document: buildDocument(document, folder) };
  if (feed !== undefined) return { kind: 'feed', feeds: feed.map(({ url, title }) => ({ url, title })) };
  if (directory !== undefined && data !== undefined) return { kind: 'both', directory, data };
  if (data !== undefined) return { kind: 'data', data };
  if (directory !== undefined) return { kind: 'directory', directory };
  throw new Error('a valid source has an interface, a document or a feed');
}

/** The stated resources, else all that the interfaces, document or feeds have (operation 2.8.2). */
function chooseResources({ resources, document }: RegisteredSource, { kind }: SourceOrigin): SourceConfig['resources'] {
  if (document !== undefined) return [document.resource];
  if (kind === 'feed') return ['news', 'channels'];
  if (resources.length > 0) return resources;
  return kind === 'directory' ? ['teams'] : ['teams', 'news', 'channels'];
}

/** By the setting, or else by the environment; undefined: none. */
function chooseProxies(proxy: string | undefined, ofEnvironment: ProxySettings | undefined): ProxySettings | undefined {
  if (proxy === undefined) return ofEnvironment;
  return proxy === 'none' ? undefined : { http: proxy, https: proxy, noProxy: '' };
}

function toCredential(form: NonNullable<RegisteredSource['credentials']['public']>): SourceCredential {
  const { bearer: token, basic: userPassword, header, query } = form;
  if (token !== undefined) return { kind: 'bearer', token };
  if (userPassword !== undefined) return { kind: 'basic', userPassword };
  if (header !== undefined) return { kind: 'header', ...header };
  if (query !== undefined) return { kind: 'query', ...query };
  throw new Error('a valid credential has exactly one form');
}
