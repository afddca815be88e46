import type { DraftRecord } from '../../model/record.js';
import type { DrainResult } from '../record/drain-result.js';
import type { FetchPage } from '../body/page.js';
import type { NewsWindow } from '../drain/drain-beyond-news-window.js';

/** Of an ordered list, with the source's count (decisions 5.15). */
export interface TopRecords extends DrainResult<DraftRecord> {
  readonly total: number;
  readonly pageStarts: readonly number[];
  /** Received records at the end without dropped entries: they can be compared with a page that overlaps them. */
  readonly comparableTail: number;
  /** Further down the list, in its order, read only for checks. */
  readonly checkedRecords: readonly DraftRecord[];
  /** Records that the source lists twice in every reading. Absent: none. */
  readonly duplicateCount?: number;
  /** Extensions with another Last-Modified and otherwise the same. Absent: none. */
  readonly dateOnlyChanges?: number;
  /** Last-Modified changes without another change, so it is ignored. */
  readonly isDateUnreliable?: boolean;
}

export interface TopRecordsOptions {
  /** One more is requested if it fits on the page: it shows whether a record equal in the order follows. */
  readonly first: number;
  readonly pageSize: number;
  /** Of pages, once the total is known. */
  readonly concurrency: number;
  /** Decoded, of all pages. */
  readonly maxBytes: number;
  /** Decisions 5.9. Absent: every offset can be requested. */
  readonly window?: NewsWindow;
  /** In addition to those on paging. Absent: none. */
  readonly checks?: TopRecordsChecks;
}

/** With the requests that checks may send (decisions 5.17). */
export interface TopRecordsChecks {
  /** So that more records than the requested ones are checked. */
  readonly fillsFirstPage: boolean;
  /** `end`: the page with the last record; `spread`: also pages across the whole list. */
  readonly furtherPages: 'none' | 'end' | 'spread';
  /** Does not affect the snapshot's validators and lifetime. */
  readonly fetchCheckPage: FetchPage<DraftRecord>;
  /** The last one. Absent: unknown, or the query has no filter. */
  readonly unfilteredTotal?: number;
  /** Undefined if the source reports no total. */
  readonly countUnfiltered: () => Promise<number | undefined>;
}
