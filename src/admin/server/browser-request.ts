import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { parseUrl } from '../../text/url.js';
import { createTextResponse } from './admin-response.js';
import type { AdminResponse } from './admin-response.js';

/** Whether a page of another site has caused the request (Fetch Metadata). Programs do not send the field. */
export function isCrossSiteRequest({ headers }: IncomingMessage): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/**
 * Refuses what pages of other sites make the browser of an operator request (operation 3.1); undefined: nothing speaks
 * against the request. A link to a page may be followed. `adminHost` is the address on which the admin port listens.
 */
export function refuseForeignBrowserRequest(request: IncomingMessage, adminHost: string): AdminResponse | undefined {
  const { method, headers } = request;
  if (isLoopbackName(adminHost) && !isLoopbackHostField(headers.host)) return createTextResponse(421, FOREIGN_HOST);
  const isRefused = method === 'POST' ? isForeignPost(headers) : isCrossSiteRequest(request) && !isNavigation(headers);
  return isRefused ? createTextResponse(403, 'pages of other sites cannot use this port') : undefined;
}

const FOREIGN_HOST =
  'the host name of the request is not that of this port: as it listens on a loopback address, ' +
  'use that address or localhost';

function isForeignPost(headers: IncomingHttpHeaders): boolean {
  const { origin, host = '' } = headers;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && parseUrl(origin)?.host !== parseUrl(`http://${host}`)?.host;
}

/** Whether the response is shown as a page of its own, so that the page that caused the request cannot read it. */
function isNavigation(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.[\d.]+$/.test(name);
}

/**
 * Whether the Host field has an IP address or a name of the loopback interface. Any other name may be that of a site
 * which has given its name this address, so that a browser takes its page and this port for one site (DNS rebinding).
 */
function isLoopbackHostField(host: string | undefined): boolean {
  if (host === undefined) return true;
  const name = parseUrl(`http://${host}`)?.hostname ?? '';
  return isLoopbackName(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) > 0;
}
