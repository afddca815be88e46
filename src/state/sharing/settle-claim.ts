import type { SharedClaim, SharedFetch } from '../../source/snapshot-sharing.js';
import type { EntryReader } from './entries/entry-reader.js';
import type { SharedMemory } from './shared-memory.js';
import type { Claim, SharedEntry } from './shared-store.js';

export interface ClaimingList {
  readonly memory: SharedMemory;
  readonly name: string;
  readonly reader: EntryReader;
  /** Claims entries that are newer than those that were passed to `adopt`. */
  requestClaim(ignoresRejected: boolean): Promise<Claim>;
  createFetch(granted: GrantedClaim): Promise<SharedFetch>;
  /** Returns false where the entry cannot be used; the next claim then ignores it. */
  adopt(entry: SharedEntry): Promise<boolean>;
}

/** This instance fetches the list under its lease (operation 2.5.4). */
export type GrantedClaim = Extract<Claim, { readonly state: 'granted' }>;

/**
 * Claims a list until this instance has the lease, has adopted a result, or knows that another instance is fetching.
 * Never rejects. `isRequested`: by an operator.
 */
export async function settleClaim(
  list: ClaimingList,
  { isRequested = false }: { readonly isRequested?: boolean },
): Promise<SharedClaim> {
  if (!list.memory.mayPublish) return { state: 'unreachable' };
  try {
    return await claimUntilSettled(list, isRequested);
  } catch {
    return { state: 'unreachable' };
  }
}

async function claimUntilSettled(list: ClaimingList, isRequested: boolean): Promise<SharedClaim> {
  let ignoresRejected = isRequested;
  let hasReported = false;
  for (;;) {
    const claim = await list.requestClaim(ignoresRejected);
    switch (claim.state) {
      case 'busy':
        return { state: 'busy', change: list.memory.nextChange(list.name) };
      case 'new-epoch':
        if (hasReported) return { state: 'unreachable' };
        await reportTheNewEpoch(list.memory);
        hasReported = true;
        break;
      case 'granted':
        return { state: 'granted', fetch: await list.createFetch(claim) };
      case 'newer':
        if (await list.adopt(claim.entry)) return { state: 'adopted' };
        break;
      case 'rejected': {
        const stored = list.reader.openRejection(claim.rejected);
        if (stored !== undefined) return { state: 'rejected', rejection: { ...stored, retryAt: claim.rejected.until } };
        ignoresRejected = true;
      }
    }
  }
}

/** Race: a report that is under way may have been sent before the epoch began, or be of an earlier configuration. */
async function reportTheNewEpoch(memory: SharedMemory): Promise<void> {
  const { epoch } = memory;
  await memory.synchronize();
  if (memory.epoch === epoch) await memory.synchronize();
}
