import { findHitReasons } from '../../../src/search/hit-reasons.js';
import type { HitReason } from '../../../src/search/hit-reasons.js';

/** The reasons of a hit, found without pauses. */
export function listReasons(...input: Parameters<typeof findHitReasons>): readonly HitReason[] {
  const steps = findHitReasons(...input);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
