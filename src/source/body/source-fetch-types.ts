import type { DraftRecord } from '../../model/record.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { SourceFailure } from '../client/source-failure.js';
import type { SourcePage } from './page.js';
import type { ExpectedBody } from './parse-page-body.js';
import type { HttpRequest, NotModifiedResponse, Fetch } from '../client/http-client-types.js';

/** States what the response body should contain. */
export interface SourceRequest extends HttpRequest {
  readonly expected: ExpectedBody;
  /** Absent: not traced. */
  readonly trace?: TraceSpan | undefined;
}

export interface PageResponse {
  header(name: string): string | undefined;
  /** A failure (`schema`) if the body is JSON but not what was requested. */
  readonly pageOrFailure: SourcePage<DraftRecord> | SourceFailure;
  /** Decoded. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

export type SourceResponse = PageResponse | NotModifiedResponse;

export type SourceFetch = Fetch<SourceResponse, SourceRequest>;
