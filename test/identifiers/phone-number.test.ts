import { describe, expect, it } from 'vitest';
import {
  findPhoneNumbers,
  isNumberFoundBy,
  listPhoneNumbers,
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

describe('text that states telephone numbers', () => {
  it.each(
    [
      ...['+47 22113344 (24h)', '+47 22113344 (24 hours, 7 days a week)', '+47 22113344 (Mo-Fr 8-17)'],
      ...['+47 22113344 (option 2)', '+47 22113344 x12', '+47 22113344 x 12', '+47 22113344 #12', '+47 22113344 ext12'],
      ...['+47 22113344 24/7/365', '+47 22113344 / 345', '+47 22113344 (22:00-06:00)', '+47 22113344 (+1 GMT)'],
      ...['line1 +47 22113344', '1. +47 22113344', 'Duty officer: +47 22113344 (24/7)', '+47 22113344 (24h'],
      ...['+47 22113344 ext. 7', '+47 22113344 (AS64500)', '+47 [0] 22113344'],
    ].map((text) => [text]),
  )('has the digits of the number only: %s', (text) => {
    expect(listPhoneNumbers(text)).toEqual(['4722113344']);
  });

  it.each([
    '22113344 (office) 22113355 (duty)',
    '22113344 22113355',
    '22113344 - 22113355',
    '22113344 & 22113355',
    '22113344 (after 16:00: 22113355)',
  ])('has each number of %s', (text) => {
    expect(listPhoneNumbers(text)).toEqual(['22113344', '22113355']);
  });

  it.each(['01/71/75/84/68', '01 71 75 84 68', '01-71-75-84-68', '(01) 71 75 84 68'])(
    'has one number in %s',
    (text) => {
      expect(listPhoneNumbers(text)).toEqual(['171758468']);
    },
  );

  it('has numbers of at least 7 digits in other texts', () => {
    expect(findPhoneNumbers('Tel. 0228 9582-5110, Fax 0228 95825111')).toEqual(['0228 9582-5110', '0228 95825111']);
    expect(findPhoneNumbers('20095 Hamburg 20097')).toEqual([]);
    expect(findPhoneNumbers(`serial ${'1'.repeat(25)}`)).toEqual([]);
  });
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
    '(202) 555-0101 x12',
    '202-555-0101 (24h)',
  ])('%s', (text) => {
    expect(parsePhoneNumber(text)).toBeDefined();
  });

  it.each([
    ...['call 22113344', '22113344 now', '+', '2026', `1${' '.repeat(16_384)}`, '1'.repeat(60)],
    ...['20095 Hamburg 20097', '22113344 Oslo 0150', '20095, 20097'],
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
    ['4930189582222', '49030189582222', true],
    ['74959884740', '84959884740', true],
    ['4722113344', '4622113344', false],
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
  ['+47 22113344 ext 12345 (24/7)', ['+47 22113344']],
  ['', []],
])('is one of those in %j', (text, numbers) => {
  expect(splitPhoneNumbers(text)).toEqual(numbers);
});

/** Each pattern has a fixed length or ends at a character that it cannot contain. Quadratic ones would take minutes. */
describe('a hostile text', () => {
  const units = [
    '/',
    '1/',
    '+',
    '1 a ',
    ' a',
    ' / ',
    '1234567/',
    '/00',
    ';',
    ';,',
    ' ',
    '(',
    '(a',
    '( ',
    '1234567 ',
    ' - ',
    '#',
  ];
  const frames = [
    ['', ''],
    ['+1', 'x'],
    ['tel: x: ', 'x'],
    ['(', 'x'],
  ] as const;
  it.each(units)('of repeated %j is read', (unit) => {
    for (const [before, after] of frames)
      for (const length of Array.from({ length: 5 }, (_, at) => 16_384 - at)) {
        const text = before + unit.repeat(length / unit.length) + after;
        expect(splitPhoneNumbers(text).length).toBeLessThanOrEqual(length);
        expect(parsePhoneNumber(text)).toBeUndefined();
      }
  });
});
