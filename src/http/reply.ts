import type { Output } from '../render/formats.js';
import type { RequestFacts } from './access-log.js';
import type { WhileThere } from './audience.js';
import type { Headers, Validity } from './validators.js';

/** A body on its way out. */
export type Body = Output | Promise<Output>;

/** An answer on its way out. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Renders the body, as long as somebody waits for it; absent for a body-less answer. */
  readonly body?: (whileThere: WhileThere) => Body;
  /** What the answer can be told by when it is asked for again; absent where nobody may keep it. */
  readonly validity?: Validity;
  /** Of an answer whose body others may be waiting for too. */
  readonly sharing?: Sharing;
  /** What is sent in its place to a client that wants another answer than this one or none (RFC 9110, section 13.1.1). */
  readonly refusal?: () => Reply;
  /** The status that the body tells, where HTTP's is another: JSONP's errors are sent as 200 (decisions.md, section 2). */
  readonly told?: number;
}

/** What tells the bodies of answers apart before they are rendered. */
export interface Sharing {
  /** What was asked for, in which media type. */
  readonly name: string;
  /** Equal for equal bodies of that name. */
  readonly edition: string;
  /** Of a complete answer: how it is to be sent again as long as its sources' copies are held as they are. */
  readonly holding?: Holding;
}

/** What is known beforehand of sending an answer again. */
export interface Holding {
  /** Of what is held of the sources (`Pulse.changes`), from before they were asked. */
  readonly changes: number;
  /** The headers that change with the time, at a moment; the others stay. Undefined when its sources must be asked. */
  readonly timed: (now: number) => TimedHeaders | undefined;
  /** What the log tells of it. */
  readonly facts: RequestFacts;
  /** Number of matches. */
  readonly total: number;
  /** Names it for all requests that get the same bytes (`representationKey`); absent where those depend on how a request is spelled. */
  readonly representation?: string;
}

/** Headers that change with the time, and until when they are so (milliseconds since 1970, exclusive). */
export interface TimedHeaders {
  readonly headers: Headers;
  readonly until: number;
}
