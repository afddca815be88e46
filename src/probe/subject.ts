import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import type { Vocabulary } from '../query/vocabulary.js';
import type { Findings } from '../source/findings.js';
import type { Parameters } from '../source/dialect.js';
import type { Answer, Line } from './line.js';
import { Known, keyOf } from './known.js';

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
  /** Why there is no `whole`; of no account where there is one. */
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
  /** Pages of all records, in the source's own order, that were read beside `looked`. */
  readonly further: Answer[];
  /** Counts of filtered records that were believed before all records were read. */
  readonly sums: Sum[];
  /** Whether the records of what was not read whole end where they should. */
  tail?: { readonly ends: boolean; readonly target: string };
}

/** How a `sort` was answered that was right. */
export interface Ordering {
  readonly asked: readonly string[];
  readonly evidence: string;
  /** Other orders that would have given the same answers, though not the same list; empty: none of those that are known. */
  readonly alike: readonly string[];
  /** Other orders that would put all records in the same sequence: a list without marks is the same whatever becomes of marks. */
  readonly equal: readonly string[];
  /** Whether the records stand in this order without being asked to. */
  readonly natural: boolean;
}

/** What a source counted for a filter, under the topic of the finding that rests on it. */
export interface Sum {
  readonly topics: readonly string[];
  readonly parameters: Parameters;
  readonly total: number;
  readonly target: string;
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

/** A memory of nothing but what the first answers counted. */
export function emptyMemory(counts: Count[]): Memory {
  return { agreed: new Map(), counts, pages: new Map(), further: [], sums: [] };
}

/** How many records the subject has, as far as that is known. */
export function sizeOf({ whole, first }: Subject): number | undefined {
  return whole?.known.size ?? first.page.total;
}

/** How many of them paging leads to: no more than the resource's window. */
export function reachable(subject: Subject): number | undefined {
  const size = sizeOf(subject);
  return size === undefined ? undefined : Math.min(size, subject.resource.window);
}

/** Every record that has been seen so far, each once: all of them where they were read. */
export function seenOf({ whole, looked, memory, vocabulary }: Subject): Known {
  if (whole !== undefined) return whole.known;
  const drafts = new Map<string, Draft>();
  for (const { page } of [...looked, ...memory.further, ...[...memory.pages.values()].flat()])
    for (const draft of page.records) drafts.set(keyOf(draft), draft);
  return new Known(vocabulary, [...drafts.values()]);
}
