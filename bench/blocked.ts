import type { Gateway } from '../src/gateway/gateway.js';
import type { Query } from '../src/model/query.js';
import { longestBlock } from './measure.js';
import type { Figure } from './measure.js';

const ROUNDS = 3;

/** The longest block of queries that are asked one after another. Of some rounds the best one: what else the machine does only adds to a block. */
export async function blocked(
  name: string,
  open: () => Gateway | Promise<Gateway>,
  queries: readonly Query[],
): Promise<Figure> {
  let shortest = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const gateway = await open();
    const blocks: number[] = [];
    for (const query of queries) blocks.push(await longestBlock(() => gateway.answer(query)));
    shortest = Math.min(shortest, Math.max(...blocks));
  }
  return { name, value: shortest, unit: 'ms', bound: 50 };
}
