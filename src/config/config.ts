import type { AccessLevel } from '../model/access-level.js';
import type { LogLevel } from '../model/log.js';
import type { SourceCapabilities } from '../model/registration/capability.js';
import type { PublishedDocument } from '../model/registration/document-mapping.js';
import type { RegisteredFeed } from '../model/registration/published-feed.js';
import type { TeamScope } from '../model/query.js';
import type { SourceConnection } from '../model/registration/source-connection.js';
import type { SourceCredentials } from '../model/registration/source-credential.js';

/**
 * The effective configuration, with all defaults applied (operation 2). Durations are in milliseconds, sizes in bytes.
 */
export interface Config {
  readonly server: ServerConfig;
  readonly admin: AdminConfig;
  readonly cache: {
    /** Bytes for all cached data together (operation 2.5.1). */
    readonly memory: number;
    /**
     * File that preserves validators across restarts, relative to the working directory; undefined: not preserved
     * (operation 2.5.2).
     */
    readonly state: string | undefined;
    /** Folder that keeps public snapshots across restarts, in the same form; undefined: none (operation 2.5.3). */
    readonly disk: string | undefined;
    /** Address of the Redis server whose memory several instances share; undefined: none (operation 2.5.4). */
    readonly redis: string | undefined;
    /** Secret that authenticates and encrypts what is stored there; undefined: none. */
    readonly redisKey: string | undefined;
  };
  readonly access: AccessConfig;
  /** Names and loopback ports of the sample repositories that this process serves (operation 2.9). */
  readonly samples: ReadonlyMap<string, number>;
  /** Ordered by number; at least one. */
  readonly sources: readonly SourceConfig[];
}

/** Who may have what (operation 2.6; decisions 8). */
export interface AccessConfig {
  /** Access level that each scope needs (operation 2.6.1). */
  readonly scopes: Readonly<Record<TeamScope, AccessLevel>>;
  /** Keys of clients. A client may have two keys, which are two entries with the same name (operation 2.6.2). */
  readonly clients: readonly ClientKeyConfig[];
  /** Issuer whose tokens are accepted; undefined: none (operation 2.6.3). */
  readonly issuer: IssuerConfig | undefined;
}

export interface ClientKeyConfig {
  readonly name: string;
  /** SHA-256 hash of the key, 64 hexadecimal digits in lower case. */
  readonly keySha256: string;
  readonly access: AccessLevel;
  /** Time from which the key is refused, in milliseconds since 1970; undefined: never. */
  readonly expires: number | undefined;
  /** Limit of the client's requests; undefined: none. */
  readonly rate: RateConfig | undefined;
}

/** An OpenID Connect issuer. */
export interface IssuerConfig {
  /** Issuer identifier: an absolute http(s) URL, exactly as tokens name it in `iss`. */
  readonly url: string;
  readonly audience: string;
  /** Names of the accepted signature algorithms, such as `RS256`; never empty, never `none` or a symmetric one. */
  readonly algorithms: readonly string[];
  /** Claims that a token must have for members access, with their values; never empty. */
  readonly membersClaim: ReadonlyMap<string, string>;
  /** Limit of the requests of each subject; undefined: none. */
  readonly rate: RateConfig | undefined;
}

/** A rate limit: at most `requests` requests in any window of `period` milliseconds (operation 2.2). */
export interface RateConfig {
  readonly requests: number;
  readonly period: number;
}

/** Address of a listener; with port 0 the operating system assigns a free port. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Settings of the admin port (operation 2.4). */
export interface AdminConfig extends ListenAddress {
  /** Whether `/readyz` depends on the listeners only, or on the data of the sources too (operation 2.4.1). */
  readonly ready: 'listeners' | 'data';
  /**
   * SHA-256 hash of the key that actions of the operator need, 64 hexadecimal digits in lower case; undefined: there are
   * no actions (operation 2.4.2).
   */
  readonly keySha256: string | undefined;
}

