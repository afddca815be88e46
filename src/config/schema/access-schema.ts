import { parseIsoDate } from '../../text/iso-date.js';
import { name, rate, readUrl } from './value-types.js';
import { list, mapping, patternField, scalar, section, word } from './schema-builders.js';

const accessLevel = word('public or members', ['public', 'members']);

/** SHA-256 of the empty string: of a variable or file without content. */
const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

function readKeyHash(text: string): string | undefined {
  const hash = text.toLowerCase();
  return /^[0-9a-f]{64}$/.test(hash) && hash !== HASH_OF_NOTHING ? hash : undefined;
}

/** Without `Z` or an offset, an operator might mean local time. */
const EXPIRY = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/;

function readExpiry(text: string): number | undefined {
  return EXPIRY.test(text) ? parseIsoDate(text) : undefined;
}

/** Read by the rules between settings, too (operation 2.6.2). */
export const clientFields = {
  name,
  keySha256: scalar(
    'the SHA-256 hash of a key that is not empty, 64 hexadecimal digits; rollcall hash-key prints it',
    readKeyHash,
  ),
  access: accessLevel,
  rate: rate.optional(),
};

const client = section({
  name: clientFields.name,
  'key-sha256': clientFields.keySha256,
  access: clientFields.access,
  expires: scalar('a date such as 2027-03-31, or a time such as 2027-03-31T12:00:00Z', readExpiry).optional(),
  rate: clientFields.rate,
});

/** With a public key (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const DEFAULT_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'];

const issuer = section({
  url: scalar('an absolute http or https URL without credentials, query and fragment', (text) =>
    readUrl(text) === undefined ? undefined : text,
  ),
  audience: name,
  algorithms: list('signature algorithms', word(`one of ${ALGORITHMS.join(', ')}`, ALGORITHMS))
    .refine((names) => names.length > 0, { error: 'must name at least one signature algorithm' })
    .default(DEFAULT_ALGORITHMS),
  'members-claim': mapping(
    patternField('text, without control characters', /^[^\p{Cc}]+$/u),
    'claims to values',
  ).refine((claims) => Object.keys(claims).length > 0, { error: 'must have at least one claim' }),
  rate: rate.optional(),
});

/** A scope that is not named needs what it needs by default (operation 2.6). */
export const access = section({
  scopes: section({
    pgp: accessLevel.optional(),
    minimal: accessLevel.optional(),
    country: accessLevel.optional(),
  }),
  clients: list('clients', client),
  issuer: issuer.optional(),
});
