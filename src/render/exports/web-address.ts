import { parseUrl } from '../../text/url.js';

const WEB_PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:']);

/** Maximum length of an address, in characters. A longer text is none: parsing takes long. */
const MAX_ADDRESS_LENGTH = 65_536;

/** The text as an address of the web in ASCII; undefined if it is none, or is too long. */
export function findWebAddress(text: string): string | undefined {
  const url = text.length > MAX_ADDRESS_LENGTH ? undefined : parseUrl(text);
  return url !== undefined && WEB_PROTOCOLS.has(url.protocol) ? url.href : undefined;
}