/** Settings of the public port and of responses (operation 2.3). */
export interface ServerConfig extends ListenAddress {
  /** Name of this gateway in `Via`, a token (decisions 5.22); undefined: not configured. */
  readonly name: string | undefined;
  /** Absolute http(s) URL for `Link` headers, without a slash at the end; undefined: links are relative. */
  readonly publicUrl: string | undefined;
  /** Whether the pages for browsers are served (operation 2.3.11). */
  readonly explorer: { readonly enabled: boolean };
  /** Number of records in a response: without a `limit` parameter, and at most. `default` does not exceed `max`. */
  readonly limit: { readonly default: number; readonly max: number };
  /** Milliseconds from a request to the end of its response (operation 2.3.5). */
  readonly deadline: number;
  /** Requests to log (operation 5.2). */
  readonly log: 'none' | 'errors' | 'all';
  /** The least severe level of log lines (operation 2.3.8). */
  readonly logLevel: LogLevel;
  /** Maximum number of requests in progress at all sources together (operation 2.3.7). */
  readonly concurrency: number;
  /** Addresses and subnets of proxies whose `X-Forwarded-For` is trusted (operation 2.3.10). */
  readonly trustProxy: readonly string[];
  readonly limits: ServerLimits;
}

/** Limits of the public port (operation 2.3.1). */
export interface ServerLimits {
  /** Maximum number of open connections; further ones are closed at once. */
  readonly connections: number;
  /** Maximum size of a request body in bytes. */
  readonly body: number;
  /** Limit of the requests of one address without credentials; undefined: none. */
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

/**
 * The registration of one source (operation 2.8), with the settings of `defaults` applied. Durations are in
 * milliseconds.
 */
export interface SourceConfig {
  /** Key of the source in the configuration, `[a-z][a-z0-9-]*`; unique. */
  readonly code: string;
  /** 1 to 999; unique and permanent. */
  readonly number: number;
  /** Name in records; unique as folded text. */
  readonly sourceName: string;
  /** Address of the publisher's site, against which relative links are resolved: an absolute http(s) URL. */
  readonly site: string | undefined;
  readonly origin: SourceOrigin;
  /** Resources of the source, by path; by default all that its interfaces, its document or its feeds have (operation 2.8.2). */
  readonly resources: readonly ('teams' | 'news' | 'channels')[];
  /** Whether no list is returned without this source (decisions 6.5). */
  readonly required: boolean;
  /** Whether the source is itself a meta-directory (decisions 1.1). */
  readonly aggregate: boolean;
  /** Further codes whose `-<code>-…` properties the source may send. */
  readonly prefixes: readonly string[];
  /** Countries of all teams of the source (alpha-2, upper case); empty: any country (operation 2.8.6). */
  readonly coverage: { readonly countries: readonly string[] };
  /** Further property names that `fields`, `sort` and filters accept (operation 2.8.5). */
  readonly properties: readonly string[];
  /**
   * Known defects that leave the source fresh: it miscounts (`total`), changes while it is drained (`drift`), or has a property
   * that only looks like further pages (`paging`) (operation 2.8.7).
   */
  readonly tolerates: readonly ('total' | 'drift' | 'paging')[];
  /** Whether the public team records carry all PGP keys, so that `scope=pgp` is never requested (operation 2.8.8). */
  readonly allKeysPublic: boolean;
  /** Maximum time for which a snapshot is fresh. */
  readonly ttl: number;
  /** Time beyond the freshness in which a snapshot is served at once while a refresh runs; 0: none. */
  readonly staleWhileRevalidate: number;
  /** Time beyond the freshness in which a snapshot is served while its source fails. */
  readonly staleIfError: number;
  /** Credentials of this gateway at the source (operation 2.8.12). */
  readonly credentials: SourceCredentials;
  /** TLS and proxies of the connections to the source (operation 2.8.14, 2.8.15). */
  readonly connection: SourceConnection;
  /** Further header fields of each request, by name in lower case (operation 2.8.18). */
  readonly headers: Readonly<Record<string, string>>;
  /** Time for which a sudden decrease of records must persist before it is accepted (decisions 6.11). */
  readonly confirmShrink: number;
  /** Time for one request. */
  readonly timeout: number;
  /** Number of retries after a failure that may be transient (operation 2.7.8). */
  readonly retries: number;
  /** Consecutive failures that suspend the source, and time until one trial request (operation 2.7.12). */
  readonly breaker: { readonly failures: number; readonly cooldown: number };
  /** Maximum number of requests in progress at this source. */
  readonly concurrency: number;
  /** `limit` of one request. */
  readonly pageSize: number;
  /** Number of records of one resource up to which the source is always drained (operation 2.7.10). */
  readonly drainThreshold: number;
  /** Declared capabilities, by path of the resource (operation 2.8.9). */
  readonly supports: SourceCapabilities;
  /** Maximum size of a response body in bytes, decoded. */
  readonly maxBody: number;
}
