import type { DraftRecord } from '../../model/record.js';
import type { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import type { ExpectedBody } from './read-body.js';
import type { HttpRequest, HttpResponse, NotModifiedResponse, Fetch, Layer } from '../client/fetch.js';

/** The same to a source's line, which reads what comes. */
export interface SourceRequest extends HttpRequest {
  readonly expected: ExpectedBody;
}

/** A reply that was read, as its request asked. */
export interface PageResponse {
  header(name: string): string | undefined;
  /** What its body tells; or that it is JSON, but not what was asked for. */
  readonly pageOrFailure: SourcePage<DraftRecord> | SourceFailure;
  /** Size of the decoded body. */
  readonly bytes: number;
  /** When it was read, in milliseconds since 1970. */
  readonly readAt: number;
}

/** What a source answers a request that may be conditional. */
export type SourceResponse = PageResponse | NotModifiedResponse;

/** The line of a source, whole. */
export type SourceFetch = Fetch<SourceResponse, SourceRequest>;

/** Layers that look on while a source is asked, and change nothing. */
export interface ClientObserver {
  /** Of every request on the wire. */
  readonly requestLayer: Layer<HttpResponse>;
  /** Of every reply that was read. */
  readonly responseLayer: Layer<SourceResponse, SourceRequest>;
}
