import { expect, it } from 'vitest';
import { findAsNumbers, parseAsNumber } from '../../src/identifiers/as-number.js';

it.each([
  'AS64500',
  'as64500',
  'ASN 64500',
  'ASN64500',
  'AS 64500',
  'AS-64500',
  'AS:64500',
  ' AS#64500 ',
  'AS number 64500',
  'Autonomous System 64500',
  'autonomous system number: 64500',
])('reads the number of an autonomous system from %j', (text) => {
  expect(parseAsNumber(text)).toBe(64_500);
});

it.each([
  '64500',
  'AS',
  'AS4294967296',
  'AS12345678901',
  'ASX1',
  'AS1 AS2',
  'BASE64500',
  '',
  `AS${' '.repeat(100_000)}x`,
])('reads no number from %j', (text) => {
  expect(parseAsNumber(text)).toBeUndefined();
});

it('reads the smallest and the largest number', () => {
  expect([parseAsNumber('AS0'), parseAsNumber('AS4294967295')]).toEqual([0, 4_294_967_295]);
});

it('finds the numbers in a text in the same writings', () => {
  expect(findAsNumbers('AS64500, ASN: 64501 and AS-64502, AS#64503; AS number 64504 BASE64500')).toEqual([
    ...[64_500, 64_501, 64_502, 64_503, 64_504],
  ]);
});
