import { hasWebProtocol, parseUrl } from '../../text/url.js';

/** In characters. A longer text is no address: parsing takes long. */
const MAX_ADDRESS_LENGTH = 65_536;

/** The parser would join two addresses with a line feed between them, and change `\` to `/`. */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/** A URI (RFC 3986) of the web; undefined if the text is none, is ambiguous, or is too long. */
export function findWebAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined;
  const trimmed = text.trim();
  const url = AMBIGUOUS.test(trimmed) ? undefined : parseUrl(trimmed);
  return url !== undefined && hasWebProtocol(url) && URI_HOST.test(url.hostname) ? encodeAsUri(url) : undefined;
}

/** RFC 3986, section 3.2.2. The parser also accepts names such as `a{b}`. */
const URI_HOST = /^(?:[\w.~!$&'()*+,;=-]+|\[[\da-f:.]+\])$/i;

const STRAY_PERCENT = /%(?![\da-f]{2})/gi;

/** Outside of a path and a query (RFC 3986, sections 3.3 and 3.4). The parser leaves nothing beyond ASCII. */
const NOT_IN_URI = /[^\w.~!$&'()*+,;=:@/?%-]/g;

/** Percent-encodes what the parser accepts and a URI must not contain. */
function encodeAsUri({ href, protocol }: URL): string {
  const pathStart = href.indexOf('/', protocol.length + 2);
  const [beforeFragment = '', ...fragment] = href.slice(pathStart).split('#');
  const parts = [beforeFragment, ...(fragment.length === 0 ? [] : [fragment.join('#')])];
  const encoded = parts.map((part) => part.replace(NOT_IN_URI, encodeCharacter)).join('#');
  return (href.slice(0, pathStart) + encoded).replace(STRAY_PERCENT, '%25');
}

function encodeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}
