/** Hexadecimal digits of short and long key ids, and of fingerprints of versions 3, 4 and 6. */
const LENGTHS: ReadonlySet<number> = new Set([8, 16, 32, 40, 64]);

/** A fingerprint with a separator behind every digit. */
const MAX_LENGTH = 160;

/** What may precede a key id, also in the output of GnuPG, and the separators within it. */
const PREFIX = /^(?:openpgp4fpr:|(?:key )?fingerprint ?[:=]|(?:long |short )?key ?id ?[:=]?)? ?(?:0x)?/i;
const SEPARATORS = /[\s:.-]+/g;

/**
 * In lower case, from any writing of a fingerprint or key id (with `0x`, `openpgp4fpr:` or `Key fingerprint =`, in
 * groups, with colons). Undefined for any other text.
 */
export function parseKeyId(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  if (hasUuid(text)) return undefined;
  const digits = text.trim().replace(PREFIX, '').replace(SEPARATORS, '').toLowerCase();
  return LENGTHS.has(digits.length) && /^[\da-f]+$/.test(digits) ? digits : undefined;
}

/**
 * Digits of a complete fingerprint of version 4 or 6 in any writing, in capitals, as programs print it. Undefined for
 * any other text: a key id may be that of several keys, and no current program reads fingerprints of version 3.
 */
export function parseFingerprint(text: string): string | undefined {
  const digits = parseKeyId(text);
  return digits === undefined || digits.length < VERSION_4_LENGTH ? undefined : digits.toUpperCase();
}

/** Several are separated by commas or semicolons. */
export function splitKeyIds(text: string): readonly string[] {
  return text
    .split(/[,;]/)
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/** The item is a key id or fingerprint, or contains some. Returns their digits. */
export function listKeyIds(item: string): readonly string[] {
  const whole = parseKeyId(item);
  return whole === undefined ? findKeyIds(item) : [whole];
}

/** Digits within a text such as a line of the output of GnuPG, the address of a key server or the name of a file. */
export function findKeyIds(text: string): readonly string[] {
  return [...text.matchAll(KEY_WITHIN)].flatMap(([token, labelled, maybe]) => {
    const digits = parseKeyId(labelled ?? maybe ?? token);
    return digits === undefined || (maybe !== undefined && !/\d/.test(digits)) ? [] : [digits];
  });
}

/** The digits of a UUID (RFC 9562) are of no key and no telephone number. */
export function hasUuid(text: string): boolean {
  return UUID.test(text);
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/**
 * A short id only with `0x`, a label or the algorithm of GnuPG (`4096R/…`): any word of eight letters may look like
 * one. Behind a mere `id` it has a digit.
 */
const KEY_WITHIN = new RegExp(
  String.raw`(?<![\da-z])(?:0x[\da-f]{8,64}|[\da-f]{16}|[\da-f]{32}|[\da-f]{40}|[\da-f]{64}|` +
    String.raw`(?:[\da-f]{4} {1,2}){9}[\da-f]{4}|(?:[\da-f]{2}[: ]){15,31}[\da-f]{2}|` +
    String.raw`(?:key(?:[ -]?id)?[ :=]{1,3}|(?:\d{3,5}[rdge]|(?:rsa|dsa|elg)\d{3,5}|(?:ed|cv)25519)/)([\da-f]{8})|` +
    String.raw`id[ :=]{1,3}([\da-f]{8})(?!-))(?![\da-z])`,
  'gi',
);

/** The shorter is the end of the longer, or the beginning of a fingerprint of version 6 (RFC 9580, section 5.5.4). */
export function areSameKey(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.endsWith(short) || (isVersion6Fingerprint(long) && long.startsWith(short));
}

/** Version 6 begins with its key id (RFC 9580, section 5.5.4). */
export function isVersion6Fingerprint(digits: string): boolean {
  return digits.length === VERSION_6_LENGTH;
}

/** In digits. */
const VERSION_4_LENGTH = 40;
const VERSION_6_LENGTH = 64;

/** In groups of four, as people compare them. */
export function groupFingerprint(fingerprint: string): string {
  return fingerprint.replace(/(?<=^(?:.{4})+)(?=.)/g, ' ');
}
