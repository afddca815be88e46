import type { SourceConnection } from '../../model/registration/source-connection.js';

/** A GET request to a source. */
export interface HttpRequest {
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** How the server is reached. Absent: directly, with the TLS settings of Node.js. */
  readonly connection?: SourceConnection | undefined;
}

/** A response whose body has not been read. */
export interface HttpResponse {
  readonly status: number;
  /** Value of a header field (name in lower case); several values are joined by `, `. */
  header(name: string): string | undefined;
  /**
   * Reads the whole body, still encoded. Rejects, and stops reading, as soon as more than `most` bytes have arrived.
   */
  readBytes(most: number): Promise<Buffer>;
  /** Ends the response without using its body. Never rejects. */
  discard(): Promise<void>;
}

/** A response with its decoded, unparsed body. */
export interface DecodedResponse {
  header(name: string): string | undefined;
  readonly body: Buffer;
}

/** A 304 response to a conditional request. */
export interface NotModifiedResponse {
  readonly notModified: true;
  header(name: string): string | undefined;
}

/**
 * The function type of every layer of a source's HTTP client. Rejects with a `SourceFailure`, or with an error that
 * `asFailure` turns into one.
 */
export type Fetch<Reply, Request = HttpRequest> = (request: Request, signal: AbortSignal) => Promise<Reply>;

/** A layer of the HTTP client: wraps the next layer. */
export type Layer<Reply, Request = HttpRequest> = (next: Fetch<Reply, Request>) => Fetch<Reply, Request>;

/** Sends requests over the network. It is passed in, so that tests can replace it. */
export type Transport = Fetch<HttpResponse>;

/** Access to the header fields of a response (names in lower case). */
export interface HeaderLookup {
  header(name: string): string | undefined;
}
