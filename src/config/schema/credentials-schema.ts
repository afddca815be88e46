import { HEADER_LINE, MAX_FIELD_LENGTH, TAKEN_FIELDS } from './request-header-schema.js';
import { patternField, scalar, section } from './schema-builders.js';

/** A name and a value of a credential. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Reads `NAME: VALUE`. The name is returned in lower case. */
function readHeader(text: string): NamedValue | undefined {
  const [, name = '', value = ''] = HEADER_LINE.exec(text) ?? [];
  const field = name.toLowerCase();
  return value === '' || text.length > MAX_FIELD_LENGTH || TAKEN_FIELDS.has(field) ? undefined : { name: field, value };
}

/** Reads `NAME=VALUE`. Both are sent percent-encoded. */
function readParameter(text: string): NamedValue | undefined {
  const [, name = '', value = ''] = /^([\w.~][\w.~-]*)=([^\p{Cc}]+)$/u.exec(text) ?? [];
  return value === '' || text.length > MAX_FIELD_LENGTH || !text.isWellFormed() ? undefined : { name, value };
}

/** Setting of a query parameter that the rules between settings read as well (operation 2.8.12). */
export const credentialParameter = scalar('NAME=VALUE, with a name of letters, digits and _.~-', readParameter);

/** Setting of a header field that the rules between settings read as well. */
export const credentialHeader = scalar(
  'NAME: VALUE, with a name that neither Rollcall nor HTTP itself sets',
  readHeader,
);

const form = section({
  bearer: patternField('a token of at most 4096 visible ASCII characters', /^[\x21-\x7e]{1,4096}$/).optional(),
  basic: patternField(
    'USER:PASSWORD of at most 4096 characters, without control characters',
    /^(?=.{1,4096}$)[^\p{Cc}:]*:[^\p{Cc}]*$/u,
  ).optional(),
  header: credentialHeader.optional(),
  query: credentialParameter.optional(),
}).refine((forms) => Object.values(forms).filter((one) => one !== undefined).length === 1, {
  error: 'must have exactly one of bearer, basic, header and query',
});

/** Schema of the credentials of one source, by access level. */
export const credentials = section({ public: form.optional(), members: form.optional() });
