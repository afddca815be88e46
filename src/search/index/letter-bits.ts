/** For letters and digits that have no bit of their own. */
const SHARED_BITS = 6;

const LETTER_A = 97;
const LETTERS = 26;

/**
 * One bit for each letter of a to z, and six shared by all other letters and digits. A typing error adds at most one
 * bit and removes at most one.
 */
export function letterBits(units: Uint16Array): number {
  let bits = 0;
  for (const unit of units) {
    const letter = unit - LETTER_A;
    bits |= 1 << (letter >= 0 && letter < LETTERS ? letter : LETTERS + (unit % SHARED_BITS));
  }
  return bits >>> 0;
}

/** Whether letters differ by so many bits that more than `most` typing errors are between the words. */
export function differInLetters(one: number, other: number, most: number): boolean {
  return countBits(one & ~other) > most || countBits(other & ~one) > most;
}

function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
