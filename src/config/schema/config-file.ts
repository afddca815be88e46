import { logLevels } from '../../model/log.js';
import { type Output, flag, integer, list, mapping, section, secret, setting, text, word } from './setting-types.js';
import { defaults, sources } from './source.js';
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
const server = section({
  name: setting(gatewayName.optional(), 'name of this gateway in Via'),
  host: setting(host.default('127.0.0.1'), 'address to listen on'),
  port: setting(port.default(8080), 'port to listen on; 0 takes a free port, which the log names'),
  publicUrl: setting(baseUrl.optional(), 'address at which clients reach this gateway', 'answers'),
  explorer: section({ enabled: setting(flag.default(true), 'whether the pages are served') }),
  limit: section({
    default: setting(integer(1).default(100), 'records in a response if the query has no limit parameter', 'answers'),
    max: setting(integer(1).default(10_000), 'maximum number of records in a response', 'answers'),
  }),
  deadline: setting(duration.default(10_000), 'time for a complete response'),
  log: setting(
    word('none, errors or all', ['none', 'errors', 'all']).default('all'),
    'requests to log: none, errors (status 400 and above) or all',
  ),
  logLevel: setting(
    word('debug, info, warn or error', logLevels).default('info'),
    'least severe level of log lines: debug, info, warn or error',
  ),
  trustProxy: setting(list('addresses of proxies', trustedProxy), 'proxies whose X-Forwarded-For is trusted'),
  limits: section({
    rate: setting(rate.optional(), 'requests of one address without a valid credential, else 429'),
  }),
});

/** The operator's endpoints (operation 2.4). */
const admin = section({
  host: setting(host.default('127.0.0.1'), 'address to listen on'),
  port: setting(port.default(9090), 'port to listen on; 0 takes a free port, which the log names'),
  ready: setting(
    word('listeners or data', ['listeners', 'data']).default('listeners'),
    'with data, /readyz is 503 while a resource is served of which no source has data',
  ),
  keySha256: setting(keySha256.optional(), 'SHA-256 hash of the key that actions (POST) on the admin port need'),
});

/** A shorter secret can be guessed by anybody who can read what it encrypts. */
const redisKey = secret(text('a secret of at least 32 characters', /^[^\p{Cc}]{32,}$/u));

/** Paths are relative to the working directory (operation 2.5). */
const cache = section({
  memory: setting(size.default(2 ** 28), 'memory for all cached data'),
  disk: setting(file.optional(), 'folder that keeps the snapshots of public lists across restarts'),
  redis: setting(redisUrl.optional(), 'Redis server that several instances share'),
  redisKey: setting(redisKey.optional(), 'secret that authenticates and encrypts the data in Redis'),
});

/** A client may have two keys, which are two entries with the same name (operation 2.6.2). */
const client = section({
  name: setting(name, 'name of the client in the log and the metrics'),
  keySha256: setting(keySha256, 'SHA-256 hash of the key'),
  access: setting(accessLevel, 'access level of the client'),
  expires: setting(expiry.optional(), 'time from which the key is refused'),
  rate: setting(rate.optional(), 'requests of the client, else 429'),
});

const claimValue = text('text, without control characters', /^[^\p{Cc}]+$/u);

/** An issuer of tokens (operation 2.6.3). */
const issuer = section({
  url: setting(issuerUrl, 'issuer identifier, exactly as in iss'),
  audience: setting(name, 'audience that a token must have in aud'),
  membersClaim: mapping(setting(claimValue, 'value that the claim must have'), 'claims to values').refine(
    (claims) => Object.keys(claims).length > 0,
    { error: 'must have at least one claim' },
  ),
  rate: setting(rate.optional(), 'requests of each subject, else 429'),
});

/** A scope that is not named needs what it needs by default (operation 2.6). */
const access = section({
  scopes: section({
    pgp: setting(accessLevel.exactOptional(), 'access level for scope=pgp', 'answers'),
    minimal: setting(accessLevel.exactOptional(), 'access level for scope=minimal', 'answers'),
    country: setting(accessLevel.exactOptional(), 'access level for scope=country', 'answers'),
  }),
  clients: list('clients', client),
  issuer: issuer.optional(),
});

/** The only list of the settings (operation 2), with their defaults, descriptions, secrets and effects. */
export const configFile = section({
  server,
  admin,
  cache,
  access,
  /** (operation 2.9) */
  samples: mapping(setting(port, 'loopback port of the sample repository of that name'), 'names to ports'),
  defaults,
  sources,
});

/** Defaults are applied, but for those of a source. Durations are in milliseconds, sizes in bytes. */
export type ConfigFile = Output<typeof configFile>;

export type RegisteredSource = ConfigFile['sources'][string];
