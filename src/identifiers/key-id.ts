/** Numbers of hexadecimal digits of short and long key ids, and of fingerprints of versions 3, 4 and 6. */
const LENGTHS: ReadonlySet<number> = new Set([8, 16, 32, 40, 64]);

/** Longest text that is read: a fingerprint with a separator behind every digit. */
const MAX_LENGTH = 160;

/** What may precede a key id, also in the output of GnuPG, and the separators within it. */
const PREFIX = /^(?:openpgp4fpr:|(?:key )?fingerprint ?[:=]|(?:long |short )?key ?id ?[:=])? ?(?:0x)?/i;
const SEPARATORS = /[\s:.-]+/g;

/**
 * Returns the digits of an OpenPGP fingerprint or key id in any writing (with `0x`, `openpgp4fpr:` or `Key fingerprint =`,
 * in groups, with colons), in lower case. Undefined for any other text.
 */
export function parseKeyId(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const digits = text.trim().replace(PREFIX, '').replace(SEPARATORS, '').toLowerCase();
  return LENGTHS.has(digits.length) && /^[\da-f]+$/.test(digits) ? digits : undefined;
}

/**
 * Whether two key ids or fingerprints may be of the same key: the shorter one is the end of the longer one, or the
 * beginning of a fingerprint of version 6 (RFC 9580, section 5.5.4).
 */
export function areSameKey(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.endsWith(short) || (isVersion6Fingerprint(long) && long.startsWith(short));
}

/** Whether the digits are a fingerprint of version 6, which begins with its key id (RFC 9580, section 5.5.4). */
export function isVersion6Fingerprint(digits: string): boolean {
  return digits.length === VERSION_6_LENGTH;
}

const VERSION_6_LENGTH = 64;
