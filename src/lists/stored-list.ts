import type { RecordSet } from '../records/record-set.js';
import type { ExpressionResults } from '../source/record/drain-result.js';
import type { SnapshotValidators } from './reading/page-validators.js';
import type { SourceQuery } from '../source/request/source-query.js';

/** A list as it is kept outside of this process. Times are in milliseconds since 1970. */
export interface StoredList {
  readonly query: SourceQuery;
  readonly set: RecordSet;
  /** Start of its drain. */
  readonly fetchedAt: number;
  /** Last confirmation by the source. */
  readonly verifiedAt: number;
  /** End of the time to live. */
  readonly staleAt: number;
  /** First whole second after its records were last seen to differ from those before. Absent: they never were. */
  readonly changedAt?: number | undefined;
  /** The newest that the source itself sent. */
  readonly lastModified?: number | undefined;
  /** Gateways behind the source's responses. */
  readonly via: readonly string[];
  /** Absent unless the source is a document. */
  readonly expressions?: ExpressionResults | undefined;
  /** Properties with values that could not be read. Absent: none. */
  readonly unreadProperties?: readonly string[] | undefined;
  /** For conditional requests. Absent: the source sent none. */
  readonly validators?: SnapshotValidators | undefined;
  /** Estimated bytes in memory. */
  readonly weight: number;
  /** It was read beside other sources: requests wait until it is read again, and get it only if that fails. */
  readonly isOutdated?: boolean;
}

/** The public lists of one source on disk (operation 2.5.3). */
export interface ListDisk {
  /** In the background, in place of an earlier one of the same list. Never throws. */
  save(list: StoredList): void;
  /** In the background. Never throws. */
  forget(): void;
  /** The oldest first. Never rejects: what cannot be read is left out. */
  load(): AsyncIterable<StoredList>;
}
