import type { SourceResourceName } from '../../model/resource.js';

/**
 * Verdict of a check (decisions 5.19). `proved`: the responses were right, and every known faulty behaviour would have
 * led to a different response. `consistent`: the responses were right, but a known faulty behaviour would have led to
 * the same ones. `refuted`: a response was wrong. `open`: not requested, or the responses prove nothing. `noted`: a
 * fact on which no capability depends.
 */
export type CheckVerdict = 'proved' | 'consistent' | 'refuted' | 'open' | 'noted';

/** The capability that a proved finding adds to its resource. */
export type CapabilityGrant =
  | { readonly filter: string }
  | { readonly coarse: string }
  | { readonly sort: string }
  | { readonly search: true }
  | { readonly total: true }
  | { readonly limitMax: number };

/** Result of a check, before it is assigned to a resource. */
export interface CheckResult {
  /** What was checked, such as `filter country`. */
  readonly topic: string;
  readonly verdict: CheckVerdict;
  /** What was observed, or why nothing was requested, in one sentence. */
  readonly evidence: string;
  /** Requests behind the finding: path and query, without the parameters that all requests have. */
  readonly asked?: readonly string[];
  /** Number of requests that the check would have needed, if the budget did not allow it. */
  readonly cost?: number;
  readonly grant?: CapabilityGrant;
  /**
   * Condition on which the grant rests in addition to the source's behaviour; printed as a comment in the `supports`
   * block.
   */
  readonly caution?: string;
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
