import type { SourceResourceName } from '../model/resource.js';

/**
 * Verdict of a check (decisions 5.19). `proved`: every response was the exact result. `refuted`: a response was another
 * one. `open`: not requested, or a right response that a source without the capability would give too. `noted`: a fact on
 * which no capability depends.
 */
export type CheckVerdict = 'proved' | 'refuted' | 'open' | 'noted';

/** The capability that a proved finding adds to its resource. */
export type CapabilityGrant =
  { readonly filter: string } | { readonly sort: string } | { readonly search: true } | { readonly total: true };

/** Result of a check, before it is assigned to a resource. */
export interface CheckResult {
  /** What was checked, such as `filter country`. */
  readonly topic: string;
  readonly verdict: CheckVerdict;
  /** What was expected and received, or why nothing was requested, in one sentence. */
  readonly evidence: string;
  /** The queries that were sent, each with the path of its list, without paging. */
  readonly asked?: readonly string[];
  readonly grant?: CapabilityGrant;
}

/** One finding in the report of a probe (operation 1.5.4). */
export interface ProbeFinding extends CheckResult {
  readonly resource: SourceResourceName;
  /** Of a feed: its address as far as the path. Several with the same one are numbered. */
  readonly feed?: string;
}

/** Such as `1 record`, `2 records`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
