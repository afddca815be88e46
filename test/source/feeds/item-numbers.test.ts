import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignNumbers } from '../../../src/source/feeds/item-numbers.js';

describe('numbers of items', () => {
  it('are the same for an identity, whichever others there are', () => {
    const alone = assignNumbers(['guid a']).numbers.get('guid a');
    const identities = Array.from({ length: 1_000 }, (_, at) => `guid ${at}`);
    expect(assignNumbers([...identities, 'guid a']).numbers.get('guid a')).toBe(alone);
    // SHA-256 of the text, its first 43 bits.
    expect(assignNumbers(['abc']).numbers.get('abc')).toBe(Math.floor(0xba7816bf8f01 / 32));
  });

  it('leave room for the number of a source within a safe integer', () => {
    const { numbers } = assignNumbers(Array.from({ length: 20_000 }, (_, at) => `link ${at}`));
    expect(new Set(numbers.values()).size).toBe(20_000);
    for (const number of numbers.values()) expect(number).toBeLessThan(2 ** 43);
    expect(Number.isSafeInteger((2 ** 43 - 1) * 1_000 + 999)).toBe(true);
  });

  it('are the next ones for all identities with the same number, in any order, and are counted', () => {
    const numberOf = (identity: string, attempt: number): number =>
      attempt === 0 ? identity.length : identity.length + attempt * (identity === 'aa' ? 100 : 200);
    const { numbers, collisions } = assignNumbers(['aa', 'bb', 'c'], numberOf);
    expect(collisions).toBe(2);
    expect(numbers).toEqual(new Map(Object.entries({ c: 1, aa: 102, bb: 202 })));
    expect(assignNumbers(['bb', 'c', 'aa'], numberOf).numbers).toEqual(numbers);
  });

  it('never become a number over which others collided, nor 0', () => {
    const attempts: Readonly<Record<string, readonly number[]>> = { a: [5, 7], b: [5, 8], c: [0, 5, 9] };
    const { numbers } = assignNumbers(Object.keys(attempts), (identity, attempt) => attempts[identity]?.[attempt] ?? 0);
    expect(numbers).toEqual(new Map(Object.entries({ a: 7, b: 8, c: 9 })));
  });

  it('are distinct and do not depend on the order, whatever collides', () => {
    const identities = fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(identities, (all) => {
        const sorted = [...all].sort();
        const numberOf = (identity: string, attempt: number): number =>
          attempt < 3 ? 1 + identity.length + attempt * 2 : 1_000 * attempt + sorted.indexOf(identity);
        const { numbers } = assignNumbers(all, numberOf);
        expect(new Set(numbers.values()).size).toBe(all.length);
        expect(assignNumbers(sorted, numberOf).numbers).toEqual(numbers);
      }),
    );
  });
});
