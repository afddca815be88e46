import type { AccessLevel } from '../model/access-level.js';
import type { CacheResult } from '../model/cache-result.js';
import type { Outcome } from '../model/outcome.js';
import type { FailureReason } from '../model/reasons.js';
import type { Resource } from '../model/resource.js';
import type { TraceSpan } from '../model/tracer.js';

/** Of a request to this gateway, for its log line; handlers add to them. */
export interface RequestFacts extends Record<string, unknown> {
  /** In the body, where the HTTP status is another one (decisions 2.15). */
  status?: number;
  /** Absent where no source was needed. */
  cache?: CacheResult;
  /** Absent where the request is for no resource. */
  resource?: Resource['name'];
  /** Absent where the response has no format. */
  format?: string;
}

/** The response was sent, or the client left. */
interface RequestAnswered {
  /** Those of a response from the response cache are shared by all requests for it. */
  readonly facts: RequestFacts;
  readonly status: number;
  readonly isAborted: boolean;
  /** From the head of the request on; absent for a response from the response cache. */
  readonly milliseconds?: number;
  /** Absent where no line is to be written. */
  readonly line?: object | undefined;
  readonly span?: TraceSpan | undefined;
}

/** Data-quality findings by rule and field (`docs/data-quality.md`). */
type Findings = ReadonlyMap<string, number>;

/** What the last fetches of a list show. */
export interface ListContent {
  readonly resource: Resource;
  /** Served from now on. */
  readonly outcome: Outcome<unknown>;
  /** 0 without a snapshot. */
  readonly records: number;
  /** When the source sent the records or last confirmed them, in milliseconds since 1970; absent without a snapshot. */
  readonly verifiedAt?: number;
  /** Absent if no records were received. */
  readonly findings?: Findings;
  /** Another instance fetched (operation 2.5.4). */
  readonly isAdopted: boolean;
}

export interface FetchFinished extends ListContent {
  readonly parameters: Readonly<Record<string, string>>;
  /** `keys`: the PGP keys of all teams; `pushed`: what a pushed-down query gives; `part`: the items of one channel. */
  readonly list: 'whole' | 'keys' | 'feed' | 'pushed' | 'part' | 'item';
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly result: FetchResult;
}

type FetchResult =
  | { readonly kind: 'drained'; readonly milliseconds: number; readonly received: ReceivedList }
  /** `excluded`: the source leads back to this gateway. */
  | { readonly kind: 'confirmed' | 'excluded'; readonly milliseconds: number }
  | {
      readonly kind: 'failed';
      readonly milliseconds: number;
      readonly failure: Extract<Outcome<unknown>, { readonly state: 'failed' | 'suspended' }>;
      /** Cause, for the operator. */
      readonly detail: string;
      /** The source evaluated a query wrongly, which is an event of its own. */
      readonly isDisproof: boolean;
    }
  | { readonly kind: 'adopted' };

interface ReceivedList {
  readonly findings: Findings;
  readonly records: number;
  /** Decoded, of all pages. */
  readonly bytes: number;
  /** Of the findings, by rule and field. Absent at members access, where values are not shown. */
  readonly examples?: ReadonlyMap<string, readonly { readonly record: string; readonly value: string }[]> | undefined;
  /** What shows that the list is incomplete, and what to do. */
  readonly detail?: string | undefined;
  /** Expressions of a document that failed, by field, with the reason. */
  readonly failed?: ReadonlyMap<string, string> | undefined;
  /** That the query relied on: `filter country`; and whether the records were compared with it. */
  readonly capabilities: readonly { readonly capability: string; readonly isChecked: boolean }[];
}

/** One for each page, retries and redirects included. */
export interface SourceRequested {
  readonly url: URL;
  readonly status?: number | undefined;
  /** Absent for success. */
  readonly reason?: FailureReason | 'suspended' | undefined;
  /** Decoded. */
  readonly bytes?: number | undefined;
  readonly records?: number | undefined;
  readonly milliseconds: number;
  readonly span?: TraceSpan | undefined;
}

/** A step that gave an outcome; published where requests are traced. */
export interface OutcomeTraced {
  /** Absent where several lists may be queried. */
  readonly resource?: Resource['name'];
  readonly outcome: Outcome<unknown>;
  readonly records: number | undefined;
  readonly span: TraceSpan;
}

/** Limit of the public port that closed a connection (operation 2.3.1). */
export type ConnectionLimit = 'connections' | 'pipelining' | 'write-timeout';

/**
 * Credentials are malformed, unknown or expired, a token is invalid (`token`) or cannot be verified now
 * (`unavailable`), or the access level does not suffice.
 */
export type RejectedCredentialReason = 'malformed' | 'unknown' | 'expired' | 'token' | 'unavailable' | 'insufficient';

/** Limit of the client or of its address (decisions 8.9). */
export type RateLimitName = 'client' | 'address';

/** What put a configuration in force, or failed to. Absent at the start. */
type ReloadTrigger = 'SIGHUP' | 'file';

