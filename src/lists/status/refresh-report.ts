import type { AccessLevel } from '../../model/access-level.js';
import { findSnapshot, getFailureDetail } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { describeReason } from '../../model/reasons.js';
import type { ResourceName } from '../../model/resource.js';
import { countListedRecords } from '../count-listed-records.js';
import type { Snapshot } from '../snapshot.js';

/** After a request of the operator (operation 3.5). */
export interface RefreshReport {
  readonly access: AccessLevel;
  /** `team-keys`: PGP keys of data teams, where they are requested separately. */
  readonly list: ResourceName | 'team-keys';
  /** Address of a feed, as in `/sources`. */
  readonly feed?: string;
  /** Of what is served now; `running`: the refresh has not ended yet. */
  readonly state: Outcome<unknown>['state'] | 'running';
  readonly reason?: string;
  /** The reason in words. */
  readonly description?: string;
  readonly records?: number;
}

/** `outcome` is undefined where the refresh has not ended. */
export function createRefreshReport(
  list: Pick<RefreshReport, 'access' | 'list' | 'feed'>,
  outcome: Outcome<Snapshot> | undefined,
): RefreshReport {
  if (outcome === undefined) return { ...list, state: 'running' };
  const { state } = outcome;
  const snapshot = findSnapshot(outcome);
  const records = snapshot === undefined ? {} : { records: countListedRecords(snapshot.set) };
  if (state === 'fresh') return { ...list, state, ...records };
  const { reason } = outcome;
  const description = describeReason({ reason, detail: getFailureDetail(outcome) });
  return { ...list, state, reason, description, ...records };
}
