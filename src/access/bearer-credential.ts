/** `anonymous`: no Authorization field. `malformed`: anything but one bearer token (decisions 8.1). */
type BearerCredential =
  | { readonly state: 'anonymous' }
  | { readonly state: 'present'; readonly token: string }
  | { readonly state: 'malformed' };

/** In characters. Node.js limits all fields of a request together to 16 KiB too. */
export const MAX_BEARER_TOKEN_LENGTH = 16 * 1024;

/** `b64token` of RFC 6750, section 2.1. */
const BEARER_TOKEN = /^[\w\-.~+/]+=*$/;

/** Before the token. The scheme is case-insensitive (RFC 9110, section 11.1). */
const SCHEME = /^bearer {1,8}(?! )/i;

/** `fields`: all Authorization fields. Several are malformed: which of them counts is not defined. */
export function readBearerCredential(fields: readonly string[]): BearerCredential {
  const [field, ...others] = fields;
  if (field === undefined) return { state: 'anonymous' };
  const scheme = SCHEME.exec(field)?.[0];
  if (scheme === undefined || others.length > 0) return { state: 'malformed' };
  const token = field.slice(scheme.length);
  return isBearerToken(token) ? { state: 'present', token } : { state: 'malformed' };
}

/** Also false for a text that is too long. */
export function isBearerToken(text: string): boolean {
  return text.length <= MAX_BEARER_TOKEN_LENGTH && BEARER_TOKEN.test(text);
}
