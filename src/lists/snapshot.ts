import type { RecordSet } from '../records/record-set.js';
import type { ExpressionResults } from '../source/record/drain-result.js';

/** Times are in milliseconds since 1970. */
export interface ListTimes {
  /** When the source was last queried. */
  readonly verifiedAt: number;
  /** End of the time to live. */
  readonly staleAt: number;
  /** From then on a request waits for a refresh. */
  readonly waitAt: number;
  /** A refresh is in progress. */
  readonly isRefreshing: boolean;
}

/** A list from which an answer was built. As long as it has the same records, it shows its times at any later moment. */
export interface UsedList {
  readonly times: ListTimes;
}

/** An accepted reading of a list (decisions 1.6). Times are in milliseconds since 1970. */
export interface Snapshot {
  readonly set: RecordSet;
  /** Start of its drain. */
  readonly fetchedAt: number;
  /** Last confirmation by the source; `fetchedAt` before the first one. */
  readonly verifiedAt: number;
  /** End of the time to live. */
  readonly staleAt: number;
  /**
   * The first whole second after its records were seen to differ from what may have been served before (decisions 7.6). Absent:
   * they are the first. Infinity: no date identifies them.
   */
  readonly changedAt?: number | undefined;
  /** The newest that the source itself sent. */
  readonly lastModified?: number | undefined;
  /** Gateways behind the source's responses (decisions 5.22). */
  readonly via: readonly string[];
  /** Absent unless the source is a document. */
  readonly expressions?: ExpressionResults | undefined;
  /** Values could not be read, in these or in further records of the source (`listUnreadProperties`). Absent: none. */
  readonly unreadProperties?: readonly string[] | undefined;
  /** From which it was built. */
  readonly lists: readonly UsedList[];
}

/**
 * Joins unread properties and times of the parts (decisions 7.7): verified and stale with the earliest, changed with
 * the latest.
 */
export function combineSnapshotFacts(
  snapshots: readonly Snapshot[],
): Pick<Snapshot, 'verifiedAt' | 'staleAt' | 'lists' | 'changedAt' | 'unreadProperties'> {
  const unread = new Set(snapshots.flatMap(({ unreadProperties }) => unreadProperties ?? []));
  const changes = snapshots.flatMap(({ changedAt }) => changedAt ?? []);
  return {
    verifiedAt: Math.min(...snapshots.map(({ verifiedAt }) => verifiedAt)),
    staleAt: Math.min(...snapshots.map(({ staleAt }) => staleAt)),
    lists: snapshots.flatMap(({ lists }) => lists),
    changedAt: changes.length > 0 ? Math.max(...changes) : undefined,
    ...(unread.size > 0 && { unreadProperties: [...unread] }),
  };
}
