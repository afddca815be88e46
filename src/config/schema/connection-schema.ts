import { parseUrl } from '../../text/url.js';
import { patternField, scalar, section } from './schema-builders.js';
import { file } from './value-types.js';

/** No IP address, which must not be sent as a server name (RFC 6066, section 3). */
const serverName = patternField(
  'a host name',
  /^(?=.{1,253}$)(?!.*(?:^|\.)\d+$)[a-z\d_](?:[\w-]*\w)?(?:\.[a-z\d_](?:[\w-]*\w)?)*$/i,
);

/** (operation 2.8.14) */
export const tls = section({
  ca: file.optional(),
  cert: file.optional(),
  key: file.optional(),
  'server-name': serverName.optional(),
});

export const PROXY_DESCRIPTION = 'an http or https URL of a proxy, such as http://proxy.example.org:3128';

/** (operation 2.8.15) */
export const proxy = scalar(`${PROXY_DESCRIPTION}, or none`, (text) => (text === 'none' ? text : readProxyUrl(text)));

/** With `USER:PASSWORD@` where the proxy requires it; undefined for any other text. */
export function readProxyUrl(text: string): string | undefined {
  const url = /^https?:\/\/(?:[^\s\\?#@/:]+:[^\s\\?#@/]+@)?[^\s\\?#@/]+\/?$/i.test(text) ? parseUrl(text) : undefined;
  return url !== undefined && isDecodable(url.username + url.password) ? url.href : undefined;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
