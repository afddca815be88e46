import { completeListQuery } from '../../../../src/source/request/source-query.js';
import type { SourceQuery } from '../../../../src/source/request/source-query.js';
import type { ClaimOptions, SharedLease, SharedLists } from '../../../../src/lists/shared-lists.js';
import type { SharedSource } from '../../../../src/lists/store/redis/list-claim.js';
import type { SharedStore } from '../../../../src/lists/store/redis/shared-store.js';
import type { StoredList } from '../../../../src/lists/stored-list.js';
import { directoryTeams } from '../../../../src/model/resources/directory-teams.js';
import { teamRecordSet } from '../../../support/unit/team-record-set.js';

export const TEAMS = completeListQuery(directoryTeams);

/** Of a caller that has no list. */
export const NOTHING: ClaimOptions = { after: -Infinity, isRequested: false };

export const FOREVER = new AbortController().signal;

export const HOUR = 3_600_000;

const ALPHA: SharedSource = {
  ...{ code: 'alpha', number: 1, access: 'public', credentials: '', configuration: 'one' },
  fingerprints: { definition: 'd', context: 'c' },
};

/** The lists of one source, as an instance shares them. */
export function listsOf(store: SharedStore, source: Partial<SharedSource> = {}): SharedLists {
  const lists = store.forSource({ ...ALPHA, ...source });
  if (lists === undefined) throw new Error('nothing is shared');
  return lists;
}

/** A list of teams that was verified now. */
export function teamList(now: number, options: Partial<StoredList> & { readonly teams?: number } = {}): StoredList {
  const { teams = 3, ...rest } = options;
  const records = Array.from({ length: teams }, (_, at) => ({ slug: `team-${at}`, 'short-team-name': `Team ${at}` }));
  return {
    query: TEAMS,
    set: teamRecordSet('alpha', 1, records),
    ...{ fetchedAt: now - 1_000, verifiedAt: now, staleAt: now + HOUR, via: [], weight: 1_000 },
    ...rest,
  };
}

/** The lease of a list that nobody has. */
export async function claimLease(
  lists: SharedLists,
  query: SourceQuery = TEAMS,
  options: ClaimOptions = NOTHING,
): Promise<SharedLease> {
  const claim = await lists.claim(query, options);
  if (claim.state !== 'granted') throw new Error(`the claim is ${claim.state}`);
  return claim.lease;
}

/** The list that another instance has published. */
export async function findList(lists: SharedLists, query: SourceQuery = TEAMS): Promise<StoredList> {
  const claim = await lists.claim(query, NOTHING);
  if (claim.state !== 'found') throw new Error(`the claim is ${claim.state}`);
  return claim.list;
}

/** Reads a list for all instances. */
export async function publishList(lists: SharedLists, list: StoredList): Promise<void> {
  const lease = await claimLease(lists, list.query, { after: Infinity, isRequested: true });
  await lease.publish(list, list.verifiedAt + 2 * HOUR);
}
