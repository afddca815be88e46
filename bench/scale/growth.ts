import { median } from '../measure.js';
import type { Figure } from '../measure.js';

/** How much there is of what grows, to the least. */
export const SIZES = [1, 2, 4, 8] as const;

/** Rounds of all sizes; the first one warms up. */
export const ROUNDS = 6;
const WARM_UP = 1;

/**
 * The figures of what grew, by size the costs of all rounds: what eight times as much costs, to eight times the cost of the least. 1 is a cost that
 * grows with the size, and less where part of it does not.
 */
export function grown(name: string, costs: ReadonlyMap<number, readonly number[]>): Figure[] {
  const typical = (size: number): number => median((costs.get(size) ?? []).slice(WARM_UP));
  return SIZES.slice(1).map((size) => ({
    name: `${name}, CPU of ${size} × to ${size} times that of 1 ×`,
    value: typical(size) / typical(1) / size,
    unit: '×' as const,
    ...(size === 8 && { bound: 1.3 }),
  }));
}
