import type { SourceResourceName } from '../model/resource.js';

/**
 * `proved`: every response was the exact result. `refuted`: a response was another one. `open`: not requested, or a
 * right response that a source without the capability would give too. `noted`: a fact on which no capability depends
 * (decisions 5.19).
 */
export type CheckVerdict = 'proved' | 'refuted' | 'open' | 'noted';

/** Added to the resource by a proved finding. */
export type CapabilityGrant =
  { readonly filter: string } | { readonly sort: string } | { readonly search: true } | { readonly total: true };

export interface CheckResult {
  /** Such as `filter country`. */
  readonly topic: string;
  readonly verdict: CheckVerdict;
  /** What was expected and received, or why nothing was requested, in one sentence. */
  readonly evidence: string;
  /** With the path of the list, without paging. */
  readonly asked?: readonly string[];
  readonly grant?: CapabilityGrant;
}

/** (operation 1.5.4) */
export interface ProbeFinding extends CheckResult {
  readonly resource: SourceResourceName;
  /** The address of a feed as far as the path. Several with the same one are numbered. */
  readonly feed?: string;
}

/** Such as `1 record`, `2 records`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
