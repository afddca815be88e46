import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';

const FINGERPRINT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** A key id or fingerprint, in any of the lengths that OpenPGP has had. "on request" is none. */
const KEY_ID_OR_FINGERPRINT = /^(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Whether a text without white space is a key id or fingerprint. */
export function isKeyIdOrFingerprint(text: string): boolean {
  return KEY_ID_OR_FINGERPRINT.test(text);
}

/** The name of a team's further property that holds the fingerprints of its `pgp-key`, where its source states none: no answer shows it by this name. */
export const DERIVED_FINGERPRINT = '(pgp-fingerprint)';

/** What a data team states about its keys. */
export interface TeamKeyProperties {
  readonly fingerprint?: PropertyValue | undefined;
  readonly keyId?: PropertyValue | undefined;
  /** Fingerprints that were read from its `pgp-key`. */
  readonly derived?: PropertyValue | undefined;
}

/**
 * `enckeys` of a data team's PGP properties, with `0x` (decisions.md, section 4): the fingerprint; else that of its key, and the key ids that are of another
 * one; else the key ids.
 */
export function toEnckeys({ fingerprint, keyId: id, derived }: TeamKeyProperties): readonly string[] | undefined {
  const stated = parseKeyIds(fingerprint).map(stripHexPrefix);
  const read = parseKeyIds(derived).map(stripHexPrefix);
  const others = parseKeyIds(id).map(stripHexPrefix);
  const isOfRead = (key: string): boolean => read.some((one) => one.toUpperCase().endsWith(key.toUpperCase()));
  const keys = stated.length > 0 ? stated : [...read, ...others.filter((key) => !isOfRead(key))];
  return keys.length === 0 ? undefined : keys.map((key) => `0x${key}`);
}

/** The fingerprints that a `pgp-fingerprint` states, in capitals and without `0x`; those of version 3, which no current program reads, left out. */
export function parseFingerprints(value: PropertyValue | undefined): readonly string[] {
  const keys = parseKeyIds(value).map((key) => stripHexPrefix(key).toUpperCase());
  return keys.filter((key) => FINGERPRINT.test(key));
}

/** A data team's PGP properties of `enckeys`: what is as long as a fingerprint is one, the rest are key ids. */
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
 * A value of one of a team's PGP properties, with those of the other's ids, fingerprints or armored keys that it does not have (decisions.md, section 4: both
 * are the source's word). The value itself where there are none.
 */
export function addMissingKeys(value: PropertyValue, other: PropertyValue): PropertyValue {
  const known = new Set(normalizeKeys(value));
  const missing = splitKeys(other).filter((key) => !known.has(normalizeKey(key)));
  if (missing.length === 0) return value;
  const separator = missing.some(isArmored) ? '\n' : ', ';
  return [String(value), ...missing].join(separator);
}

/** The ids, fingerprints or armored keys of a value, in a form in which the same ones are equal, however they are written. */
export function normalizeKeys(value: PropertyValue): readonly string[] {
  return splitKeys(value).map(normalizeKey);
}

/** Each key as it is written; text around armored ones is no key. */
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

/** Hexadecimal digits have no case; the data of armor does. */
function normalizeKey(key: string): string {
  const dense = key.replace(/\s+/g, '');
  return isArmored(key) ? dense : stripHexPrefix(dense).toUpperCase();
}

/** One text may name several keys; the groups of four in which a fingerprint is often printed belong together. */
function parseKeyIds(value: PropertyValue | undefined): readonly string[] {
  return toItems(value)
    .flatMap((item) => String(item).split(/[,;]/))
    .map((key) => key.replace(/\s+/g, ''))
    .filter(isKeyIdOrFingerprint);
}

function stripHexPrefix(key: string): string {
  return key.replace(/^0x/i, '');
}
