import type { TraceSpan } from '../model/tracer.js';
import type { RequestLogFields } from './log/access-log.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';
import type { RequestTarget } from './request/request-target.js';

/** GET or HEAD. */
export interface PageRequest extends RequestTarget {
  /** Named groups of the route's pattern, percent-decoded. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Several Prefer fields are joined by commas; empty where the request has none. */
  readonly prefer: string;
  /** Absent: the request is not traced. */
  readonly trace?: TraceSpan | undefined;
  /** See `QueryOptions.client`. Absent: an unknown client. */
  readonly client?: string | undefined;
}

/** A page for browsers, a file of pages, or other data beside the interfaces (operation 4.2). */
export interface PageRoute {
  /** Matches exact paths. Paths of the interfaces take precedence. */
  readonly pattern: RegExp;
  /** For the span of a request (operation 7.2). */
  readonly route: string;
  /** Data for programs, with the header fields of the interfaces (decisions 2.37), and not a page. */
  readonly isData?: true;
  /** Adds fields to the log line. */
  readonly handle: (request: PageRequest, logFields: RequestLogFields) => OutgoingResponse | Promise<OutgoingResponse>;
}
