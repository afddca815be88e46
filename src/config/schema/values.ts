import { isIP, isIPv4 } from 'node:net';
import { parseCountryCode } from '../../region/country.js';
import { parseIsoDate } from '../../text/iso-date.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { parseUrl } from '../../text/url.js';
import { type Field, MASK, integer, scalar, secret, text, word } from './setting-types.js';

const DURATIONS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
const SIZES = { GiB: 2 ** 30, MiB: 2 ** 20, KiB: 2 ** 10, '': 1 } as const;

/** 24 days in milliseconds. Timers of Node.js take at most 2^31 - 1 ms (24.8 days) and fire at once when given more. */
const MAX_TIMER = 24 * DURATIONS.d;

/**
 * Milliseconds of a duration such as `500ms`, `1.5s`, `10m`, `24h` or `7d` (operation 2.2.1).
 *
 * @returns undefined for any other text, zero, fractions of a millisecond, and more than 24 days
 */
export function parseDuration(raw: string): number | undefined {
  const milliseconds = parseQuantity(raw, DURATIONS);
  return milliseconds === undefined || milliseconds > MAX_TIMER ? undefined : milliseconds;
}

/** As `parseDuration`, but a zero with or without a unit is 0. */
export function parseDurationOrNone(raw: string): number | undefined {
  return /^0(?:ms|[smhd])?$/.test(raw) ? 0 : parseDuration(raw);
}

/** Bytes of `4096`, `512KiB`, `32MiB` or `1.5GiB`. Undefined for any other text, zero, and fractions of a byte. */
export function parseSize(raw: string): number | undefined {
  return parseQuantity(raw, SIZES);
}

/** In whole numbers, because 1.005 × 1,000 is not 1,005 in floating point. */
function parseQuantity(raw: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, whole = '', fraction = '', unit = ''] = /^(\d+)(?:\.(\d+))?([A-Za-z]*)$/.exec(raw) ?? [];
  const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
  const digits = Number(whole + fraction);
  if (factor === undefined || !Number.isSafeInteger(digits * factor)) return undefined;
  const amount = (digits * factor) / 10 ** fraction.length;
  return Number.isInteger(amount) && amount > 0 ? amount : undefined;
}

/** In the largest unit of which it is a whole number. */
function showQuantity(amount: number, units: Readonly<Record<string, number>>): string {
  const [unit, factor] = Object.entries(units).find(([, one]) => amount % one === 0) ?? ['', 1];
  return `${amount / factor}${unit}`;
}

function showDuration(milliseconds: number): string {
  return milliseconds === 0 ? '0s' : showQuantity(milliseconds, DURATIONS);
}

/**
 * Reads `600/1m`: at most 600 requests in any window of a minute (operation 2.2). Undefined for any other text, zero
 * requests or more than 999,999,999, and another period.
 */
export function parseRate(raw: string): { readonly requests: number; readonly period: number } | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,8})\/(.*)$/.exec(raw) ?? [];
  const period = parseDuration(unit);
  return period === undefined ? undefined : { requests: Number(count), period };
}

/** With `USER:PASSWORD@` where the proxy requires it; undefined for any other text. */
export function readProxyUrl(raw: string): string | undefined {
  const url = /^https?:\/\/(?:[^\s\\?#@/:]+:[^\s\\?#@/]+@)?[^\s\\?#@/]+\/?$/i.test(raw) ? parseUrl(raw) : undefined;
  return url !== undefined && isDecodable(url.username + url.password) ? url.href : undefined;
}

function isDecodable(raw: string): boolean {
  try {
    decodeURIComponent(raw);
    return true;
  } catch {
    return false;
  }
}

/** Masks what may be secret in an address: user name, password, and the values of its query. */
export function maskUrl(address: string): string {
  const url = parseUrl(address);
  if (url === undefined) return MASK;
  const user = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const query = url.search.slice(1).replace(/[^&]+/g, (part) => part.replace(/^(?:([^=]*=).*|.*)$/s, `$1${MASK}`));
  const hasPath = address.includes('/', `${url.protocol}//`.length);
  return `${url.protocol}//${user}${url.host}${hasPath ? url.pathname : ''}${query === '' ? '' : `?${query}`}`;
}

const SUBNET_WORDS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Every subnet has a prefix of at least one bit: /0 would trust every client. Zones of IPv6 addresses are refused,
 * because they have no meaning in `X-Forwarded-For`.
 */
function isTrustedProxy(raw: string): boolean {
  if (SUBNET_WORDS.has(raw)) return true;
  const [address = '', prefix, ...more] = raw.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128));
}

const URL_DESCRIPTION = 'an absolute http or https URL without credentials, query and fragment';
const DURATION_DESCRIPTION = 'a duration of at most 24 days, such as 500ms, 5s, 10m or 24h';
export const PROXY_DESCRIPTION = 'an http or https URL of a proxy, such as http://proxy.example.org:3128';

