import type { DraftRecord } from '../../model/record.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { SourceFailure } from '../../source/client/source-failure.js';
import type { FetchPage } from '../../source/body/page.js';

/** `scope=pgp` is unknown or not public (decisions 4.22). */
const SCOPE_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 422]);

/** For a refused scope: no public keys is a finding, no failure. */
const NO_PUBLIC_KEYS: DrainResult<DraftRecord> = {
  records: [],
  receivedCount: 0,
  bytes: 0,
  findings: new Map([['no-public-keys (scope)', 1]]),
};

/** With `scope=pgp`. A refused first page means no public keys; after a page there are keys: refusal is a failure. */
export async function drainTeamKeys(
  fetchPage: FetchPage<DraftRecord>,
  drainPages: (fetchPage: FetchPage<DraftRecord>) => Promise<DrainResult<DraftRecord>>,
): Promise<DrainResult<DraftRecord>> {
  const scope = { granted: false };
  const watched: FetchPage<DraftRecord> = async (offset, limit) => {
    const page = await fetchPage(offset, limit);
    scope.granted = true;
    return page;
  };
  try {
    return await drainPages(watched);
  } catch (error) {
    if (!scope.granted && error instanceof SourceFailure && SCOPE_REFUSALS.has(error.status)) return NO_PUBLIC_KEYS;
    throw error;
  }
}
