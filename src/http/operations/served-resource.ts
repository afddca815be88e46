import type { ChangeCounter } from '../../cache/change-counter.js';
import type { SerializedRecordCache } from '../../cache/serialized-record-cache.js';
import type { SameTeamAnswer, SearchAnswer } from '../../gateway/gateway.js';
import type { JsonValue } from '../../model/schema/json-schema.js';
import type { Clock } from '../../model/clock.js';
import type { ApiInterface } from '../../model/api-interface.js';
import type { AccessLevel } from '../../model/access-level.js';
import type { Query } from '../../model/query.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { QueryRules } from '../../query/parse-query.js';
import type { ReadKeyPackets } from '../../source/keys/collect-keyring.js';
import type { QueryOptions } from '../../source/request/source-request-context.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';
import type { RequestTarget } from '../request/request-target.js';

/** What answers the queries of one access level. Two levels share no snapshot, cache or counter (decisions 7.16). */
export interface QueryBackend {
  /** Queries the sources for a list, or for the single item `item`. Undefined when no source owns the item's id. */
  readonly answerQuery: (
    query: Query,
    item: string | undefined,
    options: QueryOptions,
  ) => Promise<AnswerWithReport | undefined>;
  /** Finds the records of other repositories of a team. Undefined when no source owns the id. */
  readonly findSameTeam: (
    query: Query,
    id: string,
    options: QueryOptions,
  ) => Promise<(AnswerWithReport & SameTeamAnswer) | undefined>;
  /** Searches the records by relevance. */
  readonly search: (query: Query, options: QueryOptions) => Promise<AnswerWithReport & SearchAnswer>;
  /** Reads armored keys for a keyring. Absent: there is no thread that reads keys. */
  readonly readKeyPackets?: ReadKeyPackets | undefined;
  /** Counts the changes of all snapshots. */
  readonly changeCounter: ChangeCounter;
  /** Cached serialized records. */
  readonly recordCache: SerializedRecordCache;
}

/** The backends by access level. `members` is absent where no client can have members access. */
export interface QueryBackends {
  readonly public: QueryBackend;
  readonly members?: QueryBackend | undefined;
}

/** The backend for a query. Throws where there is none; parsing has refused such a query (decisions 8.2). */
export function getBackend({ backends }: Pick<ListOptions, 'backends'>, { access }: Query): QueryBackend {
  const backend = backends[access];
  if (backend === undefined) throw new Error('a query at members access, which no client can have');
  return backend;
}

/** Options and dependencies for serving one resource. */
export interface ListOptions {
  readonly servedInterface: ApiInterface;
  readonly rules: QueryRules;
  /** What answers queries, by access level. `members` is absent where no client can have members access. */
  readonly backends: QueryBackends;
  /** Start of the URLs in `Link`; empty for relative links (decisions 2.11). */
  readonly publicUrl: string;
  /** Name of this gateway in `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly clock: Clock;
}

/**
 * What a request for a resource does: `read` its list or one record; list the records of other repositories that are
 * probably of the `same-team` (decisions 2.38); `search` its list by relevance (decisions 2.40); list the `countries`,
 * which are of no source (decisions 2.41).
 */
export type Operation = 'read' | 'same-team' | 'search' | 'countries';

/** A request for an operation and the JSON of its response, from the fictitious data of the demo. */
export interface OperationExample {
  readonly summary: string;
  /** Id of the single item in the path; absent for a list. */
  readonly itemId?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly response: JsonValue;
}

/** What the description of the interfaces says about an operation besides its tables (decisions 2.42). */
export interface OperationDescription {
  /** Unique among all operations. */
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly [OperationExample, ...OperationExample[]];
}

/** A resource and the base path at which it is served. */
export interface ServedResource {
  readonly description: OperationDescription;
  readonly operation: Operation;
  /** Base path of its interface, without a trailing slash (decisions 2.2). */
  readonly basePath: string;
  readonly options: ListOptions;
}

/** The parts of a list request, or of a request for a single item, that determine the response. */
export interface ListRequest extends RequestTarget {
  /** The Accept field. */
  readonly accept: string | undefined;
  /** The Prefer field, several joined by commas; empty where the request has none. */
  readonly prefer: string;
  /** Whether the request has a Via field. */
  readonly isRelayed: boolean;
  /** Access level of the client; undefined where the request has no credentials. */
  readonly clientAccess: AccessLevel | undefined;
  /** Id of the single item in the path; undefined for a list. */
  readonly itemId: string | undefined;
  /** Span of the request. Absent: it is not traced. */
  readonly trace?: TraceSpan | undefined;
  /** Whose request it is (`QueryOptions.client`). */
  readonly client: string;
}
