import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';

/**
 * The outcome of a source by those of its feeds, of which there is at least one (decisions 4.32.4): `partial` where a feed is
 * missing, else that of the first feed that is not fresh. Without any feed it is that of the first one that failed. Its copy is
 * that of one feed.
 */
export function combineFeedOutcomes<Copy>(outcomes: readonly Outcome<Copy>[]): Outcome<Copy> {
  const copies = outcomes.flatMap((outcome) => findSnapshot(outcome) ?? []);
  const [first] = copies;
  if (first === undefined) return findFailure(outcomes);
  if (copies.length < outcomes.length) return { state: 'partial', reason: 'feed', snapshot: first };
  const incomplete = outcomes.find(({ state }) => state !== 'fresh' && state !== 'stale');
  const stale = outcomes.find(({ state }) => state === 'stale');
  return incomplete ?? stale ?? { state: 'fresh', snapshot: first };
}

function findFailure<Copy>(outcomes: readonly Outcome<Copy>[]): Outcome<Copy> {
  const failed = outcomes.find(({ state }) => state === 'failed' || state === 'suspended') ?? outcomes[0];
  if (failed === undefined) throw new Error('a source of feeds without a feed');
  return failed;
}
