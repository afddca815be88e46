/**
 * Number of typing errors between two words by definition: letters added, left out, replaced, or swapped with their
 * neighbour, no part of a word changed twice.
 */
export function naiveTypingErrors(one: string, other: string): number {
  const known = new Map<string, number>();
  const count = (a: number, b: number): number => {
    if (a === 0 || b === 0) return a + b;
    const key = `${a} ${b}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const isSwapped = a > 1 && b > 1 && one[a - 1] === other[b - 2] && one[a - 2] === other[b - 1];
    const errors = Math.min(
      count(a - 1, b) + 1,
      count(a, b - 1) + 1,
      count(a - 1, b - 1) + (one[a - 1] === other[b - 1] ? 0 : 1),
      isSwapped ? count(a - 2, b - 2) + 1 : Infinity,
    );
    known.set(key, errors);
    return errors;
  };
  return count(one.length, other.length);
}
