import type { DraftRecord } from '../../model/record.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import type { ExpectedBody } from './parse-page-body.js';
import type { HttpRequest, HttpResponse, NotModifiedResponse, Fetch, Layer } from '../client/http-client-types.js';

/** A request that states what its response body should contain. */
export interface SourceRequest extends HttpRequest {
  readonly expected: ExpectedBody;
  /** Span of the step that needs the page. Absent: the request is not traced. */
  readonly trace?: TraceSpan | undefined;
}

/** A response whose body was read as its request expected. */
export interface PageResponse {
  header(name: string): string | undefined;
  /** The page, or a failure (`schema`) if the body is JSON but not what was requested. */
  readonly pageOrFailure: SourcePage<DraftRecord> | SourceFailure;
  /** Size of the decoded body in bytes. */
  readonly bytes: number;
  /** Time of reading, in milliseconds since 1970. */
  readonly readAt: number;
}

/** The response to a request, which may be conditional. */
export type SourceResponse = PageResponse | NotModifiedResponse;

/** The complete HTTP client of one source. */
export type SourceFetch = Fetch<SourceResponse, SourceRequest>;

/** Layers that observe the requests to a source and change nothing. */
export interface ClientObserver {
  /** Sees every request that is sent, including retries and redirects. */
  readonly requestLayer: Layer<HttpResponse>;
  /** Sees every response whose body was read, and every 304. */
  readonly responseLayer: Layer<SourceResponse, SourceRequest>;
}
