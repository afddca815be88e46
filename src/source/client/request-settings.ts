import type { SourceConnection } from '../../model/registration/source-connection.js';
import type { HttpResponse, Layer } from './http-client-types.js';

export interface RequestSettings {
  /** TLS and proxies (operation 2.8.14, 2.8.15). Absent: those of Node.js, and none. */
  readonly connection?: SourceConnection | undefined;
  /** Further header fields, by name in lower case (operation 2.8.18). Absent: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Directly above the transport, as credentials are: redirects within the origin have the settings too, and no other
 * origin sees the header fields.
 */
export function withRequestSettings({ connection, headers }: RequestSettings): Layer<HttpResponse> {
  return (next) => (request, signal) =>
    next({ url: request.url, headers: { ...request.headers, ...headers }, connection }, signal);
}
