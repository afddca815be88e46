import { median } from '../measure.js';
import type { Figure } from '../measure.js';

/** How much of it there is. */
export const SIZES = [1, 2, 4, 8] as const;

const ROUNDS = 5;
const WARM_UP = 1;

/**
 * What the same costs of one, two, four and eight times as much: 1 where eight times as much costs eight times. The sizes take turns, so that
 * all meet the machine in the same moods.
 */
export async function growth(name: string, cost: (times: number) => Promise<number>): Promise<Figure[]> {
  const costs = new Map<number, number[]>(SIZES.map((size) => [size, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const size of SIZES) costs.get(size)?.push(await cost(size));
  }
  return grown(name, costs);
}

/** The figures of what was measured in turns, by size, the rounds to warm up included. */
export function grown(name: string, costs: ReadonlyMap<number, readonly number[]>): Figure[] {
  const typical = (size: number): number => median((costs.get(size) ?? []).slice(WARM_UP));
  return SIZES.slice(1).map((size) => ({
    name: `${name}: CPU of ${size} ×, to ${size} times that of 1 ×`,
    value: typical(size) / typical(1) / size,
    unit: '×' as const,
    ...(size === 8 && { bound: 1.3 }),
  }));
}
