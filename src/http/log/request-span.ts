import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Resource } from '../../model/resource.js';
import type { TraceSpan, Tracer } from '../../model/tracer.js';
import type { RequestLogFields } from './access-log.js';

/** Methods that OpenTelemetry's semantic conventions know. A span names any other one `_OTHER`. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'],
]);

/** What the span of a request states besides the request. */
export interface RequestSpanOptions {
  readonly tracer: Tracer;
  /** Template of the route, such as `{directory_url}/teams`; undefined for a request that no route matches. */
  readonly route: string | undefined;
  /** Fields of the log line, which are complete when the response has been sent. */
  readonly fields: Pick<RequestLogFields, 'status' | 'resource' | 'format' | 'cache'>;
}

/**
 * Starts the span of a request (operation 7.2). It ends when the response has been sent or the client has disconnected.
 * It continues the trace of the client, if the request has a valid `traceparent`.
 */
export function startRequestSpan(
  request: IncomingMessage,
  response: ServerResponse,
  { tracer, route, fields }: RequestSpanOptions,
): TraceSpan {
  const { method = '' } = request;
  const known = KNOWN_METHODS.has(method);
  const name = [known ? method : 'HTTP', ...(route === undefined ? [] : [route])].join(' ');
  const attributes = { 'http.request.method': known ? method : '_OTHER', 'http.route': route };
  const { traceparent, tracestate } = request.headers;
  const span = tracer.startRequest({
    name,
    attributes,
    traceparent: joinField(traceparent),
    tracestate: joinField(tracestate),
  });
  response.once('close', () => {
    const { status = response.statusCode, resource, format, cache } = fields;
    span.setAttributes({
      'http.response.status_code': status,
      'rollcall.resource': resource,
      'rollcall.format': format,
      'rollcall.cache': cache,
      'rollcall.aborted': response.writableFinished ? undefined : true,
    });
    span.end(status >= 500 ? String(status) : undefined);
  });
  return span;
}

/** Repeated fields are one list (RFC 9110, section 5.3), which is no valid `traceparent`. */
function joinField(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.join(', ');
}

/** A path below the base path of an interface. */
export interface RoutedPath extends Pick<Resource, 'interfaceName'> {
  readonly path: string;
}

/** The route of the list of a resource; `suffix` is the rest of the path of a single record. */
export function formatRoute({ interfaceName, path }: RoutedPath, suffix = ''): string {
  return `{${interfaceName}_url}/${path}${suffix}`;
}
