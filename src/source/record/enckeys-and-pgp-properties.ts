import { areSameKey, parseFingerprint, parseKeyId, splitKeyIds } from '../../identifiers/key-id.js';
import { toItems } from '../../model/property-value.js';
import type { PropertyValue } from '../../model/property-value.js';
import { MAX_KEY_TEXT_LENGTH, findArmorBlocks } from '../../text/repair-pgp-armor.js';

interface TeamKeyProperties {
  readonly fingerprint?: PropertyValue | undefined;
  readonly keyId?: PropertyValue | undefined;
  /** From its `pgp-key`. */
  readonly derived?: PropertyValue | undefined;
}

/**
 * With `0x` and in capitals (decisions 4.16): the stated fingerprints; else those derived from the key and the key ids
 * of another key; else the key ids.
 */
export function toEnckeys({ fingerprint, keyId: id, derived }: TeamKeyProperties): readonly string[] | undefined {
  const stated = parseKeyIds(fingerprint);
  const read = parseKeyIds(derived);
  const others = parseKeyIds(id).filter((key) => !read.some((one) => areSameKey(one, key)));
  const keys = stated.length > 0 ? stated : [...read, ...others];
  return keys.length === 0 ? undefined : keys.map(writeEnckey);
}

/** In capitals and without `0x`. */
export function parseFingerprints(value: PropertyValue | undefined): readonly string[] {
  return splitTexts(value, splitKeyIds).flatMap((key) => parseFingerprint(key) ?? []);
}

/** Complete fingerprints, and all others as key ids. */
export function fromEnckeys(enckeys: PropertyValue | undefined): readonly (readonly [name: string, value: string])[] {
  const fingerprints = parseFingerprints(enckeys);
  const ids = parseKeyIds(enckeys).filter((key) => parseFingerprint(key) === undefined);
  return [
    ...(ids.length === 0 ? [] : [['pgp-id', ids.map(writeEnckey).join(', ')] as const]),
    ...(fingerprints.length === 0 ? [] : [['pgp-fingerprint', fingerprints.join(', ')] as const]),
  ];
}

/**
 * Adds ids, fingerprints or armored keys that `value` does not contain: both values come from the source (decisions
 * 4.23). Returns `value` itself if there are none.
 */
export function addMissingKeys(value: PropertyValue, other: PropertyValue): PropertyValue {
  const known = new Set(normalizeKeys(value));
  const missing = splitKeys(other).filter((key) => !known.has(normalizeKey(key)));
  if (missing.length === 0) return value;
  const separator = missing.some(isArmored) ? '\n' : ', ';
  return [String(value), ...missing].join(separator);
}

/** In a canonical form: different spellings of the same key are equal. */
export function normalizeKeys(value: PropertyValue): readonly string[] {
  return splitKeys(value).map(normalizeKey);
}

/** As written. Text around armored keys is ignored. */
function splitKeys(value: PropertyValue): readonly string[] {
  return splitTexts(value, (text) => {
    const blocks = findArmorBlocks(text);
    return blocks.length > 0 ? blocks : splitKeyIds(text);
  });
}

/** A longer value than keys are read from is one text. */
function splitTexts(value: PropertyValue | undefined, split: (text: string) => readonly string[]): readonly string[] {
  const texts = toItems(value).map(String);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length > MAX_KEY_TEXT_LENGTH ? [texts.join('\n')] : texts.flatMap(split);
}

function isArmored(key: string): boolean {
  return key.startsWith('-----BEGIN PGP ');
}

/** Armored data without white space, a longer text as written. */
function normalizeKey(key: string): string {
  return key.length > MAX_KEY_TEXT_LENGTH ? key : (parseKeyId(key) ?? key.replace(/\s+/g, ''));
}

function parseKeyIds(value: PropertyValue | undefined): readonly string[] {
  return splitTexts(value, splitKeyIds).flatMap((key) => parseKeyId(key) ?? []);
}

function writeEnckey(digits: string): string {
  return `0x${digits.toUpperCase()}`;
}
