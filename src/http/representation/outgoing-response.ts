import type { RenderedOutput } from '../../render/formats.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { RequestLogFields } from '../log/access-log.js';
import type { UntilDisconnected } from './waiting-clients.js';
import type { HeaderFields, ValidatorInput } from './validators.js';

/** A rendered body, or one that is being rendered. */
export type ResponseBody = RenderedOutput | Promise<RenderedOutput>;

/** A response before its body is rendered and sent. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** Whether the response is a page for browsers or one of its files, and not data (decisions 2.37). */
  readonly isPage?: true;
  /** Renders the body, as long as a client waits for it; absent for a response without a body. */
  readonly body?: (untilDisconnected: UntilDisconnected) => ResponseBody;
  /** What the validators are computed from; absent where the response must not have any (decisions 6.9). */
  readonly validatorInput?: ValidatorInput;
  /** Present where several clients may wait for the same body. Only public responses are shared (decisions 8.3). */
  readonly renderKey?: RenderKey;
  /** Creates the error that is sent instead: a precondition fails (decisions 7.12), the body is too large (3.14). */
  readonly createError?: (problem: Problem) => OutgoingResponse;
  /**
   * Status that the body reports, where the HTTP status is another one: errors in JSONP are sent as 200 (decisions
   * 2.15).
   */
  readonly reportedStatus?: number;
  /** Present for members data: what the audit log says about it (operation 5.5). */
  readonly disclosure?: MembersDisclosure;
  /** Called before the list, or a 304 in its place, is sent; not where a precondition fails. */
  readonly beforeDisclosure?: () => void;
}

/** What a members response discloses. */
export interface MembersDisclosure {
  /** The query in canonical form, with its page. */
  readonly query: string;
  /** Number of records of the page. */
  readonly records: number;
}

/** Identifies a body before it is rendered. */
export interface RenderKey {
  /** The requested representation, with its media type. */
  readonly name: string;
  /** Equal for equal bodies of the same name. */
  readonly version: string;
  /** Present for a complete answer: how the response is sent again while the snapshots are unchanged. */
  readonly reusePolicy?: ReusePolicy;
}

/** How a response is sent again without querying the sources. */
export interface ReusePolicy {
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
  /** The header fields that change with time, at the time `now`. Undefined when the sources must be queried. */
  readonly getTimedHeaders: (now: number) => TimedHeaders | undefined;
  /** Fields of the log line. */
  readonly logFields: RequestLogFields;
  /** Template of the route, for the span of the request (operation 7.2). */
  readonly route: string;
  /** Number of matches. */
  readonly total: number;
  /**
   * Key of all requests that get the same bytes (`createRepresentationKey`); absent where the bytes depend on the
   * spelling of the request.
   */
  readonly representationKey?: string;
}

/**
 * Header fields that change with time, and the time until which they are valid (milliseconds since 1970, exclusive).
 */
export interface TimedHeaders {
  readonly headers: HeaderFields;
  readonly validUntil: number;
}
