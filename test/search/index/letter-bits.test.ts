import fc from 'fast-check';
import { expect, it } from 'vitest';
import { letterBits } from '../../../src/search/index/letter-bits.js';

function bitsOf(text: string): number {
  return letterBits(Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
}

const countBits = (bits: number): number => (bits >>> 0).toString(2).replaceAll('0', '').length;

it('are the same whatever the order and the number of the letters', () => {
  expect(bitsOf('acorn')).toBe(bitsOf('narroca'));
  expect(bitsOf('')).toBe(0);
  expect(bitsOf('az')).toBe((1 | (1 << 25)) >>> 0);
});

it('lose and gain at most one bit by a typing error', () => {
  const letter = fc.constantFrom('a', 'b', 'c', 'x', 'z', '0', '1', '5', '6', 'é', 'щ', '日');
  const property = fc.property(fc.array(letter, { maxLength: 8 }), fc.nat(7), letter, (letters, at, other) => {
    const before = bitsOf(letters.join(''));
    for (const changed of [
      letters.toSpliced(at, 1),
      letters.toSpliced(at, 0, other),
      letters.toSpliced(at, 1, other),
    ]) {
      const after = bitsOf(changed.join(''));
      expect(countBits(before & ~after)).toBeLessThanOrEqual(1);
      expect(countBits(after & ~before)).toBeLessThanOrEqual(1);
    }
  });
  fc.assert(property);
});
