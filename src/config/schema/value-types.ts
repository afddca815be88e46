import { parseCountryCode } from '../../region/country.js';
import { parseUrl } from '../../text/url.js';
import { integer, patternField, scalar } from './schema-builders.js';
import { parseDuration, parseDurationOrNone, parseRate, parseSize } from './units.js';

/** Reads an absolute URL; undefined if it has parts other than scheme, host, port and path. */
export function readUrl(text: string): URL | undefined {
  return /^https?:\/\/[^\s\\?#@/][^\s\\?#@]*$/i.test(text) ? parseUrl(text) : undefined;
}

/** An absolute URL in WHATWG form, without a slash at the end. */
function readBaseUrl(text: string): string | undefined {
  return readUrl(text)?.href.replace(/\/+$/, '');
}

/** An absolute URL in WHATWG form, whose slash at the end remains: relative links are resolved against the part up to the last slash. */
export function readSite(text: string): string | undefined {
  return readUrl(text)?.href;
}

/** Reads an absolute URL, which may have a query: an address may name the list that it gives. */
function readUrlWithQuery(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\#]+$/i.test(text) ? parseUrl(text) : undefined;
  return url?.username === '' && url.password === '' ? url.href : undefined;
}

/** `true` or `false`. */
export const flag = scalar('true or false', (text) => [true, false].find((value) => String(value) === text));
/** Port of a listener; 0 takes a free one. */
export const port = integer(0, 65_535);
export const host = patternField('a host name or an IP address', /^[\w.:%-]+$/);
/** Description of a URL in error messages. */
export const BASE_URL_DESCRIPTION = 'an absolute http or https URL without credentials, query and fragment';
/** Base address, without a slash at the end. */
export const baseUrl = scalar(BASE_URL_DESCRIPTION, readBaseUrl);
/** Address of a document or feed, in WHATWG form with its query. */
export const urlWithQuery = scalar('an absolute http or https URL without credentials and fragment', readUrlWithQuery);
/** Duration in milliseconds (operation 2.2.1). */
export const duration = scalar('a duration of at most 24 days, such as 500ms, 5s, 10m or 24h', parseDuration);
/** Duration in milliseconds, or 0. */
export const durationOrNone = scalar(
  'a duration of at most 24 days, such as 500ms, 5s, 10m or 24h, or 0s for none',
  parseDurationOrNone,
);
/** Size in bytes (operation 2.2.2). */
export const size = scalar('a size such as 4096 (bytes), 512KiB, 32MiB or 1GiB', parseSize);
/** Country, as its alpha-2 code in upper case. */
export const country = scalar('an ISO 3166-1 alpha-2 country code, such as BR', parseCountryCode);
/** Code of a source. */
export const code = patternField(
  'a code: lower-case letters, digits and -, beginning with a letter',
  /^[a-z][a-z0-9-]*$/,
);

/** A path as the operating system accepts it, but not the path of a folder. */
export const file = patternField('the path of a file', /^(?!(?:.*\/)?\.{0,2}$)[^\p{Cc}]+$/u);

/**
 * A token (RFC 9110, section 5.6.2). 64 characters is the maximum length of names read in `Via`: with a longer name, a
 * gateway could not recognize itself (decisions 5.22).
 */
export const gatewayName = patternField(
  "a token of at most 64 characters: letters, digits and !#$%&'*+.^_`|~-",
  /^[\w!#$%&'*+.^`|~-]{1,64}$/,
);

/** A name that the operator chooses. */
export const name = patternField('a name, without control characters', /^[^\p{Cc}]+$/u);

/** Rate limit (operation 2.2.3). */
export const rate = scalar('a number of requests and a duration, such as 600/1m', parseRate);
