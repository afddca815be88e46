import type { SourceConnection } from '../../model/registration/source-connection.js';

export interface HttpRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent: directly, with the TLS settings of Node.js. */
  readonly connection?: SourceConnection | undefined;
}

/** Its body has not been read. */
export interface HttpResponse {
  readonly status: number;
  /** Name in lower case; several values are joined by `, `. */
  header(name: string): string | undefined;
  /** The whole body, still encoded. Rejects as soon as more than `most` bytes have arrived. */
  readBytes(most: number): Promise<Buffer>;
  /** Leaves the body unused. Never rejects. */
  discard(): Promise<void>;
}

/** The body is decoded, not parsed. */
export interface DecodedResponse {
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** To a conditional request. */
export interface NotModifiedResponse {
  readonly notModified: true;
  header(name: string): string | undefined;
}

/** A layer of the client. Rejects with a `SourceFailure`, or an error that `asFailure` turns into one. */
export type Fetch<Reply, Request = HttpRequest> = (request: Request, signal: AbortSignal) => Promise<Reply>;

export type Layer<Reply, Request = HttpRequest> = (next: Fetch<Reply, Request>) => Fetch<Reply, Request>;

/** Over the network; passed in, so that tests can replace it. */
export type Transport = Fetch<HttpResponse>;

/** Names in lower case. */
export interface HeaderLookup {
  header(name: string): string | undefined;
}
