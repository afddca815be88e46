import type { ExpectedFormat } from '../../model/resource.js';
import { isListValue } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';
import { PUBLIC_KEY_BEGIN, PUBLIC_KEY_END } from '../../text/pgp-armor.js';
import { parseUrl } from '../../text/url.js';
import type { FindingRule } from './findings.js';
import { isKeyIdOrFingerprint } from './pgp-key-properties.js';

/** Returns the rule that a text breaks; undefined where it breaks none. In time linear in the text's length, for a source may send megabytes. */
type ValueCheck = (text: string) => FindingRule | undefined;

/** What is looked at in a value of each kind of content. */
const valueChecks: Readonly<Record<ExpectedFormat, ValueCheck>> = {
  'short-name': (text) => (isLongName(text) ? 'long-name' : undefined),
  'e-mail': (text) => (text.split(', ', MAX_PARTS).every(isEmail) ? undefined : 'not-an-email'),
  'key-id': (text) => (isKeyList(text) ? undefined : 'not-a-key'),
  'public-key': (text) => (isPublicKey(text) ? undefined : 'not-a-key'),
  website: (text) => checkUrl(text, () => isWebUrl(text)),
  link: (text) => checkUrl(text, () => isLink(text)),
  'member-type': (text) => (MEMBER_TYPES.has(text) ? undefined : 'unknown-member-type'),
};

/**
 * Counts what a value that was read is not, though its property says so: each item of a list. The value stays as it is (decisions.md, section 4).
 */
export function checkValue(value: PropertyValue, as: ExpectedFormat, odd: (rule: FindingRule) => void): void {
  const check = valueChecks[as];
  for (const item of isListValue(value) ? value : [value]) {
    const rule = check(String(item));
    if (rule !== undefined) odd(rule);
  }
}

/** Characters of a short name (interfaces.md, section 8): "preferably under 50". */
const MAX_NAME_LENGTH = 50;

function isLongName(text: string): boolean {
  // A character beyond the basic plane is two code units.
  return text.length > MAX_NAME_LENGTH && Array.from(text.slice(0, 2 * MAX_NAME_LENGTH + 1)).length > MAX_NAME_LENGTH;
}

/** Parts of a value that are checked: several addresses where one belongs are joined with `, `. */
const MAX_PARTS = 100;

/** Characters of an address at most (RFC 5321, section 4.5.3.1, which counts bytes). */
const MAX_EMAIL_LENGTH = 320;

/** An address without comment, quotes or display name, of any script (RFC 6532); its domain has a dot. Each part ends where the next begins: nothing is tried twice. */
const EMAIL = /^[^\s@,;:<>()[\]\\"]{1,64}@[\p{L}\p{M}\p{N}-]{1,63}(?:\.[\p{L}\p{M}\p{N}-]{1,63})+$/u;

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}

/** Characters of a list of key ids or fingerprints at most. */
const MAX_KEY_LIST_LENGTH = 4_096;

function isKeyList(text: string): boolean {
  return (
    text.length <= MAX_KEY_LIST_LENGTH &&
    text.split(/[,;]/).every((key) => isKeyIdOrFingerprint(key.replace(/\s+/g, '')))
  );
}

/** Whether a text begins and ends as an armored public key does: one whose line breaks are gone has a finding of its own (`key-form`). */
function isPublicKey(text: string): boolean {
  return text.startsWith(PUBLIC_KEY_BEGIN) && text.endsWith(PUBLIC_KEY_END);
}

/** Schemes under which a link runs a script or holds a document of its own. */
const UNSAFE_SCHEME = /^(?:javascript|vbscript|data|blob):/i;

/** Characters of a URL at most that are looked at: a browser takes no longer one. */
const MAX_URL_LENGTH = 65_536;

function checkUrl(text: string, isUrl: () => boolean): FindingRule | undefined {
  if (UNSAFE_SCHEME.test(schemeOf(text))) return 'unsafe-url';
  return text.length <= MAX_URL_LENGTH && isUrl() ? undefined : 'not-a-url';
}

/** A text's beginning as a browser reads it for a scheme: without control characters in front, tabs and line breaks. */
function schemeOf(text: string): string {
  let from = 0;
  while (text.charCodeAt(from) <= SPACE) from += 1;
  return text.slice(from, from + MAX_SCHEME_LENGTH).replace(/[\t\n\r]/g, '');
}

const SPACE = 0x20;
const MAX_SCHEME_LENGTH = 64;

/** The commonest URLs, recognised without parsing them. */
const PLAIN_URL = /^https?:\/\/(?:[a-z\d-]{1,63}\.){1,20}[a-z]{2,63}(?:\/[\w./~%?&=#-]{0,500})?$/i;

function isWebUrl(text: string): boolean {
  if (PLAIN_URL.test(text)) return true;
  // A URL reader takes `https:example.org` and `http:///example.org` for URLs; a reader of the record does not.
  return /^https?:\/\/[^/\\]/i.test(text) && !/\s/.test(text) && parseUrl(text) !== undefined;
}

/** What has no scheme is an address on the site of who published it (interfaces.md, section 2.2). */
function isLink(text: string): boolean {
  if (SCHEME.test(text)) return isWebUrl(text);
  return parseUrl(text, 'https://www.example.org/') !== undefined;
}

const SCHEME = /^[a-z][a-z\d+.-]{0,63}:/i;

/** interfaces.md, section 2.1. */
const MEMBER_TYPES: ReadonlySet<string> = new Set(['Full Member', 'Liaison']);
