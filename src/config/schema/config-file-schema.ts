import { logLevels } from '../../model/log.js';
import { publishedDocument } from './published-document-schema.js';
import { access, clientFields } from './access-schema.js';
import { cache } from './cache-schema.js';
import { proxy, tls } from './connection-schema.js';
import { credentials } from './credentials-schema.js';
import { feeds } from './feed-schema.js';
import { requestHeaders } from './request-header-schema.js';
import { type Output, integer, list, mapping, patternField, scalar, section, word } from './schema-builders.js';
import { trustedProxy } from './trusted-proxy.js';
import {
  BASE_URL_DESCRIPTION,
  baseUrl,
  code,
  country,
  duration,
  durationOrNone,
  flag,
  gatewayName,
  host,
  name,
  port,
  rate,
  readSite,
  size,
} from './value-types.js';

export const fields = {
  code,
  number: integer(1, 999),
  sourceName: patternField('text of at least one character, without control characters', /^[^\p{Cc}]+$/u),
  serverPort: port.default(8080),
  adminPort: port.default(9090),
  samplePort: port,
  limitDefault: integer(1).default(100),
  limitMax: integer(1).default(10_000),
  baseUrl: baseUrl.optional(),
  property: patternField('a property name: letters, digits, _ and -', /^[\w-]+$/),
  name,
  aggregate: flag.default(false),
};

const server = section({
  name: gatewayName.optional(),
  host: host.default('127.0.0.1'),
  port: fields.serverPort,
  'public-url': baseUrl.optional(),
  explorer: section({ enabled: flag.default(true) }),
  limit: section({ default: fields.limitDefault, max: fields.limitMax }),
  deadline: duration.default(10_000),
  log: word('none, errors or all', ['none', 'errors', 'all']).default('all'),
  'log-level': word('debug, info, warn or error', logLevels).default('info'),
  concurrency: integer(1).default(64),
  'trust-proxy': list('addresses of proxies', trustedProxy),
  limits: section({
    connections: integer(1).default(10_000),
    body: size.default(64 * 1024),
    rate: rate.optional(),
  }),
});

const defaults = section({
  ttl: duration.default(60_000),
  'stale-while-revalidate': durationOrNone.default(300_000),
  'stale-if-error': duration.default(24 * 3_600_000),
  'confirm-shrink': duration.default(600_000),
  timeout: duration.default(5_000),
  retries: integer(0).default(1),
  concurrency: integer(1).default(4),
  'page-size': integer(1).default(100),
  'drain-threshold': integer(0).default(5_000),
  'max-body': size.default(16 * 2 ** 20),
  breaker: section({ failures: integer(1).default(5), cooldown: duration.default(30_000) }),
});

const capability = section({
  filters: list('parameters and properties', fields.name),
  sort: list('properties, with - before those in descending order', fields.name),
  search: flag.default(false),
  total: flag.default(false),
  exact: flag.default(false),
});

const source = section({
  number: fields.number,
  'source-name': fields.sourceName.optional(),
  site: scalar(BASE_URL_DESCRIPTION, readSite).optional(),
  directory: fields.baseUrl,
  data: fields.baseUrl,
  document: publishedDocument.optional(),
  feed: feeds.optional(),
  resources: list('resources', word('teams, news or channels', ['teams', 'news', 'channels'])),
  required: flag.default(false),
  aggregate: fields.aggregate,
  prefixes: list('codes', code),
  coverage: section({ countries: list('country codes', country) }),
  properties: list('property names', fields.property),
  tolerates: list('total, drift and paging', word('total, drift or paging', ['total', 'drift', 'paging'])),
  'all-keys-public': flag.default(false),
  credentials,
  headers: requestHeaders,
  tls,
  proxy: proxy.optional(),
  supports: section({ teams: capability.optional(), news: capability.optional(), channels: capability.optional() }),
  ttl: duration.optional(),
  'stale-while-revalidate': durationOrNone.optional(),
  'stale-if-error': duration.optional(),
  'confirm-shrink': duration.optional(),
  timeout: duration.optional(),
  retries: integer(0).optional(),
  concurrency: integer(1).optional(),
  'page-size': integer(1).optional(),
  'drain-threshold': integer(0).optional(),
  'max-body': size.optional(),
  breaker: section({ failures: integer(1).optional(), cooldown: duration.optional() }),
});

const sources = mapping(source, 'codes to sources').refine((registered) => Object.keys(registered).length > 0, {
  error: 'must register at least one source',
});

/** The only list of the keys of the configuration file (operation 2). */
export const documentSchema = section({
  server,
  admin: section({
    host: host.default('127.0.0.1'),
    port: fields.adminPort,
    ready: word('listeners or data', ['listeners', 'data']).default('listeners'),
    'key-sha256': clientFields.keySha256.optional(),
  }),
  cache,
  access,
  samples: mapping(fields.samplePort, 'names to ports'),
  defaults,
  sources,
});

export type ConfigDocument = Output<typeof documentSchema>;
