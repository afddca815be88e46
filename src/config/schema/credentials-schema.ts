import { HEADER_LINE, MAX_FIELD_LENGTH, TAKEN_FIELDS } from './request-header-schema.js';
import { patternField, scalar, section } from './schema-builders.js';

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

function readHeader(text: string): NamedValue | undefined {
  const [, name = '', value = ''] = HEADER_LINE.exec(text) ?? [];
  const field = name.toLowerCase();
  return value === '' || text.length > MAX_FIELD_LENGTH || TAKEN_FIELDS.has(field) ? undefined : { name: field, value };
}

function readParameter(text: string): NamedValue | undefined {
  const [, name = '', value = ''] = /^([\w.~][\w.~-]*)=([^\p{Cc}]+)$/u.exec(text) ?? [];
  return value === '' || text.length > MAX_FIELD_LENGTH || !text.isWellFormed() ? undefined : { name, value };
}

/** Read by the rules between settings, too (operation 2.8.12). */
export const credentialParameter = scalar('NAME=VALUE, with a name of letters, digits and _.~-', readParameter);

/** Read by the rules between settings, too. */
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

export const credentials = section({ public: form.optional(), members: form.optional() });
