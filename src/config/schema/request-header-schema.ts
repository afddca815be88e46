import { mapping, patternField } from './schema-builders.js';

/** Header fields that Rollcall or HTTP itself sets in a request, in lower case. A credential must not replace them. */
export const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  ...[
    'host',
    'connection',
    'keep-alive',
    'proxy-connection',
    'proxy-authorization',
    'content-length',
    'transfer-encoding',
    'te',
    'trailer',
  ],
  ...[
    'upgrade',
    'expect',
    'via',
    'user-agent',
    'accept',
    'accept-encoding',
    'prefer',
    'range',
    'traceparent',
    'tracestate',
  ],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]);

/** Maximum length of a header field, or of a credential in another form. Servers accept fields of some 8 KiB together. */
export const MAX_FIELD_LENGTH = 4096;

/** The name of a header field is a token (RFC 9110, section 5.1). */
const NAME = "[\\w!#$%&'*+.^`|~-]+";

/** Visible ASCII characters and spaces: other characters are read differently by different servers. */
const VALUE = '[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?';

/** Whether a text is the name of a header field. */
export function isFieldName(text: string): boolean {
  return new RegExp(`^${NAME}$`).test(text);
}

/** A header field as `NAME: VALUE`: its name, in lower case, and its value. */
export const HEADER_LINE = new RegExp(`^(${NAME}):[\\t ]*(${VALUE})$`);

/** Schema of further request header fields of a source (operation 2.8.18). The rules between settings check the names. */
export const requestHeaders = mapping(
  patternField(
    `text of at most ${MAX_FIELD_LENGTH} visible ASCII characters and spaces`,
    new RegExp(`^(?=.{1,${MAX_FIELD_LENGTH}}$)${VALUE}$`),
  ),
  'names of header fields to values',
);
