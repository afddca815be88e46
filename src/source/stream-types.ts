import type { Draft } from '../model/record.js';
import type { Drained } from './drain.js';
import type { FetchPage } from './page.js';
import type { NewsWindow } from './window.js';

/** The front of a stream: the first records of a source in the order that was asked for, and how many the source counts. */
export interface Front extends Drained<Draft> {
  readonly total: number;
  readonly starts: readonly number[];
  /** Received records at its end that could all be read: a page that overlaps them can be compared with them. */
  readonly tail: number;
  /** Records further behind that were read only to be checked, in the order of the stream. */
  readonly looked: readonly Draft[];
  /** Records that the source lists twice, each time that the stream was read; absent: none were seen. */
  readonly repeats?: number;
  /** How often its Last-Modified was another one when it was to reach further, and nothing else was; absent: never. */
  readonly redated?: number;
  /** Its Last-Modified changes though nothing else does: that it changes says nothing. */
  readonly undated?: boolean;
}

/** How far a front is to reach, and how it is read. */
export interface Reach {
  /** Records that are wanted. One more is requested where it comes on the same page: it shows whether the last one has equals behind it. */
  readonly first: number;
  /** Records of one page at most. */
  readonly pageSize: number;
  /** Pages requested at a time once it is known how many there are. */
  readonly concurrency: number;
  /** Decoded bytes of all pages together. */
  readonly bytes: number;
  /** The window that the source may have; absent: it gives all that it counts. */
  readonly window?: NewsWindow;
  /** What is checked beside the paging; absent: nothing is. */
  readonly checks?: StreamChecks;
}

/** How a stream is checked beyond its paging. Plain values, and the requests that the checks may make. */
export interface StreamChecks {
  /** Whether the first page is filled, for the records behind those that are wanted are checked too. */
  readonly fills: boolean;
  /** Pages that are read further behind, only to be checked: the last record (`end`), or pages over the whole stream too (`spread`). */
  readonly looks: 'none' | 'end' | 'spread';
  /** Fetches a page of the stream that no proof of freshness rests on. */
  readonly look: FetchPage<Draft>;
  /** What the source counted without filters when it was last asked; absent: that is not known, or the stream has no filter. */
  readonly unfiltered?: number;
  /** Asks it how many records it has without filters; undefined where it does not say. */
  readonly countAll: () => Promise<number | undefined>;
}
