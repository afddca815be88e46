import { parseCountryCode } from '../../region/country.js';
import { parseUrl } from '../../text/url.js';
import { integer, patternField, scalar } from './schema-builders.js';
import { parseDuration, parseDurationOrNone, parseRate, parseSize } from './units.js';

/** Undefined for a URL with parts other than scheme, host, port and path. */
export function readUrl(text: string): URL | undefined {
  return /^https?:\/\/[^\s\\?#@/][^\s\\?#@]*$/i.test(text) ? parseUrl(text) : undefined;
}

/** In WHATWG form, without a slash at the end. */
function readBaseUrl(text: string): string | undefined {
  return readUrl(text)?.href.replace(/\/+$/, '');
}

/** In WHATWG form. A slash at the end remains: relative links are resolved against the part up to the last slash. */
export function readSite(text: string): string | undefined {
  return readUrl(text)?.href;
}

/** An address may name in its query the list that it gives. */
function readUrlWithQuery(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\#]+$/i.test(text) ? parseUrl(text) : undefined;
  return url?.username === '' && url.password === '' ? url.href : undefined;
}

export const flag = scalar('true or false', (text) => [true, false].find((value) => String(value) === text));
export const port = integer(0, 65_535);
export const host = patternField('a host name or an IP address', /^[\w.:%-]+$/);
export const BASE_URL_DESCRIPTION = 'an absolute http or https URL without credentials, query and fragment';
export const baseUrl = scalar(BASE_URL_DESCRIPTION, readBaseUrl);
export const urlWithQuery = scalar('an absolute http or https URL without credentials and fragment', readUrlWithQuery);
/** In milliseconds (operation 2.2). */
export const duration = scalar('a duration of at most 24 days, such as 500ms, 5s, 10m or 24h', parseDuration);
/** In milliseconds, or 0. */
export const durationOrNone = scalar(
  'a duration of at most 24 days, such as 500ms, 5s, 10m or 24h, or 0s for none',
  parseDurationOrNone,
);
export const size = scalar('a size such as 4096 (bytes), 512KiB, 32MiB or 1GiB', parseSize);
export const country = scalar('an ISO 3166-1 alpha-2 country code, such as BR', parseCountryCode);
export const code = patternField(
  'a code: lower-case letters, digits and -, beginning with a letter',
  /^[a-z][a-z0-9-]*$/,
);

/** As the operating system accepts it, but not a folder. */
export const file = patternField('the path of a file', /^(?!(?:.*\/)?\.{0,2}$)[^\p{Cc}]+$/u);

/**
 * A token (RFC 9110, section 5.6.2) of the length that is read in `Via`: with a longer name, a gateway could not
 * recognize itself (decisions 5.22).
 */
export const gatewayName = patternField(
  "a token of at most 64 characters: letters, digits and !#$%&'*+.^_`|~-",
  /^[\w!#$%&'*+.^`|~-]{1,64}$/,
);

export const name = patternField('a name, without control characters', /^[^\p{Cc}]+$/u);

export const rate = scalar('a number of requests and a duration, such as 600/1m', parseRate);
