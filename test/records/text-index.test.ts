import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TextIndex } from '../../src/records/text-index.js';
import { anyText } from '../support/any-text.js';

/** Short words of few letters, so that many texts hold them, and texts that hold anything. */
const words = fc.array(
  fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', 'ø'), minLength: 1, maxLength: 4 }), anyText),
  { minLength: 1, maxLength: 3 },
);
const texts = fc.array(fc.oneof(fc.string({ unit: fc.constantFrom('a', 'b', 'ø', '\n') }), anyText), {
  maxLength: 100,
});

describe('candidates', () => {
  it('are every text that holds all words, in order, and nothing that is no text', async () => {
    await fc.assert(
      fc.asyncProperty(texts, words, async (given, wanted) => {
        const found = (await TextIndex.of(given)).candidates(wanted);
        if (found === undefined) return;
        const holding = [...given.keys()].filter((at) => wanted.every((word) => given[at]?.includes(word)));
        expect(holding.filter((at) => !found.includes(at))).toEqual([]);
        expect([...found]).toEqual([...given.keys()].filter((at) => found.includes(at)));
      }),
      { numRuns: 500 },
    );
  });

  describe('of a thousand short texts', () => {
    const given = Array.from(
      { length: 1_000 },
      (_, nth) => `team ${nth} of the ${nth % 3 === 0 ? 'harbour' : 'lighthouse'}`,
    );

    it('are few others', async () => {
      const index = await TextIndex.of(given);
      expect(index.candidates(['harbour'])).toHaveLength(334);
      expect(index.candidates(['submarine'])?.length).toBeLessThan(20);
      expect(index.candidates(['team', '777'])?.length).toBeLessThan(200);
    });

    it('may be all of them where a word says nothing that most do not hold', async () => {
      const index = await TextIndex.of(given);
      expect(index.candidates(['team', 'x'])).toBeUndefined();
    });
  });
});
