import type { DraftRecord } from '../../model/record.js';
import type { DrainResult } from '../record/drain-result.js';
import type { FetchPage } from '../body/page.js';
import type { NewsWindow } from '../drain/news-window.js';

/** The front of a stream: the first records of a source in the order that was asked for, and how many the source counts. */
export interface TopRecords extends DrainResult<DraftRecord> {
  readonly total: number;
  readonly pageStarts: readonly number[];
  /** Received records at its end that could all be read: a page that overlaps them can be compared with them. */
  readonly comparableTail: number;
  /** Records further behind that were read only to be checked, in the order of the stream. */
  readonly checkedRecords: readonly DraftRecord[];
  /** Records that the source lists twice, each time that the stream was read; absent: none were seen. */
  readonly duplicateCount?: number;
  /** How often its Last-Modified was another one when it was to reach further, and nothing else was; absent: never. */
  readonly dateOnlyChanges?: number;
  /** Its Last-Modified changes though nothing else does: that it changes says nothing. */
  readonly isDateUnreliable?: boolean;
}

/** How far a front is to reach, and how it is read. */
export interface TopRecordsOptions {
  /** Records that are wanted. One more is requested where it comes on the same page: it shows whether the last one has equals behind it. */
  readonly first: number;
  /** Records of one page at most. */
  readonly pageSize: number;
  /** Pages requested at a time once it is known how many there are. */
  readonly concurrency: number;
  /** Decoded bytes of all pages together. */
  readonly maxBytes: number;
  /** The window that the source may have; absent: it gives all that it counts. */
  readonly window?: NewsWindow;
  /** What is checked beside the paging; absent: nothing is. */
  readonly checks?: TopRecordsChecks;
}

/** How a stream is checked beyond its paging. Plain values, and the requests that the checks may make. */
export interface TopRecordsChecks {
  /** Whether the first page is filled, for the records behind those that are wanted are checked too. */
  readonly fillsFirstPage: boolean;
  /** Pages that are read further behind, only to be checked: the last record (`end`), or pages over the whole stream too (`spread`). */
  readonly furtherPages: 'none' | 'end' | 'spread';
  /** Fetches a page of the stream that no proof of freshness rests on. */
  readonly fetchCheckPage: FetchPage<DraftRecord>;
  /** What the source counted without filters when it was last asked; absent: that is not known, or the stream has no filter. */
  readonly unfilteredTotal?: number;
  /** Asks it how many records it has without filters; undefined where it does not say. */
  readonly countUnfiltered: () => Promise<number | undefined>;
}
