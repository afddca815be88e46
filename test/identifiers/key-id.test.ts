import { describe, expect, it } from 'vitest';
import { areSameKey, findKeyIds, hasUuid, listKeyIds, parseKeyId } from '../../src/identifiers/key-id.js';

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
    '550e8400-e29b-41d4-a716-446655440000',
  ])('is absent for %j', (text) => {
    expect(parseKeyId(text)).toBeUndefined();
  });

  it('is read in a text of at most 160 characters', () => {
    expect(parseKeyId(FINGERPRINT.padEnd(160))).toBe(FINGERPRINT);
    expect(parseKeyId(FINGERPRINT.padEnd(161))).toBeUndefined();
  });

  it('is found within a text, behind a mere "id" only with a digit: letters alone may be a word', () => {
    expect(findKeyIds('the key 0123cdefabcdefab of Acorn, id 0123cdef')).toEqual(['0123cdefabcdefab', '0123cdef']);
    expect(findKeyIds('the id feedbeef of Acorn')).toEqual([]);
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

describe('keys in a text', () => {
  it.each([
    ['0x0123456789ABCDEF (RSA 4096, expires 2027)', ['0123456789abcdef']],
    ['0x01234567 0x89ABCDEF', ['01234567', '89abcdef']],
    ['PGP: 0123456789ABCDEF', ['0123456789abcdef']],
    [`fpr:${FINGERPRINT}`, [FINGERPRINT]],
    [`https://keys.example.org/pks/lookup?search=0x${FINGERPRINT}`, [FINGERPRINT]],
    [`OpenPGP_0x${FINGERPRINT}.asc`, [FINGERPRINT]],
    ['PGP key ID DEADBEEF', ['deadbeef']],
    ['key DEADBEEF: public key imported', ['deadbeef']],
    ['uid Acorn (0xDEADBEEF)', ['deadbeef']],
    ['rsa4096/DEADBEEF', ['deadbeef']],
    ['id DEADBEEF', []],
    ['id 89ABCDEF', ['89abcdef']],
    ['id 550e8400-e29b-41d4-a716-446655440000', []],
    ['feedbeef of the decade', []],
  ])('of %j', (text, keys) => {
    expect(findKeyIds(text)).toEqual(keys);
  });
});

it('are those of an item that is one, and else those within it', () => {
  expect(listKeyIds('0123 4567 89AB CDEF')).toEqual(['0123456789abcdef']);
  expect(listKeyIds('RSA: 0x89ABCDEF')).toEqual(['89abcdef']);
});

it('finds UUIDs', () => {
  const id = '550e8400-e29b-41d4-a716-446655440000';
  expect([id, `urn:uuid:${id}`, '550e8400', FINGERPRINT].map(hasUuid)).toEqual([true, true, false, false]);
});
