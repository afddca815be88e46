import { itemsOf } from '../model/value.js';
import type { Value } from '../model/value.js';

const FINGERPRINT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** A key id or fingerprint, in any of the lengths that OpenPGP has had. "on request" is none. */
const KEY = /^(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Whether a text without white space is a key id or fingerprint. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** `enckeys` of a data team's PGP properties: the fingerprint, else the key id, with `0x` (decisions.md, section 4). */
export function fromKeys(fingerprint: Value | undefined, id: Value | undefined): readonly string[] | undefined {
  const fingerprints = split(fingerprint);
  const keys = fingerprints.length > 0 ? fingerprints : split(id);
  return keys.length === 0 ? undefined : keys.map((key) => `0x${bare(key)}`);
}

/** A data team's PGP properties of `enckeys`: what is as long as a fingerprint is one, the rest are key ids. */
export function toKeys(enckeys: Value | undefined): readonly (readonly [name: string, value: string])[] {
  const keys = split(enckeys).map(bare);
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
export function withMissingKeys(value: Value, other: Value): Value {
  const known = new Set(canonicalKeys(value));
  const missing = writtenKeys(other).filter((key) => !known.has(canonical(key)));
  if (missing.length === 0) return value;
  const separator = missing.some(isArmored) ? '\n' : ', ';
  return [String(value), ...missing].join(separator);
}

/** The ids, fingerprints or armored keys of a value, in a form in which the same ones are equal, however they are written. */
export function canonicalKeys(value: Value): readonly string[] {
  return writtenKeys(value).map(canonical);
}

/** Each key as it is written; text around armored ones is no key. */
function writtenKeys(value: Value): readonly string[] {
  return itemsOf(value)
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
function canonical(key: string): string {
  const dense = key.replace(/\s+/g, '');
  return isArmored(key) ? dense : bare(dense).toUpperCase();
}

/** One text may name several keys; the groups of four in which a fingerprint is often printed belong together. */
function split(value: Value | undefined): readonly string[] {
  return itemsOf(value)
    .flatMap((item) => String(item).split(/[,;]/))
    .map((key) => key.replace(/\s+/g, ''))
    .filter(isKey);
}

function bare(key: string): string {
  return key.replace(/^0x/i, '');
}
