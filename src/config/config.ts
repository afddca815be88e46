import type { AccessLevel } from '../model/access-level.js';
import type { LogLevel } from '../model/log.js';
import type { SourceCapabilities } from '../model/registration/capability.js';
import type { PublishedDocument } from '../model/registration/document-mapping.js';
import type { RegisteredFeed } from '../model/registration/published-feed.js';
import type { TeamScope } from '../model/query.js';
import type { SourceConnection } from '../model/registration/source-connection.js';
import type { SourceCredentials } from '../model/registration/source-credential.js';

/** All defaults are applied (operation 2). Durations are in milliseconds, sizes in bytes. */
export interface Config {
  readonly server: ServerConfig;
  readonly admin: AdminConfig;
  readonly cache: {
    /** For all cached data together (operation 2.5.1). */
    readonly memory: number;
    /**
     * Preserves validators across restarts, relative to the working directory; undefined: not preserved (operation
     * 2.5.2).
     */
    readonly state: string | undefined;
    /** Folder of public snapshots, relative as `state`; undefined: none (operation 2.5.3). */
    readonly disk: string | undefined;
    /** Address of the memory that several instances share; undefined: none (operation 2.5.4). */
    readonly redis: string | undefined;
    /** Authenticates and encrypts what is stored there; undefined: none. */
    readonly redisKey: string | undefined;
  };
  readonly access: AccessConfig;
  /** Loopback ports of sample repositories, by name (operation 2.9). */
  readonly samples: ReadonlyMap<string, number>;
  /** Ordered by number; at least one. */
  readonly sources: readonly SourceConfig[];
}

/** (operation 2.6; decisions 8) */
export interface AccessConfig {
  /** The level that each scope needs (operation 2.6.1). */
  readonly scopes: Readonly<Record<TeamScope, AccessLevel>>;
  /** A client may have two keys, which are two entries with the same name (operation 2.6.2). */
  readonly clients: readonly ClientKeyConfig[];
  /** Its tokens are accepted; undefined: none (operation 2.6.3). */
  readonly issuer: IssuerConfig | undefined;
}

export interface ClientKeyConfig {
  readonly name: string;
  /** 64 hexadecimal digits in lower case. */
  readonly keySha256: string;
  readonly access: AccessLevel;
  /** From this time the key is refused, in milliseconds since 1970; undefined: never. */
  readonly expires: number | undefined;
  /** Undefined: no limit. */
  readonly rate: RateConfig | undefined;
}

export interface IssuerConfig {
  /** An absolute http(s) URL, exactly as tokens name it in `iss`. */
  readonly url: string;
  readonly audience: string;
  /** Signature algorithms, such as `RS256`; never empty, never `none` or a symmetric one. */
  readonly algorithms: readonly string[];
  /** Claims with their values that a token must have for members access; never empty. */
  readonly membersClaim: ReadonlyMap<string, string>;
  /** Of each subject; undefined: no limit. */
  readonly rate: RateConfig | undefined;
}

/** At most `requests` requests in any window of `period` milliseconds (operation 2.2). */
export interface RateConfig {
  readonly requests: number;
  readonly period: number;
}

/** With port 0 the operating system assigns a free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** (operation 2.4) */
export interface AdminConfig extends ListenAddress {
  /** What `/readyz` depends on: `data` includes the listeners (operation 2.4.1). */
  readonly ready: 'listeners' | 'data';
  /**
   * Hash of the operator's key, 64 hexadecimal digits in lower case; undefined: there are no actions (operation 2.4.2).
   */
  readonly keySha256: string | undefined;
}

/** The public port and responses (operation 2.3). */
export interface ServerConfig extends ListenAddress {
  /** A token for `Via` (decisions 5.22); undefined: not configured. */
  readonly name: string | undefined;
  /** An absolute http(s) URL for `Link`, without a slash at the end; undefined: links are relative. */
  readonly publicUrl: string | undefined;
  /** The pages for browsers (operation 2.3.11). */
  readonly explorer: { readonly enabled: boolean };
  /** Records in a response: without a `limit` parameter, and at most. `default` does not exceed `max`. */
  readonly limit: { readonly default: number; readonly max: number };
  /** Milliseconds from a request to the end of its response (operation 2.3.5). */
  readonly deadline: number;
  /** Requests to log (operation 5.2). */
  readonly log: 'none' | 'errors' | 'all';
  /** The least severe level (operation 2.3.8). */
  readonly logLevel: LogLevel;
  /** Requests in progress at all sources together (operation 2.3.7). */
  readonly concurrency: number;
  /** Proxies whose `X-Forwarded-For` is trusted (operation 2.3.10). */
  readonly trustProxy: readonly string[];
  readonly limits: ServerLimits;
}

export interface ServerLimits {
  /** Further connections are closed at once. */
  readonly connections: number;
  readonly body: number;
  /** Of one address without credentials; undefined: no limit. */
  readonly rate: RateConfig | undefined;
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

/** `defaults` are applied (operation 2.8). Durations are in milliseconds. */
export interface SourceConfig {
  /** `[a-z][a-z0-9-]*`; unique. */
  readonly code: string;
  /** 1 to 999; unique and permanent. */
  readonly number: number;
  /** Unique as folded text. */
  readonly sourceName: string;
  /** Relative links are resolved against this absolute http(s) URL. */
  readonly site: string | undefined;
  readonly origin: SourceOrigin;
  /** By path; by default all that the source has (operation 2.8.2). */
  readonly resources: readonly ('teams' | 'news' | 'channels')[];
  /** No list is returned without this source (decisions 6.5). */
  readonly required: boolean;
  /** The source is itself a meta-directory (decisions 1.1). */
  readonly aggregate: boolean;
  /** Further codes whose `-<code>-…` properties the source may send. */
  readonly prefixes: readonly string[];
  /** Alpha-2, upper case; empty: any country (operation 2.8.6). */
  readonly coverage: { readonly countries: readonly string[] };
  /** Further names for `fields`, `sort` and filters (operation 2.8.5). */
  readonly properties: readonly string[];
  /**
   * Defects that leave the source fresh: it miscounts (`total`), changes while it is drained (`drift`), or has a
   * property that only looks like further pages (`paging`) (operation 2.8.7).
   */
  readonly tolerates: readonly ('total' | 'drift' | 'paging')[];
  /** Public team records carry all PGP keys, so that `scope=pgp` is never requested (operation 2.8.8). */
  readonly allKeysPublic: boolean;
  readonly ttl: number;
  /** Beyond the freshness, while a refresh runs; 0: none. */
  readonly staleWhileRevalidate: number;
  /** Beyond the freshness, while the source fails. */
  readonly staleIfError: number;
  /** Of this gateway at the source (operation 2.8.12). */
  readonly credentials: SourceCredentials;
  readonly connection: SourceConnection;
  /** Of each request, by name in lower case (operation 2.8.18). */
  readonly headers: Readonly<Record<string, string>>;
  /** A sudden decrease of records must persist for this time before it is accepted (decisions 6.11). */
  readonly confirmShrink: number;
  readonly timeout: number;
  /** After failures that may be transient (operation 2.7.8). */
  readonly retries: number;
  /** Consecutive failures that suspend the source, and time until one trial request (operation 2.7.12). */
  readonly breaker: { readonly failures: number; readonly cooldown: number };
  readonly concurrency: number;
  readonly pageSize: number;
  /** Records of one resource up to which the source is always drained (operation 2.7.10). */
  readonly drainThreshold: number;
  /** By path of the resource (operation 2.8.9). */
  readonly supports: SourceCapabilities;
  readonly maxBody: number;
}
