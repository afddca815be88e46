import type { DraftRecord } from '../../model/record.js';
import { drain } from './drain.js';
import type { DrainResult } from '../record/drain-result.js';
import { SourceFailure } from '../client/source-failure.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage } from '../body/page.js';

/**
 * Statuses with which a source refuses `scope=pgp`, because it does not know the scope or does not make it public
 * (decisions 4.22).
 */
const SCOPE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 422]);

/** Result for a source that refuses the scope. That it has no public keys is a finding and no failure. */
const NO_PUBLIC_KEYS: DrainResult<DraftRecord> = {
  records: [],
  receivedCount: 0,
  bytes: 0,
  findings: new Map([['no-public-keys (scope)', 1]]),
};

/**
 * Drains the PGP keys of a source with `scope=pgp`. A source that refuses the first page has no public keys. If a
 * source returns a page and refuses another one, it has keys, and the promise rejects with that failure.
 */
export async function drainTeamKeys(
  fetchPage: FetchPage<DraftRecord>,
  limits: DrainLimits,
): Promise<DrainResult<DraftRecord>> {
  const scope = { granted: false };
  const watched: FetchPage<DraftRecord> = async (offset, limit) => {
    const page = await fetchPage(offset, limit);
    scope.granted = true;
    return page;
  };
  try {
    return await drain(watched, limits);
  } catch (error) {
    if (!scope.granted && error instanceof SourceFailure && SCOPE_REFUSALS.has(error.status)) return NO_PUBLIC_KEYS;
    throw error;
  }
}
