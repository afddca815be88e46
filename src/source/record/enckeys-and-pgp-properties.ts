import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';

const FINGERPRINT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** A key id or fingerprint in any length that OpenPGP has used. Other text, such as "on request", does not match. */
const KEY_ID_OR_FINGERPRINT = /^(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Whether a text is a key id or fingerprint. The text must not contain white space. */
export function isKeyIdOrFingerprint(text: string): boolean {
  return KEY_ID_OR_FINGERPRINT.test(text);
}

/** The key ids and fingerprints of a data team. */
export interface TeamKeyProperties {
  readonly fingerprint?: PropertyValue | undefined;
  readonly keyId?: PropertyValue | undefined;
  /** Fingerprints derived from its `pgp-key`. */
  readonly derived?: PropertyValue | undefined;
}

/**
 * Converts the PGP properties of a data team to `enckeys`, with `0x` (decisions 4.16): the stated fingerprints;
 * otherwise those derived from its key and the key ids that belong to another key; otherwise the key ids.
 */
export function toEnckeys({ fingerprint, keyId: id, derived }: TeamKeyProperties): readonly string[] | undefined {
  const stated = parseKeyIds(fingerprint).map(stripHexPrefix);
  const read = parseKeyIds(derived).map(stripHexPrefix);
  const others = parseKeyIds(id).map(stripHexPrefix);
  const isOfRead = (key: string): boolean => read.some((one) => one.toUpperCase().endsWith(key.toUpperCase()));
  const keys = stated.length > 0 ? stated : [...read, ...others.filter((key) => !isOfRead(key))];
  return keys.length === 0 ? undefined : keys.map((key) => `0x${key}`);
}

/**
 * Reads the fingerprints that a `pgp-fingerprint` states, in capitals and without `0x`. Fingerprints of version 3 are
 * left out, because no current program reads them.
 */
export function parseFingerprints(value: PropertyValue | undefined): readonly string[] {
  const keys = parseKeyIds(value).map((key) => stripHexPrefix(key).toUpperCase());
  return keys.filter((key) => FINGERPRINT.test(key));
}

/**
 * Converts `enckeys` to the PGP properties of a data team (decisions 4.16): items with the length of a fingerprint are
 * fingerprints, all others key ids.
 */
export function fromEnckeys(enckeys: PropertyValue | undefined): readonly (readonly [name: string, value: string])[] {
  const keys = parseKeyIds(enckeys).map(stripHexPrefix);
  const fingerprints = keys.filter((key) => FINGERPRINT.test(key));
  const ids = keys.filter((key) => !FINGERPRINT.test(key)).map((key) => `0x${key}`);
  return [
    ...(ids.length === 0 ? [] : [['pgp-id', ids.join(', ')] as const]),
    ...(fingerprints.length === 0 ? [] : [['pgp-fingerprint', fingerprints.join(', ')] as const]),
  ];
}

/**
 * Adds to the value of a PGP property the ids, fingerprints or armored keys of another value that it does not contain:
 * both values come from the source (decisions 4.23). Returns `value` itself if there are none.
 */
export function addMissingKeys(value: PropertyValue, other: PropertyValue): PropertyValue {
  const known = new Set(normalizeKeys(value));
  const missing = splitKeys(other).filter((key) => !known.has(normalizeKey(key)));
  if (missing.length === 0) return value;
  const separator = missing.some(isArmored) ? '\n' : ', ';
  return [String(value), ...missing].join(separator);
}

/**
 * The ids, fingerprints or armored keys of a value in a canonical form: different spellings of the same one are equal.
 */
export function normalizeKeys(value: PropertyValue): readonly string[] {
  return splitKeys(value).map(normalizeKey);
}

/** The keys of a value as written. Text around armored keys is ignored. */
function splitKeys(value: PropertyValue): readonly string[] {
  return toItems(value)
    .flatMap((item) => String(item).match(ARMORED) ?? String(item).split(/[,;]/))
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/** From the first line of an armored block to its last one. */
const ARMORED = /-----BEGIN PGP [A-Z ]+-----[^]*?-----END PGP [A-Z ]+-----/g;

function isArmored(key: string): boolean {
  return key.startsWith('-----BEGIN PGP ');
}

/** Hexadecimal digits are compared without case, armored data with case. */
function normalizeKey(key: string): string {
  const dense = key.replace(/\s+/g, '');
  return isArmored(key) ? dense : stripHexPrefix(dense).toUpperCase();
}

/** One text may contain several keys. The groups of four digits in which fingerprints are often printed are one key. */
function parseKeyIds(value: PropertyValue | undefined): readonly string[] {
  return toItems(value)
    .flatMap((item) => String(item).split(/[,;]/))
    .map((key) => key.replace(/\s+/g, ''))
    .filter(isKeyIdOrFingerprint);
}

function stripHexPrefix(key: string): string {
  return key.replace(/^0x/i, '');
}
