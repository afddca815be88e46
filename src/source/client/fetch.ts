/** One request to a source. All are GET. */
export interface HttpRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What came back, before its body is read. */
export interface HttpResponse {
  readonly status: number;
  /** Value of a header (name in lower case), several joined by `, `. */
  header(name: string): string | undefined;
  /** The whole body, still encoded; rejects as soon as more than `most` bytes of it have come, and reads no further. */
  readBytes(most: number): Promise<Buffer>;
  /** Ends the reply unread. Never rejects. */
  discard(): Promise<void>;
}

/** A reply with its body, decoded and still unread. */
export interface DecodedResponse {
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** That what was asked for has not changed: a 304, and only to a request that asked on that condition. */
export interface NotModifiedResponse {
  readonly notModified: true;
  header(name: string): string | undefined;
}

/** The one function type of a source's line. It rejects with a `SourceFailure`, or what `asFailure` makes one of. */
export type Fetch<Reply, Request = HttpRequest> = (request: Request, signal: AbortSignal) => Promise<Reply>;

/** What stands in the line and hands on to the next. */
export type Layer<Reply, Request = HttpRequest> = (next: Fetch<Reply, Request>) => Fetch<Reply, Request>;

/** How requests reach the wire; handed in, so that a test may use another wire. */
export type Transport = Fetch<HttpResponse>;

/** Headers of a reply, as far as these rules read them. */
export interface HeaderLookup {
  header(name: string): string | undefined;
}
