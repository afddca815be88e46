import { logLevels } from '../../model/log.js';
import { decides, flag, integer, list, mapping, section, secret, text, word } from './setting-types.js';
import {
  accessLevel,
  baseUrl,
  duration,
  expiry,
  file,
  host,
  issuerUrl,
  keySha256,
  name,
  port,
  rate,
  redisUrl,
  size,
  trustedProxy,
} from './values.js';

/**
 * A token (RFC 9110, section 5.6.2) of the length that is read in `Via`: with a longer name, a gateway could not
 * recognize itself (decisions 5.22).
 */
const gatewayName = text(
  "a token of at most 64 characters: letters, digits and !#$%&'*+.^_`|~-",
  /^[\w!#$%&'*+.^`|~-]{1,64}$/,
);

/** The public port and responses (operation 2.3). */
export const server = section({
  name: gatewayName.optional().describe('name of this gateway in Via'),
  host: host.default('127.0.0.1').describe('address to listen on'),
  port: port.default(8080).describe('port to listen on; 0 takes a free port, which the log names'),
  publicUrl: decides('answers', baseUrl.optional().describe('address at which clients reach this gateway')),
  explorer: section({ enabled: flag.default(true).describe('whether the pages are served') }),
  limit: section({
    default: decides('answers', integer(1).default(100).describe('records in a response if the query has no limit')),
    max: decides('answers', integer(1).default(10_000).describe('maximum number of records in a response')),
  }),
  deadline: duration.default(10_000).describe('time for a complete response'),
  log: word('none, errors or all', ['none', 'errors', 'all']).default('all').describe('requests to log'),
  logLevel: word('debug, info, warn or error', logLevels).default('info').describe('least severe level of log lines'),
  concurrency: integer(1).default(64).describe('concurrent requests to all sources together'),
  trustProxy: list('addresses of proxies', trustedProxy).describe('proxies whose X-Forwarded-For is trusted'),
  limits: section({
    connections: integer(1).default(10_000).describe('open connections'),
    body: size.default(65_536).describe('size of the body of a request, which is read and discarded'),
    rate: rate.optional().describe('requests of one address without a valid credential, else 429'),
  }),
});

/** The operator's endpoints (operation 2.4). */
export const admin = section({
  host: host.default('127.0.0.1').describe('address to listen on'),
  port: port.default(9090).describe('port to listen on; 0 takes a free port, which the log names'),
  ready: word('listeners or data', ['listeners', 'data'])
    .default('listeners')
    .describe('with data, /readyz is 503 while a resource is served of which no source has data'),
  keySha256: keySha256.optional().describe('SHA-256 hash of the key that actions (POST) on the admin port need'),
});

/** A shorter secret can be guessed by anybody who can read what it encrypts. */
const redisKey = secret(text('a secret of at least 32 characters', /^[^\p{Cc}]{32,}$/u));

/** Paths are relative to the working directory (operation 2.5). */
export const cache = section({
  memory: size.default(2 ** 28).describe('memory for all cached data'),
  state: file.optional().describe('file that preserves Last-Modified and the shrink guard across restarts'),
  disk: file.optional().describe('folder that keeps the snapshots of public lists across restarts'),
  redis: redisUrl.optional().describe('Redis server that several instances share'),
  redisKey: redisKey.optional().describe('secret that authenticates and encrypts the data in Redis'),
});

/** A client may have two keys, which are two entries with the same name (operation 2.6.2). */
const client = section({
  name: name.describe('name of the client in the log and the metrics'),
  keySha256: keySha256.describe('SHA-256 hash of the key'),
  access: accessLevel.describe('access level of the client'),
  expires: expiry.optional().describe('time from which the key is refused'),
  rate: rate.optional().describe('requests of the client, else 429'),
});

/** With a public key (RFC 7518, section 3.1; RFC 8037; RFC 9864). */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const claimValue = text('text, without control characters', /^[^\p{Cc}]+$/u);

/** An issuer of tokens (operation 2.6.3). */
const issuer = section({
  url: issuerUrl.describe('issuer identifier, exactly as in iss'),
  audience: name.describe('audience that a token must have in aud'),
  algorithms: list('signature algorithms', word(`one of ${ALGORITHMS.join(', ')}`, ALGORITHMS))
    .refine((names) => names.length > 0, { error: 'must name at least one signature algorithm' })
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe('accepted signature algorithms, at least one'),
  membersClaim: mapping(claimValue.describe('value that the claim must have'), 'claims to values').refine(
    (claims) => Object.keys(claims).length > 0,
    { error: 'must have at least one claim' },
  ),
  rate: rate.optional().describe('requests of each subject, else 429'),
});

/** A scope that is not named needs what it needs by default (operation 2.6). */
export const access = section({
  scopes: section({
    pgp: decides('answers', accessLevel.exactOptional().describe('access level for scope=pgp')),
    minimal: decides('answers', accessLevel.exactOptional().describe('access level for scope=minimal')),
    country: decides('answers', accessLevel.exactOptional().describe('access level for scope=country')),
  }),
  clients: list('clients', client),
  issuer: issuer.optional(),
});
