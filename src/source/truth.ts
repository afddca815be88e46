import type { RecordSet } from '../records/record-set.js';
import { misplacedIn, strayIn } from '../records/meeting.js';
import { Contradiction } from './claims.js';
import type { Drained } from './drain.js';
import type { Pushed } from './wish.js';

/**
 * Throws a `Contradiction` where what came is not what was claimed (decisions.md, section 5): a record breaks a filter, or stands out of the
 * order, or a total is none. That nothing is seen proves nothing.
 */
export async function requireTrue(set: RecordSet, pushed: Pushed, { findings }: Drained<unknown>): Promise<void> {
  for (const { name, predicate } of pushed.exact) {
    const stray = await strayIn(set, predicate);
    if (stray !== undefined) {
      throw new Contradiction({ claim: 'filter', name, evidence: `${stray.id} came, which does not meet it` });
    }
  }
  const { order = [] } = pushed.front ?? {};
  const misplaced = await misplacedIn(set, order);
  if (misplaced !== undefined) {
    const name = order.map(({ property, descending }) => (descending ? `-${property}` : property)).join();
    throw new Contradiction({ claim: 'sort', name, evidence: `${misplaced.id} came too late` });
  }
  if (pushed.counted && findings.has('wrong-total (paging)')) {
    throw new Contradiction({ claim: 'total', evidence: 'it gives another number of records than it counts' });
  }
}
