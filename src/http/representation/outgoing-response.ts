import type { RenderedOutput } from '../../render/formats.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { RequestLogFields } from '../log/access-log.js';
import type { UntilDisconnected } from './waiting-clients.js';
import type { HeaderFields, ValidatorInput } from './validators.js';

/** Possibly still being rendered. */
export type ResponseBody = RenderedOutput | Promise<RenderedOutput>;

/** Before its body is rendered and sent. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** A page for browsers or one of its files, and not data (decisions 2.37). */
  readonly isPage?: true;
  /** Renders as long as a client waits for the body; absent for a response without a body. */
  readonly body?: (untilDisconnected: UntilDisconnected) => ResponseBody;
  /** Absent where the response must not have validators (decisions 6.9). */
  readonly validatorInput?: ValidatorInput;
  /** Present where several clients may wait for the same body. Only public responses are shared (decisions 8.3). */
  readonly renderKey?: RenderKey;
  /** Sent instead: a precondition fails (decisions 7.12), the body is too large (3.14). */
  readonly createError?: (problem: Problem) => OutgoingResponse;
  /** In the body, where the HTTP status is another one: errors in JSONP are sent as 200 (decisions 2.15). */
  readonly reportedStatus?: number;
  /** Present for members data, for the audit log (operation 5.5). */
  readonly disclosure?: MembersDisclosure;
  /** Called before the list, or a 304 in its place, is sent; not where a precondition fails. */
  readonly beforeDisclosure?: () => void;
}

interface MembersDisclosure {
  /** In canonical form, with its page. */
  readonly query: string;
  /** Number of records of the page. */
  readonly records: number;
}

export interface RenderKey {
  /** The representation, with its media type. */
  readonly name: string;
  /** Equal for equal bodies of the same name. */
  readonly version: string;
  /** Present for a complete answer. */
  readonly reusePolicy?: ReusePolicy;
}

/** How a response is sent again while the snapshots are unchanged, without querying the sources. */
export interface ReusePolicy {
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
  /** Undefined when the sources must be queried. */
  readonly getTimedHeaders: (now: number) => TimedHeaders | undefined;
  readonly logFields: RequestLogFields;
  /** For the span of the request (operation 7.2). */
  readonly route: string;
  /** Number of matches. */
  readonly total: number;
  /** `createRepresentationKey`; absent where the bytes depend on the spelling of the request. */
  readonly representationKey?: string;
}

/** They change with time. Valid until a time in milliseconds since 1970, exclusive. */
export interface TimedHeaders {
  readonly headers: HeaderFields;
  readonly validUntil: number;
}
