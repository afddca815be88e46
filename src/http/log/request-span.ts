import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Resource } from '../../model/resource.js';
import type { TraceSpan, Tracer } from '../../model/tracer.js';
import type { RequestLogFields } from './access-log.js';

/** Of OpenTelemetry's semantic conventions. A span names any other method `_OTHER`. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'],
]);

interface RequestSpanOptions {
  readonly tracer: Tracer;
  /** Such as `{directory_url}/teams`; undefined for a request that no route matches. */
  readonly route: string | undefined;
  /** Complete when the response has been sent. */
  readonly fields: Pick<RequestLogFields, 'status' | 'resource' | 'format' | 'cache'>;
}

/** Ends when the response has been sent or the client has disconnected. Continues a valid `traceparent`. */
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

/** Below the base path of an interface. */
interface RoutedPath extends Pick<Resource, 'interfaceName'> {
  readonly path: string;
}

/** `suffix` is the rest of the path of a single record. */
export function formatRoute({ interfaceName, path }: RoutedPath, suffix = ''): string {
  return `{${interfaceName}_url}/${path}${suffix}`;
}
