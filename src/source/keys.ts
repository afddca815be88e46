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
