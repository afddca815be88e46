import { patternField, scalar, section } from './schema-builders.js';

/** Header fields that Rollcall or HTTP itself sets in a request. A credential must not replace them. */
const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'content-length', 'transfer-encoding', 'te', 'trailer'],
  ...['upgrade', 'expect', 'via', 'user-agent', 'accept', 'accept-encoding', 'prefer', 'range', 'traceparent'],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]);

/** Maximum length of a credential. Servers accept header fields of some 8 KiB together. */
const MAX_LENGTH = 4096;

/** A name and a value of a credential. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/**
 * Reads `NAME: VALUE`. The name is a token (RFC 9110, section 5.1) and is returned in lower case. The value consists of
 * visible ASCII characters and spaces: other characters are read differently by different servers.
 */
function readHeader(text: string): NamedValue | undefined {
  const [, name = '', value = ''] =
    /^([\w!#$%&'*+.^`|~-]+):[\t ]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/.exec(text) ?? [];
  const field = name.toLowerCase();
  return value === '' || text.length > MAX_LENGTH || TAKEN_FIELDS.has(field) ? undefined : { name: field, value };
}

/** Reads `NAME=VALUE`. Both are sent percent-encoded. */
function readParameter(text: string): NamedValue | undefined {
  const [, name = '', value = ''] = /^([\w.~][\w.~-]*)=([^\p{Cc}]+)$/u.exec(text) ?? [];
  return value === '' || text.length > MAX_LENGTH || !text.isWellFormed() ? undefined : { name, value };
}

/** Setting of a query parameter that the rules between settings read as well (operation 2.8.12). */
export const credentialParameter = scalar('NAME=VALUE, with a name of letters, digits and _.~-', readParameter);

const form = section({
  bearer: patternField('a token of at most 4096 visible ASCII characters', /^[\x21-\x7e]{1,4096}$/).optional(),
  basic: patternField(
    'USER:PASSWORD of at most 4096 characters, without control characters',
    /^(?=.{1,4096}$)[^\p{Cc}:]*:[^\p{Cc}]*$/u,
  ).optional(),
  header: scalar('NAME: VALUE, with a name that neither Rollcall nor HTTP itself sets', readHeader).optional(),
  query: credentialParameter.optional(),
}).refine((forms) => Object.values(forms).filter((one) => one !== undefined).length === 1, {
  error: 'must have exactly one of bearer, basic, header and query',
});

/** Schema of the credentials of one source, by access level (operation 2.8.12). */
export const credentials = section({ public: form.optional(), members: form.optional() });
