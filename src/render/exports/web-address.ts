import { hasWebProtocol, parseUrl } from '../../text/url.js';

/** Maximum length of an address, in characters. A longer text is none: parsing takes long. */
const MAX_ADDRESS_LENGTH = 65_536;

/**
 * Characters that the parser drops or changes: two addresses with a line feed between them would become one that does
 * not exist, and `\` becomes `/`.
 */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/** The text as an address of the web that is a URI (RFC 3986); undefined if it is none, is ambiguous, or is too long. */
export function findWebAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined;
  const trimmed = text.trim();
  const url = AMBIGUOUS.test(trimmed) ? undefined : parseUrl(trimmed);
  return url !== undefined && hasWebProtocol(url) && URI_HOST.test(url.hostname) ? encodeAsUri(url) : undefined;
}

/** A host of RFC 3986, section 3.2.2: the parser also accepts names such as `a{b}`. */
const URI_HOST = /^(?:[\w.~!$&'()*+,;=-]+|\[[\da-f:.]+\])$/i;

const STRAY_PERCENT = /%(?![\da-f]{2})/gi;

/** All but the characters of a path and a query of RFC 3986, sections 3.3 and 3.4. The parser leaves nothing beyond ASCII. */
const NOT_IN_URI = /[^\w.~!$&'()*+,;=:@/?%-]/g;

/** Percent-encodes what the parser accepts in the path, the query and the fragment, and a URI must not contain. */
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
