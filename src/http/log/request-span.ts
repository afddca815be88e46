import type { IncomingMessage } from 'node:http';
import type { Resource } from '../../model/resource.js';
import type { TraceSpan, Tracer } from '../../model/tracer.js';

/** Of OpenTelemetry's semantic conventions. A span names any other method `_OTHER`. */
const KNOWN_METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT'],
]);

/**
 * Continues a valid `traceparent`. `route`: such as `{directory_url}/teams`; undefined for a request that no route
 * matches.
 */
export function startRequestSpan(request: IncomingMessage, tracer: Tracer, route: string | undefined): TraceSpan {
  const { method = '' } = request;
  const known = KNOWN_METHODS.has(method);
  const name = [known ? method : 'HTTP', ...(route === undefined ? [] : [route])].join(' ');
  const attributes = { 'http.request.method': known ? method : '_OTHER', 'http.route': route };
  const { traceparent, tracestate } = request.headers;
  return tracer.startRequest({
    name,
    attributes,
    traceparent: joinField(traceparent),
    tracestate: joinField(tracestate),
  });
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
