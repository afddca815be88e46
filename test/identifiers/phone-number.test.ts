import { describe, expect, it } from 'vitest';
import {
  isNumberFoundBy,
  parsePhoneNumber,
  readPhoneDigits,
  splitPhoneNumbers,
} from '../../src/identifiers/phone-number.js';

describe('digits of a telephone number', () => {
  it.each([
    ['+47 22 11 33 44', '4722113344'],
    ['0047 22113344', '4722113344'],
    ['+47 (0) 22113344', '4722113344'],
    ['022113344', '22113344'],
    ['+1-202-555-0101 ext. 7', '12025550101'],
    ['Duty officer: +47 22113344 (24/7)', '4722113344'],
    ['12345', '12345'],
    ['9'.repeat(100), '9'.repeat(24)],
  ])('of %s', (text, digits) => {
    expect(readPhoneDigits(text)).toBe(digits);
  });

  it.each(['', '1234', '0001234', 'none', '(0)(0)(0)', '0'.repeat(16_384), '('.repeat(16_384)])(
    'are absent in %j',
    (text) => {
      expect(readPhoneDigits(text)).toBeUndefined();
    },
  );
});

describe('text that is a telephone number', () => {
  it.each([
    '+47 22 11 33 44',
    'tel:+4722113344',
    'tel: +4722113344',
    '22113344 / 22113355',
    '+47 22113344 / +47 22113355',
    '202-555-0101',
    '(202) 555-0101',
    '202.555.0101',
  ])('%s', (text) => {
    expect(parsePhoneNumber(text)).toBeDefined();
  });

  it.each([
    ...['call 22113344', '22113344 now', '+', '2026', `1${' '.repeat(16_384)}`, '1'.repeat(60)],
    ...['20095 Hamburg 20097', '22113344 Oslo 0150'],
  ])('is not %j', (text) => {
    expect(parsePhoneNumber(text)).toBeUndefined();
  });
});

describe('a telephone number', () => {
  it.each([
    ['4722113344', '4722113344', true],
    ['4722113344', '22113344', true],
    ['22113344', '4722113344', true],
    ['4722113344', '2113344', true],
    ['4722113344', '113344', false],
    ['113344', '4722113344', false],
    ['4722113344', '47221', true],
    ['47221', '4722113344', false],
    ['4722113344', '2211', false],
  ])('%s is found by %s: %s', (number, searched, isFound) => {
    expect(isNumberFoundBy(number, searched)).toBe(isFound);
  });
});

it('is one of several that a slash separates, unless the slash is part of a number', () => {
  expect(splitPhoneNumbers('+47 2211 / +47 2212 /0047 2213')).toEqual(['+47 2211', '+47 2212', '0047 2213']);
  expect(splitPhoneNumbers('0471/12345')).toEqual(['0471/12345']);
});

it.each([
  ['+47 22113344 or +47 99887766', ['+47 22113344', '+47 99887766']],
  ['22113344 or 22113355', ['22113344', '22113355']],
  ['22113344 / 22113355', ['22113344', '22113355']],
  ['22113344/22113355', ['22113344', '22113355']],
  ['2211334/2211335', ['2211334', '2211335']],
  ['0471/12345/22113355', ['0471/12345', '22113355']],
  ['089 / 1234567', ['089 / 1234567']],
  ['+49 2204 / 123456 / +49 2204 / 123457', ['+49 2204 / 123456', '+49 2204 / 123457']],
  ['22113344 Fax: 22113355', ['22113344', '22113355']],
  ['+47 22113344 ext 12345 (24/7)', ['+47 22113344  ()']],
  ['', []],
])('is one of those in %j', (text, numbers) => {
  expect(splitPhoneNumbers(text)).toEqual(numbers);
});

/** Each pattern has a fixed length or ends at a character that it cannot contain. */
it.each(['/', '1/', '+', '1 a ', ' a', ' / ', '1234567/', '/00'])(
  'is read in a hostile text of repeated %j',
  (unit) => {
    expect(splitPhoneNumbers(unit.repeat(16_384 / unit.length)).length).toBeLessThanOrEqual(16_384);
  },
);
