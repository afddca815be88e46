import type { DraftRecord } from '../../model/record.js';
import { drain } from './drain.js';
import type { DrainResult } from '../record/drain-result.js';
import { SourceFailure } from '../client/source-failure.js';
import type { DrainLimits } from './drain-limits.js';
import type { FetchPage } from '../body/page.js';

/** Statuses with which a source refuses a scope, be it unknown there or closed to the public (decisions.md, section 4, "Scopes"). */
const SCOPE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 422]);

/** What a source that refuses the scope has: no public keys, which is a finding and no failure. */
const NO_PUBLIC_KEYS: DrainResult<DraftRecord> = {
  records: [],
  receivedCount: 0,
  bytes: 0,
  findings: new Map([['no-public-keys (scope)', 1]]),
};

/**
 * Fetches the teams with keys of a source (interfaces.md, `scope=pgp`). A source that refuses the first page has no public keys. One that gave a page and
 * refuses another has some, and the drain rejects with that failure.
 */
export async function drainTeamKeys(
  fetchPage: FetchPage<DraftRecord>,
  bounds: DrainLimits,
): Promise<DrainResult<DraftRecord>> {
  const scope = { granted: false };
  const watched: FetchPage<DraftRecord> = async (offset, limit) => {
    const page = await fetchPage(offset, limit);
    scope.granted = true;
    return page;
  };
  try {
    return await drain(watched, bounds);
  } catch (error) {
    if (!scope.granted && error instanceof SourceFailure && SCOPE_REFUSALS.has(error.status)) return NO_PUBLIC_KEYS;
    throw error;
  }
}
