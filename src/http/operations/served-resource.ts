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

/** Answers the queries of one access level. Two levels share no snapshot, cache or counter (decisions 7.16). */
export interface QueryBackend {
  /** Undefined when no source owns the id of `item`. */
  readonly answerQuery: (
    query: Query,
    item: string | undefined,
    options: QueryOptions,
  ) => Promise<AnswerWithReport | undefined>;
  /** Undefined when no source owns the id. */
  readonly findSameTeam: (
    query: Query,
    id: string,
    options: QueryOptions,
  ) => Promise<(AnswerWithReport & SameTeamAnswer) | undefined>;
  readonly search: (query: Query, options: QueryOptions) => Promise<AnswerWithReport & SearchAnswer>;
  /** For a keyring. Absent: there is no thread that reads keys. */
  readonly readKeyPackets?: ReadKeyPackets | undefined;
  readonly changeCounter: ChangeCounter;
  readonly recordCache: SerializedRecordCache;
}

/** `members` is absent where no client can have members access. */
interface QueryBackends {
  readonly public: QueryBackend;
  readonly members?: QueryBackend | undefined;
}

/** Throws where there is no backend; parsing has refused such a query (decisions 8.2). */
export function getBackend({ backends }: Pick<ListOptions, 'backends'>, { access }: Query): QueryBackend {
  const backend = backends[access];
  if (backend === undefined) throw new Error('a query at members access, which no client can have');
  return backend;
}

export interface ListOptions {
  readonly servedInterface: ApiInterface;
  readonly rules: QueryRules;
  readonly backends: QueryBackends;
  /** Start of the URLs in `Link`; empty for relative links (decisions 2.11). */
  readonly publicUrl: string;
  /** In `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly clock: Clock;
}

/**
 * `read` a list or one record; list the records of other repositories that are probably of the `same-team` (decisions
 * 2.38); `search` by relevance (decisions 2.40); list the `countries`, which are of no source (decisions 2.41).
 */
export type Operation = 'read' | 'same-team' | 'search' | 'countries';

/** A request and the JSON of its response, from the fictitious data of the demo. */
export interface OperationExample {
  readonly summary: string;
  /** In the path; absent for a list. */
  readonly itemId?: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly response: JsonValue;
}

/** Besides the tables, for the description of the interfaces (decisions 2.42). */
export interface OperationDescription {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly [OperationExample, ...OperationExample[]];
}

export interface ServedResource {
  readonly description: OperationDescription;
  readonly operation: Operation;
  /** Of its interface, without a trailing slash (decisions 2.2). */
  readonly basePath: string;
  readonly options: ListOptions;
}

/** The parts of a request for a list or a single item that determine the response. */
export interface ListRequest extends RequestTarget {
  readonly accept: string | undefined;
  /** Several Prefer fields are joined by commas; empty where the request has none. */
  readonly prefer: string;
  readonly isRelayed: boolean;
  /** Undefined where the request has no credentials. */
  readonly clientAccess: AccessLevel | undefined;
  /** In the path; undefined for a list. */
  readonly itemId: string | undefined;
  /** Absent: the request is not traced. */
  readonly trace?: TraceSpan | undefined;
  /** See `QueryOptions.client`. */
  readonly client: string;
}
