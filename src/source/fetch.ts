import type { Draft } from '../model/record.js';
import type { SourceFailure } from './failure.js';
import type { Page } from './page.js';
import type { Reading } from './read-body.js';

/** One request to a source. All are GET. */
export interface WireRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The same to a source's line, which reads what comes. */
export interface SourceRequest extends WireRequest {
  readonly as: Reading;
}

/** What came back, before its body is read. */
export interface WireReply {
  readonly status: number;
  /** Value of a header (name in lower case), several joined by `, `. */
  header(name: string): string | undefined;
  /** The whole body, still encoded; rejects as soon as more than `most` bytes of it have come, and reads no further. */
  read(most: number): Promise<Buffer>;
  /** Ends the reply unread. Never rejects. */
  discard(): Promise<void>;
}

/** A reply with its body, decoded and still unread. */
export interface BodyReply {
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** A reply that was read, as its request asked. */
export interface PageReply {
  header(name: string): string | undefined;
  /** What its body tells; or that it is JSON, but not what was asked for. */
  readonly read: Page<Draft> | SourceFailure;
  /** Size of the decoded body. */
  readonly bytes: number;
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** That what was asked for has not changed: a 304, and only to a request that asked on that condition. */
export interface NotModified {
  readonly notModified: true;
  header(name: string): string | undefined;
}

/** What a source answers a request that may be conditional. */
export type SourceReply = PageReply | NotModified;

/** The one function type of a source's line. It rejects with a `SourceFailure`, or what `asFailure` makes one of. */
export type Fetch<Reply, Request = WireRequest> = (request: Request, signal: AbortSignal) => Promise<Reply>;

/** The line of a source, whole. */
export type SourceFetch = Fetch<SourceReply, SourceRequest>;

/** What stands in the line and hands on to the next. */
export type Layer<Reply, Request = WireRequest> = (next: Fetch<Reply, Request>) => Fetch<Reply, Request>;

/** Layers that look on while a source is asked, and change nothing. */
export interface Watching {
  /** Of every request on the wire. */
  readonly wire: Layer<WireReply>;
  /** Of every reply that was read. */
  readonly replies: Layer<SourceReply, SourceRequest>;
}

/** How requests reach the wire; handed in, so that a test may use another wire. */
export type Transport = Fetch<WireReply>;
