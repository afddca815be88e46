import type { TraceSpan } from '../model/tracer.js';
import type { RequestLogFields } from './log/access-log.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import type { RequestTarget } from './request/request-target.js';

/** A GET or HEAD request for a page. */
export interface PageRequest extends RequestTarget {
  /** Texts of the named groups of the route's pattern, percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The Prefer field, several joined by commas; empty where the request has none. */
  readonly prefer: string;
  /** Span of the request. Absent: it is not traced. */
  readonly trace?: TraceSpan | undefined;
  /** Whose request it is (`QueryOptions.client`). Absent: an unknown client. */
  readonly client?: string | undefined;
}

/** A page for browsers, a file that pages use, or other data beside the interfaces (operation 4.2). */
export interface PageRoute {
  /** Pattern of the exact paths. Paths of the interfaces take precedence. */
  readonly pattern: RegExp;
  /** Template of these paths, for the span of a request (operation 7.2). */
  readonly route: string;
  /** Whether it is data for programs, with the header fields of the interfaces (decisions 2.37), and not a page. */
  readonly isData?: true;
  /** Creates the response, and adds fields to the log line. */
  readonly handle: (request: PageRequest, logFields: RequestLogFields) => OutgoingResponse | Promise<OutgoingResponse>;
}
