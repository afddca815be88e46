import { formatHref } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import { createContext, renderHtmlDocument, useContext } from '../../html/html.js';
import type { VNode } from '../../html/html.js';

/** A link to this gateway, below the path of `server.public-url`. `path` is the path that the gateway serves. */
type FormatAddress = (path: string, parameters?: PageParameters) => string;

const PublicPath = createContext('');

/** Without a slash at the end (operation 2.3.12). Empty where the public URL is empty or has no path. */
export function readPublicPath(publicUrl: string): string {
  const path = publicUrl === '' ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');
  // A reference that begins with two slashes names another host (RFC 3986, section 4.2).
  return path.startsWith('//') ? `/.${path}` : path;
}

/** Links lead below the public path. */
export function renderPage(page: VNode, publicPath: string): string {
  return renderHtmlDocument(<PublicPath.Provider value={publicPath}>{page}</PublicPath.Provider>);
}

/** Links have no scheme and no host, so that a page works under each host name. Only components call it. */
export function useAddress(): FormatAddress {
  const publicPath = useContext(PublicPath);
  return (path, parameters = []) => formatHref(publicPath + path, parameters);
}
