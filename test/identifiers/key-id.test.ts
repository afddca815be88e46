import { describe, expect, it } from 'vitest';
import { areSameKey, findKeyId, parseKeyId } from '../../src/identifiers/key-id.js';

const FINGERPRINT = '0123456789abcdef0123456789abcdef01234567';

describe('key id', () => {
  it.each([
    FINGERPRINT,
    FINGERPRINT.toUpperCase(),
    `0x${FINGERPRINT}`,
    `0X${FINGERPRINT}`,
    `openpgp4fpr:${FINGERPRINT}`,
    `OPENPGP4FPR:${FINGERPRINT.toUpperCase()}`,
    'Key fingerprint = 0123 4567 89AB CDEF 0123  4567 89AB CDEF 0123 4567',
    'Fingerprint: 0123 4567 89AB CDEF 0123 4567 89AB CDEF 0123 4567',
    '01:23:45:67:89:AB:CD:EF:01:23:45:67:89:AB:CD:EF:01:23:45:67',
    '0123-4567-89AB-CDEF-0123-4567-89AB-CDEF-0123-4567',
    `  ${FINGERPRINT}\n`,
  ])('of %j is the fingerprint', (text) => {
    expect(parseKeyId(text)).toBe(FINGERPRINT);
  });

  it.each([
    ['0x89ABCDEF', '89abcdef'],
    ['89AB CDEF', '89abcdef'],
    ['0x0123456789ABCDEF', '0123456789abcdef'],
    ['Key ID: 0x89ABCDEF', '89abcdef'],
    ['f'.repeat(32), 'f'.repeat(32)],
    ['a'.repeat(64), 'a'.repeat(64)],
  ])('of %j is %s', (text, digits) => {
    expect(parseKeyId(text)).toBe(digits);
  });

  it.each([
    '',
    '0x',
    '1234567',
    '123456789',
    'ghijklmn',
    '0x0x89abcdef',
    `${FINGERPRINT}0`,
    `${FINGERPRINT} cert`,
    'deadbeef.org',
  ])('is absent for %j', (text) => {
    expect(parseKeyId(text)).toBeUndefined();
  });

  it('is read in a text of at most 160 characters', () => {
    expect(parseKeyId(FINGERPRINT.padEnd(160))).toBe(FINGERPRINT);
    expect(parseKeyId(FINGERPRINT.padEnd(161))).toBeUndefined();
  });

  it('is found within a text where it has a digit: letters alone may be a word', () => {
    expect(findKeyId('the key 0123cdefabcdefab of Acorn')).toBe('0123cdefabcdefab');
    expect(findKeyId('the word abcdefabcdefabcd of Acorn')).toBeUndefined();
  });

  it.each([' ', ':', 'a:', '0x', 'key ', 'fingerprint'])('is absent in a hostile text of repeated %j', (unit) => {
    expect(parseKeyId(unit.repeat(16_384))).toBeUndefined();
  });
});

describe('the same key', () => {
  it('is stated by the end of a fingerprint, in either order', () => {
    const ids = [FINGERPRINT, FINGERPRINT.slice(-16), FINGERPRINT.slice(-8)];
    for (const one of ids) for (const other of ids) expect(areSameKey(one, other)).toBe(true);
  });

  it('is not stated by the beginning of a fingerprint, except of version 6', () => {
    expect(areSameKey(FINGERPRINT, FINGERPRINT.slice(0, 16))).toBe(false);
    const version6 = `${'1'.repeat(32)}${'2'.repeat(32)}`;
    expect(areSameKey(version6, '1'.repeat(16))).toBe(true);
    expect(areSameKey(version6, '3'.repeat(16))).toBe(false);
  });
});
