import * as z from 'zod';
import { parseCountryCode } from '../region/country.js';
import { parseUrl } from '../text/url.js';
import { parseDuration, parseSize, parseDurationOrNone } from './units.js';

/** A part of the schema. */
export type Schema = z.core.$ZodType;

/** Schema that converts the text of one setting. */
export type Field<T> = z.ZodType<T>;

/**
 * A scalar setting. `expected` describes valid values in error messages. The text itself is never shown: it may be
 * secret.
 */
function scalar<T>(expected: string, read: (text: string) => T | undefined): Field<T> {
  const message = `must be ${expected}`;
  const text = z.string({ error: (issue) => (issue.input === undefined ? `is required: ${expected}` : message) });
  return text.transform((raw, context) => {
    const value = read(raw);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });
}

function patternField(expected: string, pattern: RegExp): Field<string> {
  return scalar(expected, (text) => (pattern.test(text) ? text : undefined));
}

function integer(min: number, max = Number.MAX_SAFE_INTEGER): Field<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return scalar(`a whole number ${range}`, (text) => {
    const value = /^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : undefined;
  });
}

function list<T extends string>(expected: string, item: Field<T>): z.ZodDefault<z.ZodArray<Field<T>>> {
  return z.array(item, { error: `must be a list of ${expected}` }).default([]);
}

/** A mapping of known keys. If none of them is required, it may be omitted or empty. */
function section<S extends z.ZodRawShape>(shape: S): z.ZodPreprocess<z.ZodObject<S>> {
  return z.preprocess((value) => value ?? {}, z.object(shape, { error: 'must be a mapping of keys to values' }));
}

/** A mapping whose keys the operator chooses. */
function mapping<S extends z.ZodType>(value: S, expected: string): z.ZodPreprocess<z.ZodRecord<z.ZodString, S>> {
  return z.preprocess(
    (input) => input ?? {},
    z.record(z.string(), value, { error: `must be a mapping of ${expected}` }),
  );
}

/**
 * An absolute URL in WHATWG form, without a slash at the end; undefined if it has parts other than scheme, host, port
 * and path.
 */
function readBaseUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^\s\\?#@/][^\s\\?#@]*$/i.test(text)) return undefined;
  return parseUrl(text)?.href.replace(/\/+$/, '');
}

/** The same, but a slash at the end remains: relative links are resolved against the part up to the last slash. */
function readSite(text: string): string | undefined {
  return readBaseUrl(text) === undefined ? undefined : new URL(text).href;
}

const resourcePaths = ['teams', 'news', 'channels'] as const;

function readResource(text: string): (typeof resourcePaths)[number] | undefined {
  return resourcePaths.find((name) => name === text);
}

const toleratedFaults = ['total', 'drift'] as const;

function readTolerated(text: string): (typeof toleratedFaults)[number] | undefined {
  return toleratedFaults.find((name) => name === text);
}

const logLevels = ['none', 'errors', 'all'] as const;

const flag = scalar('true or false', (text) => [true, false].find((value) => String(value) === text));
const port = integer(0, 65_535);
const host = patternField('a host name or an IP address', /^[\w.:%-]+$/);
const BASE_URL_DESCRIPTION = 'an absolute http or https URL without credentials, query and fragment';
const baseUrl = scalar(BASE_URL_DESCRIPTION, readBaseUrl);
const duration = scalar('a duration of at most 24 days, such as 500ms, 5s, 10m or 24h', parseDuration);
const durationOrNone = scalar(
  'a duration of at most 24 days, such as 500ms, 5s, 10m or 24h, or 0s for none',
  parseDurationOrNone,
);
const size = scalar('a size such as 4096 (bytes), 512KiB, 32MiB or 1GiB', parseSize);
const country = scalar('an ISO 3166-1 alpha-2 country code, such as BR', parseCountryCode);
const code = patternField('a code: lower-case letters, digits and -, beginning with a letter', /^[a-z][a-z0-9-]*$/);

/** A path of plain segments, without `.` and `..`: clients resolve these, so such a path would never be requested. */
const path = patternField(
  'a path such as /directory/v1, without a slash at the end',
  /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+$/,
);

/** A path as the operating system accepts it, but not the path of a folder. */
const file = patternField('the path of a file', /^(?!(?:.*\/)?\.{0,2}$)[^\p{Cc}]+$/u);

/**
 * A token (RFC 9110, section 5.6.2). 64 characters is the maximum length of names read in `Via`: with a longer name, a
 * gateway could not recognize itself (decisions 5.22).
 */
