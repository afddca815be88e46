import type { SourceCapabilities } from '../model/capability.js';

/**
 * A configuration in force: every default filled in, every unit converted (operation.md, Configuration).
 * Durations are milliseconds, sizes are bytes.
 */
export interface Config {
  readonly server: ServerConfig;
  readonly admin: ListenAddress;
  readonly cache: {
    /** Bytes for all that is held together. */
    readonly memory: number;
    /** File in which is kept since when held copies are as they are; relative to the working directory. Undefined: it is forgotten at the end. */
    readonly state: string | undefined;
  };
  /** Sample repositories that the same process serves for the demo: their name and loopback port. */
  readonly samples: ReadonlyMap<string, number>;
  /** Ordered by number; at least one. */
  readonly sources: readonly SourceConfig[];
}

/** Where a server listens; port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** The public side of this gateway. */
export interface ServerConfig extends ListenAddress {
  /** A token, this gateway's name in Via (decisions.md, section 5); undefined when none is configured. */
  readonly name: string | undefined;
  /** Absolute http(s) URL without a slash at the end, for Link headers; undefined means relative links. */
  readonly publicUrl: string | undefined;
  /** Base path of the directory interface: begins with a slash and does not end with one. */
  readonly directoryPath: string;
  /** Base path of the data interface, in the same form. */
  readonly dataPath: string;
  /** Whether an answer has an envelope when the query does not say (decisions.md, section 2). */
  readonly envelope: { readonly directory: boolean; readonly data: boolean };
  /** Records in an answer: when the query does not say, and at most. `default` is never more than `max`. */
  readonly limit: { readonly default: number; readonly max: number };
  /** Milliseconds for a whole answer. */
  readonly deadline: number;
  /** Whether the sources are drained before the gateway calls itself ready. */
  readonly warmUp: boolean;
  readonly log: 'none' | 'errors' | 'all';
  /** Requests under way at all sources together. */
  readonly concurrency: number;
  readonly limits: ServerLimits;
}

/** What one client, and all of them together, may take of the public port. Durations in milliseconds. */
export interface ServerLimits {
  /** Open connections at most; further ones are closed at once. */
  readonly connections: number;
  /** Bytes of a request's body at most. */
  readonly body: number;
  /** Within which the head of a request must have come. */
  readonly headerTimeout: number;
  /** Within which the whole request must have come; at least `headerTimeout`. */
  readonly requestTimeout: number;
  /** After which an answer of which nothing was read by the client is given up. */
  readonly writeTimeout: number;
}

/** One registered source (decisions.md, section 1). */
export interface SourceConfig {
  /** Its key in the configuration, `[a-z][a-z0-9-]*`; unique. */
  readonly code: string;
  /** 1 to 999; unique and permanent. */
  readonly number: number;
  /** Shown in records; unique, whatever the case. */
  readonly sourceName: string;
  /** The publisher's site, against which relative links are made absolute: absolute http(s) URL. */
  readonly site: string | undefined;
  /** Base address of its directory interface: absolute http(s) URL without a slash at the end. It has this one or `data`, or both. */
  readonly directory: string | undefined;
  /** Base address of its data interface, in the same form. */
  readonly data: string | undefined;
  /** What it has, by the paths of the resources; by default what its interfaces have. */
  readonly resources: readonly ('teams' | 'news' | 'channels')[];
  /** Whether no answer is given without it. */
  readonly required: boolean;
  /** Whether it is a meta-directory itself. */
  readonly aggregate: boolean;
  /** Further codes whose `-<code>-…` properties it may send. */
  readonly prefixes: readonly string[];
  /** What else it cannot hold: teams of other countries than these (alpha-2, upper case); none means that it may hold any. */
  readonly coverage: { readonly countries: readonly string[] };
  /** Further property names that fields, sort and filters know. */
  readonly properties: readonly string[];
  /** What the source is known to get wrong, and is fresh all the same: it miscounts (`total`), or changes while it is read (`drift`). */
  readonly tolerates: readonly ('total' | 'drift')[];
  /** Whether its public team records carry all PGP keys that it has, so that it is never asked for `scope=pgp`. */
  readonly allKeysPublic: boolean;
  /** Milliseconds for which a held copy counts as fresh. */
  readonly ttl: number;
  /** Milliseconds beyond that for which it is given at once while it is refreshed; 0 for none. */
  readonly staleWhileRevalidate: number;
  /** Milliseconds beyond `ttl` for which it may stand in for a source that fails. */
  readonly staleIfError: number;
  /** Milliseconds after which a source that suddenly gave far less is believed, when it still does. */
  readonly confirmShrink: number;
  /** Milliseconds after a drain for which a source's word that nothing has changed (HTTP 304) is trusted; 0 for never. */
  readonly maxUnverified: number;
  /** Milliseconds for one request. */
  readonly timeout: number;
  /** Further requests after one that failed in a way that may pass. */
  readonly retries: number;
  /** Failures in a row that suspend the source, and milliseconds until one request tries it again. */
  readonly breaker: { readonly failures: number; readonly cooldown: number };
  /** Requests under way at this source. */
  readonly concurrency: number;
  /** Records asked for in one request. */
  readonly pageSize: number;
  /** Records of one resource up to which it is drained; of more, what it supports is pushed down. */
  readonly drainThreshold: number;
  /** What it is declared to do exactly as this house would, by the paths of its resources. */
  readonly supports: SourceCapabilities;
  /** Bytes of one answer, decoded. */
  readonly maxBody: number;
}
