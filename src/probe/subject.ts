import type { Resource } from '../model/resource.js';
import { newsWindow } from '../model/resources/news.js';
import type { Vocabulary } from '../query/vocabulary.js';
import type { Findings } from '../source/findings.js';
import type { Answer, Line } from './line.js';
import type { Known } from './known.js';

/** A resource of a source, on the interface on which it is asked for it, and what is known of it so far. */
export interface Subject {
  readonly line: Line;
  readonly resource: Resource;
  readonly vocabulary: Vocabulary;
  /** The first page of all records, in the source's own order. */
  readonly first: Answer;
  /** Records that are asked for in a page: as registered, or as many as the source gives where that is less. */
  readonly pageSize: number;
  /** Most records that a page had or that the source refused to exceed; absent where no page showed it. */
  readonly limitMax?: number;
  /** All records, where they could be read within the budget. */
  readonly whole?: Whole;
  /** Why there is no `whole`. */
  readonly lacks?: Lack;
  /** What was asked before the questions. */
  readonly looked: readonly Answer[];
  /** Filled by the questions. */
  readonly memory: Memory;
}

/** Why not everything could be read: it is more than the budget lets, or what came is in doubt, and no ground to believe anything. */
export interface Lack {
  readonly why: string;
  readonly large: boolean;
}

/** Everything that a resource has, as a drain gave it. */
export interface Whole {
  readonly known: Known;
  readonly requests: number;
  readonly findings: Findings;
}

/** What questions note for others that come after them. */
export interface Memory {
  /** Sorts whose answers were right, though not yet proved. */
  readonly agreed: Map<string, Ordering>;
  /** What answers counted, and what they should have counted. */
  readonly counts: Count[];
  /** Pages that came for each sort. */
  readonly pages: Map<string, readonly Answer[]>;
  /** Whether the records of what was not read whole end where they should. */
  tail?: { readonly ends: boolean; readonly target: string };
}

/** How a `sort` was answered that was right. */
export interface Ordering {
  readonly asked: readonly string[];
  readonly evidence: string;
  /** Other orders that would have given the same answers; empty: none of those that are known. */
  readonly alike: readonly string[];
  /** Whether the records stand in this order without being asked to. */
  readonly natural: boolean;
}

/** What one answer counted. */
export interface Count {
  readonly target: string;
  readonly told: number | undefined;
  /** Absent where it is not known. */
  readonly right?: number;
  /** Records of the page. */
  readonly received: number;
}

/** How many records the subject has, as far as that is known. */
export function sizeOf({ whole, first }: Subject): number | undefined {
  return whole?.known.size ?? first.page.total;
}

/** How many of them paging leads to: news end with their window. */
export function reachable(subject: Subject): number | undefined {
  const size = sizeOf(subject);
  if (size === undefined) return undefined;
  return subject.resource.name === 'news' ? Math.min(size, newsWindow) : size;
}
