import { createHash } from 'node:crypto';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';

/** By identity, with how many did not get their first number. */
export interface AssignedNumbers {
  readonly numbers: ReadonlyMap<string, number>;
  readonly collisions: number;
}

interface NumberingOptions {
  /** The source's integer ids, which stay with their items. */
  readonly taken?: Iterable<number>;
  /** Of at most 43 bits; `attempt` is from 0. Absent: the first 43 bits of the SHA-256. */
  readonly numberOf?: (identity: string, attempt: number) => number;
}

/**
 * From 1 to 2^43 - 1, so that the public id is a safe integer (decisions 4.17, 4.32.3). Identities with the same number
 * all get their next one, so that the result does not depend on their order.
 */
export async function assignNumbers(
  identities: Iterable<string>,
  { taken = [], numberOf = hashNumber }: NumberingOptions = {},
): Promise<AssignedNumbers> {
  const numbers = new Map<string, number>();
  const used = new Set<number>([0, ...taken]);
  let open: readonly string[] = [...new Set(identities)];
  let collisions = 0;
  for (let attempt = 0; open.length > 0; attempt += 1) {
    const claims = new Map<number, string[]>();
    await forEachTimeSliced(open, (identity) => {
      const number = numberOf(identity, attempt);
      const same = claims.get(number);
      if (same === undefined) claims.set(number, [identity]);
      else same.push(identity);
    });
    const colliding: string[] = [];
    await forEachTimeSliced(claims, ([number, claimants]) => {
      const [only, ...others] = claimants;
      if (only !== undefined && others.length === 0 && !used.has(number)) numbers.set(only, number);
      else for (const claimant of claimants) colliding.push(claimant);
      used.add(number);
    });
    if (attempt === 0) collisions = colliding.length;
    open = colliding;
  }
  return { numbers, collisions };
}

/** From 48 bits down to 43. */
const SURPLUS = 2 ** 5;

function hashNumber(identity: string, attempt: number): number {
  const text = attempt === 0 ? identity : `${attempt} ${identity}`;
  return Math.floor(createHash('sha256').update(text).digest().readUIntBE(0, 6) / SURPLUS);
}
