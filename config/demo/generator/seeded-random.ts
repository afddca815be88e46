/** Repeatable random numbers: the same name always gives the same ones, whatever else is generated before or after. */
export interface SeededRandom {
  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** One of the items. Throws if there are none. */
  pick<T>(items: readonly T[]): T;
  /** True in about `percent` of 100 calls. */
  chance(percent: number): boolean;
}

/** A generator seeded with the name of what it is used for, so that a new team does not change other teams. */
export function createSeededRandom(name: string): SeededRandom {
  const next = mulberry32(fnv1a(name));
  const below = (limit: number): number => Math.floor(next() * limit);
  const pick = <T>(items: readonly T[]): T => {
    const at = below(items.length);
    for (const item of items.slice(at, at + 1)) return item;
    throw new Error(`nothing to pick from for ${name}`);
  };
  return { below, pick, chance: (percent) => below(100) < percent };
}

/** FNV-1a, 32 bits, over UTF-16 units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mulberry32: a small generator with 32 bits of state, numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
