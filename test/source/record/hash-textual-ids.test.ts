import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignNumbers } from '../../../src/source/record/hash-textual-ids.js';

describe('numbers of items', () => {
  it('are the same for an identity, whichever others there are', async () => {
    const firstOf = async (identities: readonly string[], one: string): Promise<number | undefined> =>
      (await assignNumbers(identities)).numbers.get(one);
    const alone = await firstOf(['guid a'], 'guid a');
    const identities = Array.from({ length: 1_000 }, (_, at) => `guid ${at}`);
    expect(await firstOf([...identities, 'guid a'], 'guid a')).toBe(alone);
    // SHA-256 of the text, its first 43 bits.
    expect(await firstOf(['abc'], 'abc')).toBe(Math.floor(0xba7816bf8f01 / 32));
  });

  it('leave room for the number of a source within a safe integer', async () => {
    const { numbers } = await assignNumbers(Array.from({ length: 20_000 }, (_, at) => `link ${at}`));
    expect(new Set(numbers.values()).size).toBe(20_000);
    expect(Math.max(...numbers.values())).toBeLessThan(2 ** 43);
    expect(Number.isSafeInteger((2 ** 43 - 1) * 1_000 + 999)).toBe(true);
  });

  it('are the next ones for all identities with the same number, in any order, and are counted', async () => {
    const numberOf = (identity: string, attempt: number): number =>
      attempt === 0 ? identity.length : identity.length + attempt * (identity === 'aa' ? 100 : 200);
    const { numbers, collisions } = await assignNumbers(['aa', 'bb', 'c'], { numberOf });
    expect(collisions).toBe(2);
    expect(numbers).toEqual(new Map(Object.entries({ c: 1, aa: 102, bb: 202 })));
    expect((await assignNumbers(['bb', 'c', 'aa'], { numberOf })).numbers).toEqual(numbers);
  });

  it('never become a number over which others collided, nor 0', async () => {
    const attempts: Readonly<Record<string, readonly number[]>> = { a: [5, 7], b: [5, 8], c: [0, 5, 9] };
    const numberOf = (identity: string, attempt: number): number => attempts[identity]?.[attempt] ?? 0;
    const { numbers } = await assignNumbers(Object.keys(attempts), { numberOf });
    expect(numbers).toEqual(new Map(Object.entries({ a: 7, b: 8, c: 9 })));
  });

  it('are distinct and do not depend on the order, whatever collides', async () => {
    const identities = fc.uniqueArray(fc.string({ maxLength: 6 }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(identities, async (all) => {
        const sorted = [...all].sort();
        const numberOf = (identity: string, attempt: number): number =>
          attempt < 3 ? 1 + identity.length + attempt * 2 : 1_000 * attempt + sorted.indexOf(identity);
        const { numbers } = await assignNumbers(all, { numberOf });
        expect(new Set(numbers.values()).size).toBe(all.length);
        expect((await assignNumbers(sorted, { numberOf })).numbers).toEqual(numbers);
      }),
    );
  });
});
