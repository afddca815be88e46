import type { ChangeCounter } from '../cache/change-counter.js';
import type { TextCache } from '../cache/text-cache.js';
import type { Clock } from '../model/clock.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { Query } from '../model/query.js';
import type { QueryRules } from '../query/parse-query.js';
import type { QueryOptions } from '../source/request/source-request-context.js';
import type { AnswerWithReport } from './source-report/answer-source-report.js';
import type { RequestTarget } from './request/request-target.js';

/** What a list of one resource is served with. */
export interface ListOptions {
  readonly servedInterface: ApiInterface;
  readonly rules: QueryRules;
  /** Undefined when nobody owns the item that is asked for. */
  readonly answerQuery: (
    query: Query,
    item: number | undefined,
    manner: QueryOptions,
  ) => Promise<AnswerWithReport | undefined>;
  /** Of what is held of the sources. */
  readonly changeCounter: ChangeCounter;
  /** What was written of records. */
  readonly recordTexts: TextCache;
  /** What Link begins with; empty for relative links. */
  readonly publicUrl: string;
  /** This gateway's name in Via. */
  readonly gatewayName: string;
  readonly clock: Clock;
}

/** A resource and where it is served. */
export interface ServedResource {
  /** Base address of its interface, without a slash at the end. */
  readonly basePath: string;
  readonly options: ListOptions;
}

/** A request for a list, taken apart. */
export interface ListRequest extends RequestTarget {
  /** The Accept field. */
  readonly accept: string | undefined;
  /** The Prefer field. */
  readonly prefer: string;
  /** Whether it came through another gateway. */
  readonly isRelayed: boolean;
  /** Id of the one item that the path names. */
  readonly itemId: number | undefined;
}
