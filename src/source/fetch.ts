import type { Ending } from './ending.js';

/** One request to a source. All are GET. */
export interface WireRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What came back, before its body is read. */
export interface WireReply {
  readonly status: number;
  /** Value of a header (name in lower case), several joined by `, `. */
  header(name: string): string | undefined;
  /** The whole body, still encoded; rejects as soon as more than `most` bytes of it have come, and reads no further. */
  read(most: number): Promise<Buffer>;
  /** Ends the reply unread, so that its connection is free again. */
  discard(): Promise<void>;
}

/** A reply whose body was read and parsed. Whatever is in it came from outside. */
export interface JsonReply {
  header(name: string): string | undefined;
  /** Undefined once it was let go. */
  readonly json: unknown;
  /** Size of the decoded body. */
  readonly bytes: number;
  /** Lets go of `json`, by who has read it: what waited for the reply may be held for long (`Parsed`). */
  letGo(): void;
}

/** That what was asked for has not changed: a 304, and only to a request that asked on that condition. */
export interface NotModified {
  readonly notModified: true;
  header(name: string): string | undefined;
}

/** What a source answers a request that may be conditional. */
export type SourceReply = JsonReply | NotModified;

/** The one function type of a source's line. It rejects with a `SourceFailure`, or what `asFailure` makes one of. */
export type Fetch<Reply> = (request: WireRequest, signal: Ending) => Promise<Reply>;

/** What stands in the line and hands on to the next. */
export type Layer<Reply> = (next: Fetch<Reply>) => Fetch<Reply>;

/** Layers that look on while a source is asked, and change nothing. */
export interface Watching {
  /** Of every request on the wire. */
  readonly wire: Layer<WireReply>;
  /** Of every reply that was read. */
  readonly replies: Layer<SourceReply>;
}

/** How requests reach the wire; handed in, so that a test may use another wire. */
export type Transport = Fetch<WireReply>;