const gatewayName = patternField(
  "a token of at most 64 characters: letters, digits and !#$%&'*+.^_`|~-",
  /^[\w!#$%&'*+.^`|~-]{1,64}$/,
);

/** Fields that the rules between settings read as well. */
export const fields = {
  code,
  number: integer(1, 999),
  sourceName: patternField('text of at least one character, without control characters', /^[^\p{Cc}]+$/u),
  serverPort: port.default(8080),
  adminPort: port.default(9090),
  samplePort: port,
  headerTimeout: duration.default(15_000),
  requestTimeout: duration.default(30_000),
  limitDefault: integer(1).default(100),
  limitMax: integer(1).default(10_000),
  directoryPath: path.default('/directory/v1'),
  dataPath: path.default('/data/v1'),
  baseUrl: baseUrl.optional(),
  property: patternField('a property name: letters, digits, _ and -', /^[\w-]+$/),
  name: patternField('a name, without control characters', /^[^\p{Cc}]+$/u),
  aggregate: flag.default(false),
};

const server = section({
  name: gatewayName.optional(),
  host: host.default('127.0.0.1'),
  port: fields.serverPort,
  'public-url': baseUrl.optional(),
  'directory-path': fields.directoryPath,
  'data-path': fields.dataPath,
  envelope: section({ directory: flag.default(false), data: flag.default(true) }),
  limit: section({ default: fields.limitDefault, max: fields.limitMax }),
  deadline: duration.default(10_000),
  'warm-up': flag.default(true),
  log: scalar('none, errors or all', (text) => logLevels.find((level) => level === text)).default('all'),
  concurrency: integer(1).default(64),
  limits: section({
    connections: integer(1).default(10_000),
    body: size.default(64 * 1024),
    'header-timeout': fields.headerTimeout,
    'request-timeout': fields.requestTimeout,
    'write-timeout': duration.default(30_000),
  }),
});

const defaults = section({
  ttl: duration.default(60_000),
  'stale-while-revalidate': durationOrNone.default(300_000),
  'stale-if-error': duration.default(24 * 3_600_000),
  'confirm-shrink': duration.default(600_000),
  'max-unverified': durationOrNone.default(3_600_000),
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
  coarse: list('parameters and properties', fields.name),
  sort: list('properties, with - before those in descending order', fields.name),
  search: flag.default(false),
  total: flag.default(false),
  'limit-max': integer(1).optional(),
  exact: flag.default(false),
});

const source = section({
  number: fields.number,
  'source-name': fields.sourceName.optional(),
  site: scalar(BASE_URL_DESCRIPTION, readSite).optional(),
  directory: fields.baseUrl,
  data: fields.baseUrl,
  resources: list('resources', scalar('teams, news or channels', readResource)),
  required: flag.default(false),
  aggregate: fields.aggregate,
  prefixes: list('codes', code),
  coverage: section({ countries: list('country codes', country) }),
  properties: list('property names', fields.property),
  tolerates: list('total and drift', scalar('total or drift', readTolerated)),
  'all-keys-public': flag.default(false),
  supports: section({ teams: capability.optional(), news: capability.optional(), channels: capability.optional() }),
  ttl: duration.optional(),
  'stale-while-revalidate': durationOrNone.optional(),
  'stale-if-error': duration.optional(),
  'confirm-shrink': duration.optional(),
  'max-unverified': durationOrNone.optional(),
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

/** Schema of the configuration file, the only list of its keys (operation 2). */
export const documentSchema = section({
  server,
  admin: section({ host: host.default('127.0.0.1'), port: fields.adminPort }),
  cache: section({ memory: size.default(256 * 2 ** 20), state: file.optional() }),
  samples: mapping(fields.samplePort, 'names to ports'),
  defaults,
  sources,
});

/** A valid document: all values converted, by their YAML keys. */
export type ConfigDocument = z.output<typeof documentSchema>;

/** A schema violation at a path of keys and indices. */
export interface SchemaIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/**
 * Validates plain values, whose scalars are text, against the schema. Unknown keys are ignored; `findUnknownKeys`
 * reports them.
 */
export function validateDocument(plain: unknown): { document: ConfigDocument } | { issues: SchemaIssue[] } {
  const parsed = documentSchema.safeParse(plain);
  if (parsed.success) return { document: parsed.data };
  return { issues: parsed.error.issues.map(({ path, message }) => ({ path: path.map(toPathStep), message })) };
}

function toPathStep(key: PropertyKey): string | number {
  return typeof key === 'number' ? key : String(key);
}

/** Stands for a key of the operator's choice in {@link childSchemas}. */
export const anyKey = '*';

/** Schemas of the known keys of a mapping; empty for any other part of the schema. */
export function childSchemas(schema: Schema): ReadonlyMap<string, Schema> {
  if (schema instanceof z.ZodObject) return new Map(Object.entries(schema.shape));
  if (schema instanceof z.ZodRecord) return new Map([[anyKey, schema.valueType]]);
  if (schema instanceof z.ZodOptional) return childSchemas(schema.unwrap());
  return schema instanceof z.ZodPipe ? childSchemas(schema.out) : new Map();
}
