import type { RenderedOutput } from '../../render/formats.js';
import type { RequestLogFields } from '../log/access-log.js';
import type { UntilDisconnected } from './waiting-clients.js';
import type { HeaderFields, ValidatorInput } from './validators.js';

/** A body on its way out. */
export type ResponseBody = RenderedOutput | Promise<RenderedOutput>;

/** An answer on its way out. */
export interface OutgoingResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  /** Renders the body, as long as somebody waits for it; absent for a body-less answer. */
  readonly body?: (whileThere: UntilDisconnected) => ResponseBody;
  /** What the answer can be told by when it is asked for again; absent where nobody may keep it. */
  readonly validatorInput?: ValidatorInput;
  /** Of an answer whose body others may be waiting for too. */
  readonly renderKey?: RenderKey;
  /** What is sent in its place to a client that wants another answer than this one or none (RFC 9110, section 13.1.1). */
  readonly createPreconditionFailed?: () => OutgoingResponse;
  /** The status that the body tells, where HTTP's is another: JSONP's errors are sent as 200 (decisions.md, section 2). */
  readonly reportedStatus?: number;
}

/** What tells the bodies of answers apart before they are rendered. */
export interface RenderKey {
  /** What was asked for, in which media type. */
  readonly name: string;
  /** Equal for equal bodies of that name. */
  readonly version: string;
  /** Of a complete answer: how it is to be sent again as long as its sources' copies are held as they are. */
  readonly reusePolicy?: ReusePolicy;
}

/** What is known beforehand of sending an answer again. */
export interface ReusePolicy {
  /** Of what is held of the sources (`ChangeCounter.changes`), from before they were asked. */
  readonly changes: number;
  /** The headers that change with the time, at a moment; the others stay. Undefined when its sources must be asked. */
  readonly getTimedHeaders: (now: number) => TimedHeaders | undefined;
  /** What the log tells of it. */
  readonly logFields: RequestLogFields;
  /** Number of matches. */
  readonly total: number;
  /** Names it for all requests that get the same bytes (`createRepresentationKey`); absent where those depend on how a request is spelled. */
  readonly representationKey?: string;
}

/** Headers that change with the time, and until when they are so (milliseconds since 1970, exclusive). */
export interface TimedHeaders {
  readonly headers: HeaderFields;
  readonly validUntil: number;
}
