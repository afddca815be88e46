import {
  flag,
  inherited,
  integer,
  list,
  mapping,
  MASK,
  oneOrMore,
  scalar,
  secret,
  section,
  setting,
  text,
  word,
} from './setting-types.js';
import { document } from './document.js';
import {
  baseUrl,
  code,
  country,
  duration,
  durationOrNone,
  file,
  name,
  propertyName,
  proxyUrl,
  siteUrl,
  size,
  urlWithQuery,
} from './values.js';

/** Set by Rollcall or HTTP itself, in lower case. A credential must not replace them. */
export const TAKEN_FIELDS: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'content-length'],
  ...['transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'via', 'user-agent', 'accept', 'accept-encoding'],
  ...['prefer', 'range', 'traceparent', 'tracestate', 'if-match', 'if-none-match', 'if-modified-since'],
  ...['if-unmodified-since', 'if-range'],
]);

/** Also of a credential in another form. Servers accept fields of some 8 KiB together. */
const MAX_FIELD_LENGTH = 4096;

/** A token (RFC 9110, section 5.1). */
const FIELD_NAME = "[\\w!#$%&'*+.^`|~-]+";

/** Visible ASCII characters and spaces: servers read other characters differently. */
const FIELD_VALUE = '[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?';

export function isFieldName(raw: string): boolean {
  return new RegExp(`^${FIELD_NAME}$`).test(raw);
}

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Undefined where the text does not match `form`, or is too long. */
function readNamedValue(raw: string, form: RegExp): NamedValue | undefined {
  const [, named = '', value = ''] = form.exec(raw) ?? [];
  return value === '' || raw.length > MAX_FIELD_LENGTH ? undefined : { name: named, value };
}

const HEADER = new RegExp(`^(${FIELD_NAME}):[\\t ]*(${FIELD_VALUE})$`);

function readHeader(raw: string): NamedValue | undefined {
  const header = readNamedValue(raw, HEADER);
  const field = header?.name.toLowerCase() ?? '';
  return header === undefined || TAKEN_FIELDS.has(field) ? undefined : { name: field, value: header.value };
}

function readParameter(raw: string): NamedValue | undefined {
  return raw.isWellFormed() ? readNamedValue(raw, /^([\w.~][\w.~-]*)=([^\p{Cc}]+)$/u) : undefined;
}

const bearer = text('a token of at most 4096 visible ASCII characters', /^[\x21-\x7e]{1,4096}$/);
const basic = text(
  'USER:PASSWORD of at most 4096 characters, without control characters',
  /^(?=.{1,4096}$)[^\p{Cc}:]*:[^\p{Cc}]*$/u,
);
const header = scalar('NAME: VALUE, with a name that neither Rollcall nor HTTP itself sets', readHeader);
const parameter = scalar('NAME=VALUE, with a name of letters, digits and _.~-', readParameter);

/** In exactly one form (operation 2.8.12). */
const credential = section({
  bearer: setting(secret(bearer).optional(), 'token for Authorization: Bearer'),
  basic: setting(secret(basic).optional(), 'user and password for Authorization: Basic'),
  header: setting(
    secret(header, (field) => `${field.name}: ${MASK}`).optional(),
    'a request header field, which neither Rollcall nor HTTP itself sets',
  ),
  query: setting(
    secret(parameter, (one) => `${one.name}=${MASK}`).optional(),
    'a query parameter, which is neither a parameter of queries nor a property',
  ),
}).refine((forms) => Object.values(forms).filter((one) => one !== undefined).length === 1, {
  error: 'must have exactly one of bearer, basic, header and query',
});

const headerValue = text(
  `text of at most ${MAX_FIELD_LENGTH} visible ASCII characters and spaces`,
  new RegExp(`^(?=.{1,${MAX_FIELD_LENGTH}}$)${FIELD_VALUE}$`),
);

/** Each feed is requested again when its snapshot expires. */
const MAX_FEEDS = 500;

const title = text('text with at least one visible character, without control characters', /^(?=.*\S)[^\p{Cc}]+$/u);

/** One address, or a list of addresses and of addresses with titles (operation 2.8.17). */
const feeds = oneOrMore(
  section(
    {
      url: setting(urlWithQuery, 'address of the feed, once in a source'),
      title: setting(title.optional(), 'title of the channel'),
    },
    'url',
  ),
  { expected: 'the address of a feed, or a list of addresses', max: MAX_FEEDS },
);

/** What the source evaluates exactly as Rollcall (operation 2.8.9). */
const capability = section({
  filters: setting(
    list('parameters and properties', name),
    'parameters and properties by which the source returns all matches and nothing else, counted correctly if it counts',
  ),
  sort: setting(
    list('properties, with - before those in descending order', name),
    'values of sort, each direction separately, for which the source has the order of Rollcall',
  ),
  search: setting(flag.default(false), 'whether the source returns all matches of q'),
  total: setting(flag.default(false), 'whether the source counts all matches, and not only those of the page'),
  exact: setting(
    flag.default(false),
    "your statement that q, and region and the directory's team if they are among filters, match exactly as in Rollcall",
  ),
});

