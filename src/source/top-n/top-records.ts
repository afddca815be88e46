import type { DraftRecord } from '../../model/record.js';
import type { DrainResult } from '../record/drain-result.js';
import type { FetchPage } from '../body/page.js';
import type { NewsWindow } from '../drain/drain-beyond-news-window.js';

/** The first records of an ordered list of a source, and how many records the source counts (decisions 5.15). */
export interface TopRecords extends DrainResult<DraftRecord> {
  readonly total: number;
  readonly pageStarts: readonly number[];
  /**
   * Number of records at the end of the received ones among which no entry was dropped. A page that overlaps them can
   * be compared with them.
   */
  readonly comparableTail: number;
  /** Records further down the list, in its order, that were read only for checks. */
  readonly checkedRecords: readonly DraftRecord[];
  /** Number of records that the source lists twice in every reading. Absent: none. */
  readonly duplicateCount?: number;
  /** How often an extension found another Last-Modified and otherwise the same. Absent: never. */
  readonly dateOnlyChanges?: number;
  /** Whether Last-Modified changes without another change, so that it is ignored. */
  readonly isDateUnreliable?: boolean;
}

/** How many top records are read, and how. */
export interface TopRecordsOptions {
  /**
   * Number of requested records. One more is requested if it fits on the same page: it shows whether a record equal in
   * the order follows the last one.
   */
  readonly first: number;
  /** Maximum number of records of one page. */
  readonly pageSize: number;
  /** Number of pages that are requested at a time once the total is known. */
  readonly concurrency: number;
  /** Maximum number of decoded bytes of all pages together. */
  readonly maxBytes: number;
  /** The window that the source may have (decisions 5.9). Absent: every offset can be requested. */
  readonly window?: NewsWindow;
  /** Checks in addition to those on paging. Absent: none. */
  readonly checks?: TopRecordsChecks;
}

/** Checks on the top records (decisions 5.17), and the requests that they may send. */
export interface TopRecordsChecks {
  /** Whether the first page is filled, so that more records than the requested ones are checked. */
  readonly fillsFirstPage: boolean;
  /**
   * Which pages further down the list are read for checks: the one with the last record (`end`), or also pages across
   * the whole list (`spread`).
   */
  readonly furtherPages: 'none' | 'end' | 'spread';
  /** Fetches a page for a check. The snapshot's validators and lifetime do not depend on it. */
  readonly fetchCheckPage: FetchPage<DraftRecord>;
  /** The last total without filters. Absent: it is unknown, or the query has no filter. */
  readonly unfilteredTotal?: number;
  /** Requests the total without filters; undefined if the source does not report one. */
  readonly countUnfiltered: () => Promise<number | undefined>;
}
