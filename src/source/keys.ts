import { itemsOf } from '../model/value.js';
import type { Value } from '../model/value.js';

const FINGERPRINT = /^[0-9a-f]{40}$|^[0-9a-f]{64}$/i;

/** A key id or fingerprint, in any of the lengths that OpenPGP has had. "on request" is none. */
const KEY = /^(?:0x)?(?:[0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i;

/** `enckeys` of a data team's PGP properties: fingerprints, and the ids of keys that have none, with `0x` (decisions.md, section 4). */
export function fromKeys(fingerprint: Value | undefined, id: Value | undefined): readonly string[] | undefined {
  const fingerprints = split(fingerprint).map(bare);
  const others = split(id).map(bare);
  const keys = [...fingerprints, ...others.filter((key) => !fingerprints.some((known) => isIdOf(key, known)))];
  return keys.length === 0 ? undefined : keys.map((key) => `0x${key}`);
}

/** An id is the end of a fingerprint, or, of the long ones of later versions, its beginning (RFC 9580, section 5.5.4). */
function isIdOf(key: string, fingerprint: string): boolean {
  const [one, other] = [key.toLowerCase(), fingerprint.toLowerCase()];
  return other.endsWith(one) || (fingerprint.length === LONG && other.startsWith(one));
}

/** Hexadecimal digits of a fingerprint of version 5 or 6. */
const LONG = 64;

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

/** One text may name several keys; the groups of four in which a fingerprint is often printed belong together. */
function split(value: Value | undefined): readonly string[] {
  return itemsOf(value)
    .flatMap((item) => String(item).split(/[,;]/))
    .map((key) => key.replace(/\s+/g, ''))
    .filter((key) => KEY.test(key));
}

function bare(key: string): string {
  return key.replace(/^0x/i, '');
}