const ownSettings = {
  ttl: setting(duration.default(60_000), 'maximum time for which a snapshot is fresh', 'serving'),
  staleWhileRevalidate: setting(
    durationOrNone.default(300_000),
    'time beyond ttl in which the snapshot is served at once while one refresh runs',
    'serving',
  ),
  staleIfError: setting(
    duration.default(86_400_000),
    'time beyond ttl in which the snapshot is served as stale while the source fails',
    'serving',
  ),
  /** (decisions 6.11) */
  confirmShrink: setting(
    duration.default(600_000),
    'time for which a source that suddenly returns less than half of its records must continue to do so',
    'serving',
  ),
  timeout: setting(duration.default(5_000), 'time for one request to the source'),
  /** (operation 2.7.8) */
  retries: setting(integer(0).default(1), 'further attempts after a failure that may be transient'),
  concurrency: setting(integer(1).default(4), 'concurrent requests to the source'),
  pageSize: setting(integer(1).default(100), 'records to request from the source at a time', 'serving'),
  /** (operation 2.7.10) */
  drainThreshold: setting(
    integer(0).default(5_000),
    'records of a resource up to which the source is always drained',
    'serving',
  ),
  maxBody: setting(size.default(2 ** 24), 'maximum size of a response body of the source, decoded', 'serving'),
};

/** Of every source that does not set them itself (operation 2.7). */
export const defaults = section(ownSettings);

const sourceName = text('text of at least one character, without control characters', /^[^\p{Cc}]+$/u);
const resource = word('teams, news or channels', ['teams', 'news', 'channels']);
const defect = word('total, drift or paging', ['total', 'drift', 'paging']);

export const source = section({
  number: setting(integer(1, 999), 'number of the source, unique and permanent', 'records'),
  sourceName: setting(sourceName.optional(), 'name of the source in records', 'records'),
  site: setting(siteUrl.optional(), 'site of the publisher', 'records'),
  directory: setting(baseUrl.optional(), 'base address of the directory interface of the source'),
  data: setting(baseUrl.optional(), 'base address of the data interface of the source'),
  document: document.optional(),
  feed: feeds.optional(),
  resources: setting(list('resources', resource), 'resources that the source has: teams, news, channels', 'answers'),
  /** (decisions 6.5) */
  required: setting(
    flag.default(false),
    'whether Rollcall returns no list without this source, fresh or stale',
    'serving',
  ),
  /** (decisions 1.1) */
  aggregate: setting(
    flag.default(false),
    'whether the source is itself a directory over other repositories, whose records keep their own source-name',
    'records',
  ),
  prefixes: setting(list('codes', code), 'further codes whose -<code>-… properties the source may send', 'records'),
  /** (operation 2.8.6) */
  coverage: section({
    countries: setting(
      list('country codes', country),
      'the only countries that teams of the source have, for queries by country and region',
      'answers',
    ),
  }),
  /** (operation 2.8.5) */
  properties: setting(
    list('property names', propertyName),
    'further property names that fields, sort and filters accept',
    'answers',
  ),
  /** (operation 2.8.7) */
  tolerates: setting(list('total, drift and paging', defect), 'known defects of the source', 'serving'),
  /** (operation 2.8.8) */
  allKeysPublic: setting(
    flag.default(false),
    'whether the public team records of the source carry all its PGP keys',
    'answers',
  ),
  credentials: section({ public: credential.optional(), members: credential.optional() }),
  /** The rules between settings check the names (operation 2.8.18). */
  headers: mapping(
    setting(secret(headerValue), 'value of the header field, whose name is case-insensitive'),
    'names of header fields to values',
  ),
  /** (operation 2.8.14) */
  tls: section({
    ca: setting(secret(file).optional(), 'certificates of the only authorities that are trusted for this source'),
    cert: setting(secret(file).optional(), 'certificate of this gateway for a source that requires one'),
    key: setting(secret(file).optional(), 'private key of cert, without a passphrase'),
  }),
  /** (operation 2.8.15) */
  proxy: setting(proxyUrl.optional(), 'proxy of the source, with USER:PASSWORD@ where it requires that, or none'),
  supports: section({
    teams: setting(capability.exactOptional(), 'what the source does exactly as Rollcall', 'serving'),
    news: setting(capability.exactOptional(), 'what the source does exactly as Rollcall', 'serving'),
    channels: setting(capability.exactOptional(), 'what the source does exactly as Rollcall', 'serving'),
  }),
  ...inherited(ownSettings),
});

export const sources = mapping(source, 'codes to sources').refine((registered) => Object.keys(registered).length > 0, {
  error: 'must register at least one source',
});