/** Of one source at one access level. */
interface SourceEvents {
  'source registered': { isSuspended: boolean };
  /** Each attempt that was not given up. */
  'request sent': { result: 'ok' | FailureReason };
  'source request': SourceRequested;
  'fetch finished': FetchFinished;
  /** What the feeds of a source give together. */
  'feeds combined': ListContent;
  'source queried': OutcomeTraced;
  'list refreshed': OutcomeTraced;
  /** `feed`: only this one. `isSuspended`: any feed is. */
  'source suspended': { feed?: string; isSuspended: boolean };
  'source resumed': { feed?: string; isSuspended: boolean };
  /** In milliseconds since 1970, the first of its servers. */
  'certificate seen': { expiresAt: number };
  'capability disproved': { resource: Resource['name']; capability: string; evidence?: string };
  'source returned far fewer records than before': { records: number; before: number | undefined };
  'snapshot does not fit into cache.memory and is not cached': {
    resource: Resource['name'];
    list: string;
    parameters: Readonly<Record<string, string>>;
    weight: number;
  };
  'source forgotten, because another instance forgot it': object;
  'ids of news collide': { collisions: number };
  'keys checked': { keys: number; findings: Findings };
  'source indexed': { records: number; bytes: number; textBytes: number };
  'records too long to be searched': { records: readonly string[] };
  'source not indexed': { error: string };
  'snapshot adopted': object;
  'entry of the shared memory refused': { error: string };
  /** No longer registered. */
  'source removed': object;
}

interface GatewayEvents {
  'request answered': RequestAnswered;
  'request failed': { request: unknown; error: string };
  'request not admitted': { error: string };
  'request rejected by the router': { request: string; error: string };
  'connection closed by a limit': { reason: ConnectionLimit; isLogged: boolean };
  /** `client`: its name, or the subject of the token. */
  'client authenticated': { client: string; credential: 'key' | 'token'; level: AccessLevel };
  'credential rejected': { reason: RejectedCredentialReason };
  'rate limit exceeded': { limit: RateLimitName };
  'members data sent': { request: unknown; client: string; credential: string; query: string; records: number };
  'issuer unavailable': { url: string; error: string };
  'issuer available again': { url: string };
  'search failed': { error: string };
  'PGP keys could not be read': { error: string };
}

/** Of the process and its operator. */
interface ProcessEvents {
  'log line dropped': object;
  listening: { public: string; admin: string; sources: number };
  ready: object;
  /** `/readyz` at the time when the metrics are read. */
  'readiness checked': { isReady: boolean };
  'resources without data': { resources: readonly string[] };
  'all resources have data': object;
  stopping: { signal?: string; error?: string | undefined };
  stopped: object;
  'could not start': { error: string };
  /** `changes`: of a reload, which lists the codes of differing sources. `at`: in milliseconds since 1970. */
  'configuration put in force': { at: number; trigger?: ReloadTrigger; sources: number; changes?: object };
  'configuration unchanged': { at: number; trigger: ReloadTrigger; isLogged: boolean };
  'configuration not reloaded: the one in force remains': {
    trigger: ReloadTrigger;
    errors: readonly string[];
    isLogged: boolean;
  };
  'source action': { source: string; action: string };
  'request of the operator failed': { path: string; error: string };
  'pages have no style and no script: dist/client is missing': { error: string };
  'nothing is traced: the address of the collector is not an http or https URL': { variable: string };
  'a setting of tracing is not used': { detail: string };
  'traces cannot be exported': { detail: string };
  'traces are exported again': object;
  'snapshots restored': { folder: string; milliseconds: number };
  'snapshots written': { unsaved: number };
  'snapshots cannot be saved': { folder: string; error: string };
  'snapshots are saved again': { folder: string };
  'saved snapshot is damaged and not used': { folder: string; file?: string; error: string };
  'redis-key is missing': { warning: string };
  'shared memory failed': { error: string };
  'shared memory answers again': object;
  'shared memory checked': { isReachable: boolean };
  'this instance counts requests by itself': { error: string };
  'requests are counted for all instances': object;
}

/** Absent at the level `public`. */
interface AtLevel {
  readonly access?: 'members';
}

type WithFacts<Events, Facts> = { readonly [Type in keyof Events]: Readonly<Events[Type]> & Facts };

type Facts = WithFacts<SourceEvents, AtLevel & { readonly source: string }> &
  WithFacts<GatewayEvents, AtLevel> &
  WithFacts<ProcessEvents, AtLevel>;

export type EventType = keyof Facts;

/** With its type, which is the message of its log line where the event has one and nothing else is stated. */
export type EventOf<Type extends EventType = EventType> = {
  [One in Type]: { readonly type: One } & Facts[One];
}[Type];

/** As its source publishes it. */
export type SourceEvent = {
  [One in keyof SourceEvents]: { readonly type: One } & Readonly<SourceEvents[One]>;
}[keyof SourceEvents];

/** Calls all subscribers at once. Never throws. */
export type Publish = (event: EventOf) => void;

export type PublishOfSource = (event: SourceEvent) => void;