/** `form`: the parts that the URL may have. */
function address(expected: string, form: RegExp, read: (url: URL, raw: string) => string | undefined): Field<string> {
  const readAddress = (raw: string): string | undefined => {
    const url = form.test(raw) ? parseUrl(raw) : undefined;
    return url && read(url, raw);
  };
  return scalar(expected, readAddress, { show: maskUrl });
}

/** Scheme, host, port and path. */
const PLAIN_URL = /^https?:\/\/[^\s\\?#@/][^\s\\?#@]*$/i;

/** In WHATWG form, without a slash at the end. */
export const baseUrl = address(URL_DESCRIPTION, PLAIN_URL, ({ href }) => href.replace(/\/+$/, ''));
/** In WHATWG form. A slash at the end remains: relative links are resolved against the part up to the last slash. */
export const siteUrl = address(URL_DESCRIPTION, PLAIN_URL, ({ href }) => href);
/** As written, because tokens name it so. */
export const issuerUrl = address(URL_DESCRIPTION, PLAIN_URL, (_, raw) => raw);
/** An address may name in its query the list that it gives. */
export const urlWithQuery = address(
  'an absolute http or https URL without credentials and fragment',
  /^https?:\/\/[^\s\\#]+$/i,
  ({ username, password, href }) => (username === '' && password === '' ? href : undefined),
);
/** Host, port, credentials, and the number of a database as its path. */
export const redisUrl = secret(
  address(
    'an address such as redis://user:password@127.0.0.1:6379/0 (or rediss), with reserved characters percent-encoded',
    /^rediss?:\/\/[^\s\\?#/]+(?:\/\d*)?$/i,
    ({ hostname, href }) => (hostname === '' ? undefined : href),
  ),
  maskUrl,
);
export const proxyUrl = secret(
  scalar(`${PROXY_DESCRIPTION}, or none`, (raw) => (raw === 'none' ? raw : readProxyUrl(raw))),
  (address) => (address === 'none' ? address : maskUrl(address)),
);

export const port = integer(0, 65_535);
export const host = text('a host name or an IP address', /^[\w.:%-]+$/);
export const trustedProxy = scalar(
  'an IP address, a subnet such as 192.0.2.0/24, or loopback, linklocal or uniquelocal',
  (raw) => (isTrustedProxy(raw) ? raw : undefined),
);

/** In milliseconds (operation 2.2). */
export const duration = scalar(DURATION_DESCRIPTION, parseDuration, {
  show: showDuration,
  json: { pattern: '^\\d+(?:\\.\\d+)?(?:ms|[smhd])$', type: 'string' },
});
/** In milliseconds, or 0. */
export const durationOrNone = scalar(`${DURATION_DESCRIPTION}, or 0s for none`, parseDurationOrNone, {
  show: showDuration,
  json: { pattern: '^\\d+(?:\\.\\d+)?(?:ms|[smhd])$|^0$' },
});
export const size = scalar('a size such as 4096 (bytes), 512KiB, 32MiB or 1GiB', parseSize, {
  show: (bytes) => showQuantity(bytes, SIZES),
  json: { type: ['string', 'integer'], pattern: '^\\d+(?:\\.\\d+)?(?:[KMG]iB)?$' },
});
export const rate = scalar('a number of requests and a duration, such as 600/1m', parseRate, {
  show: ({ requests, period }) => `${requests}/${showDuration(period)}`,
  json: { type: 'string', pattern: '^[1-9]\\d*/.' },
});

/** Without `Z` or an offset, an operator might mean local time. */
const EXPIRY = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** In milliseconds since 1970. */
export const expiry = scalar(
  'a date such as 2027-03-31, or a time such as 2027-03-31T12:00:00Z',
  (raw) => (EXPIRY.test(raw) ? parseIsoDate(raw) : undefined),
  { show: formatIsoTimestamp, json: { type: 'string', pattern: EXPIRY.source } },
);

/** SHA-256 of the empty string: of a variable or file without content. */
const HASH_OF_NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

export const keySha256 = secret(
  scalar(
    'the SHA-256 hash of a key that is not empty, 64 hexadecimal digits; rollcall hash-key prints it',
    (raw) => {
      const hash = raw.toLowerCase();
      return /^[0-9a-f]{64}$/.test(hash) && hash !== HASH_OF_NOTHING ? hash : undefined;
    },
    { json: { pattern: '^[0-9a-fA-F]{64}$' } },
  ),
);

export const accessLevel = word('public or members', ['public', 'members']);
export const country = scalar('an ISO 3166-1 alpha-2 country code, such as BR', parseCountryCode);
export const code = text('a code: lower-case letters, digits and -, beginning with a letter', /^[a-z][a-z0-9-]*$/);
export const name = text('a name, without control characters', /^[^\p{Cc}]+$/u);
export const propertyName = text('a property name: letters, digits, _ and -', /^[\w-]+$/);
/** As the operating system accepts it, but not a folder. */
export const file = text('the path of a file', /^(?!(?:.*\/)?\.{0,2}$)[^\p{Cc}]+$/u);
