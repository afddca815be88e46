import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseRequestTarget } from '../../http/request/request-target.js';
import { parseUrl } from '../../text/url.js';
import { createTextResponse } from './admin-response.js';
import type { AdminResponse } from './admin-response.js';

/** A page of another site has caused the request (Fetch Metadata). Programs do not send the field. */
export function isCrossSiteRequest({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/**
 * Refuses what pages of other sites make an operator's browser request (operation 3.1); undefined: not refused. A link
 * to a page may be followed. `adminHost`: the address of the admin port.
 */
export function refuseForeignBrowserRequest(request: IncomingMessage, adminHost: string): AdminResponse | undefined {
  const { method, headers } = request;
  if (!isOwnHost(request, adminHost.toLowerCase())) return createTextResponse(421, FOREIGN_HOST);
  const isRefused = method === 'POST' ? isForeignPost(headers) : isCrossSiteRequest(request) && !isNavigation(headers);
  return isRefused ? createTextResponse(403, 'pages of other sites cannot use this port') : undefined;
}

const FOREIGN_HOST =
  'the host name of the request is not that of this port: use the IP address, localhost on this machine, or admin.host';

function isForeignPost(headers: IncomingHttpHeaders): boolean {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && parseUrl(origin)?.host !== parseUrl(`http://${host}`)?.host;
}

/** The response is a page of its own, so that the page that caused the request cannot read it. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.[\d.]+$/.test(name);
}

/**
 * Requested by probes and Prometheus under any name of the machine. They have neither records nor the configuration.
 */
const PROBED_PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Whether no other site can have the name in Host. Another site may have given its name the address of this port, so
 * that a browser takes its page and this port for one site (DNS rebinding).
 */
function isOwnHost({ headers: { host }, url = '' }: IncomingMessage, adminHost: string): boolean {
  if (host === undefined) return true;
  const name = parseUrl(`http://${host}`)?.hostname ?? '';
  if (isLoopbackName(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0) return true;
  if (isLoopbackName(adminHost)) return false;
  return name === adminHost || isPrivateName(name) || PROBED_PATHS.has(parseRequestTarget(url).path);
}

/** Public DNS has neither single labels nor the endings `.internal` (reserved by ICANN) and `.local` (RFC 6762). */
function isPrivateName(name: string): boolean {
  return /^[^.]+$|\.(?:internal|local)$/.test(name);
}
