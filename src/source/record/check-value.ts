import { parseKeyId, splitKeyIds } from '../../identifiers/key-id.js';
import type { ExpectedFormat } from '../../model/resource.js';
import { isListValue } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';
import { PUBLIC_KEY_BEGIN, PUBLIC_KEY_END } from '../../text/repair-pgp-armor.js';
import { parseUrl } from '../../text/url.js';
import type { FindingRule } from './findings.js';

/** The rule that a text breaks. Takes linear time, because a source may send megabytes. */
const valueChecks: Readonly<Record<ExpectedFormat, (text: string) => FindingRule | undefined>> = {
  'short-name': (text) => (isLongName(text) ? 'long-name' : undefined),
  'e-mail': (text) => (text.split(', ', MAX_PARTS).every(isEmail) ? undefined : 'not-an-email'),
  'key-id': (text) => (isKeyList(text) ? undefined : 'not-a-key'),
  'public-key': (text) => (isPublicKey(text) ? undefined : 'not-a-key'),
  website: (text) => checkUrl(text, () => isWebUrl(text)),
  link: (text) => checkUrl(text, () => isLink(text)),
  'member-type': (text) => (MEMBER_TYPES.has(text) ? undefined : 'unknown-member-type'),
};

/** One finding per value, or item of a list, that is not what its property states. It is kept (decisions 4.6). */
export function checkValue(value: PropertyValue, format: ExpectedFormat, report: (rule: FindingRule) => void): void {
  const check = valueChecks[format];
  for (const item of isListValue(value) ? value : [value]) {
    const rule = check(String(item));
    if (rule !== undefined) report(rule);
  }
}

/** Of a short name, in characters (interfaces 8). */
const MAX_NAME_LENGTH = 50;

function isLongName(text: string): boolean {
  // A character outside the Basic Multilingual Plane has two code units.
  return text.length > MAX_NAME_LENGTH && Array.from(text.slice(0, 2 * MAX_NAME_LENGTH + 1)).length > MAX_NAME_LENGTH;
}

/** Checked addresses of one value: several received values are joined with `, ` (decisions 4.2). */
const MAX_PARTS = 100;

/** In characters (RFC 5321, section 4.5.3.1, counts bytes). */
const MAX_EMAIL_LENGTH = 320;

/**
 * In any script (RFC 6532), without comment, quotes or display name, with a dot in the domain. Each part ends where the
 * next begins, so the pattern does not backtrack.
 */
const EMAIL = /^[^\s@,;:<>()[\]\\"]{1,64}@[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63})+$/u;

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** Of key ids or fingerprints, in characters. */
const MAX_KEY_LIST_LENGTH = 4_096;

function isKeyList(text: string): boolean {
  if (text.length > MAX_KEY_LIST_LENGTH) return false;
  const keys = splitKeyIds(text);
  return keys.length > 0 && keys.every((key) => parseKeyId(key) !== undefined);
}

/** By beginning and end. Lost line breaks are a different finding, `key-form`. */
function isPublicKey(text: string): boolean {
  return text.startsWith(PUBLIC_KEY_BEGIN) && text.endsWith(PUBLIC_KEY_END);
}

/** They run a script or contain a document themselves. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|data|blob):/i;

/** In characters. Browsers accept no longer one. */
const MAX_URL_LENGTH = 65_536;

function checkUrl(text: string, isUrl: () => boolean): FindingRule | undefined {
  if (hasUnsafeScheme(text)) return 'unsafe-url';
  return text.length <= MAX_URL_LENGTH && isUrl() ? undefined : 'not-a-url';
}

/** As a browser reads it. */
export function hasUnsafeScheme(text: string): boolean {
  return UNSAFE_SCHEME.test(schemeOf(text));
}

/** As a browser reads it: without leading control characters and spaces, and without tabs and line breaks. */
function schemeOf(text: string): string {
  let from = 0;
  while (text.charCodeAt(from) <= SPACE) from += 1;
  return text.slice(from, from + MAX_SCHEME_LENGTH).replace(/[\t\n\r]/g, '');
}

const SPACE = 0x20;
const MAX_SCHEME_LENGTH = 64;

/** The most common URLs, recognised without parsing. */
const PLAIN_URL = /^https?:\/\/(?:[a-z\d-]{1,63}\.){1,20}[a-z]{2,63}(?:\/[\w./~%?&=#-]{0,500})?$/i;

function isWebUrl(text: string): boolean {
  if (PLAIN_URL.test(text)) return true;
  // A URL parser accepts `https:example.org` and `http:///example.org`; a reader of the record does not recognise them.
  return /^https?:\/\/[^/\\]/i.test(text) && !/\s/.test(text) && parseUrl(text) !== undefined;
}

/** Without a scheme it is relative to its publisher's site (interfaces 2.2). */
function isLink(text: string): boolean {
  if (SCHEME.test(text)) return isWebUrl(text);
  return parseUrl(text, 'https://www.example.org/') !== undefined;
}

const SCHEME = /^[a-z][a-z\d+.-]{0,63}:/i;

/** Interfaces 2.1. */
const MEMBER_TYPES: ReadonlySet<string> = new Set(['Full Member', 'Liaison']);
