import type { ResourceName } from '../../model/resource.js';

/**
 * What a probe makes of a question. `proved`: it holds, and another way of doing it would have been seen. `consistent`: what came was right,
 * but it would have been with another way of doing it too. `refuted`: what came was wrong. `open`: it was not asked, or what came tells
 * nothing. `noted`: a fact that nothing is built on.
 */
export type CheckVerdict = 'proved' | 'consistent' | 'refuted' | 'open' | 'noted';

/** What a finding adds to the capabilities of its resource. */
export type CapabilityGrant =
  | { readonly filter: string }
  | { readonly coarse: string }
  | { readonly sort: string }
  | { readonly search: true }
  | { readonly total: true }
  | { readonly limitMax: number };

/** What came of a question, before it is known of which resource. */
export interface CheckResult {
  /** What was in question, such as `filter country`. */
  readonly topic: string;
  readonly verdict: CheckVerdict;
  /** What came, or why nothing was asked, in one sentence. */
  readonly evidence: string;
  /** Requests that this rests on: path and query, without what every request carries. */
  readonly asked?: readonly string[];
  /** Requests that it would have taken, where there was no budget for it. */
  readonly cost?: number;
  readonly grant?: CapabilityGrant;
  /** What the grant rests on beside what the source does; it belongs beside the grant in a configuration. */
  readonly caution?: string;
}

/** One line of a probe's report. */
export interface ProbeFinding extends CheckResult {
  readonly resource: ResourceName;
}

/** `1 record`, `2 records`. */
export function pluralize(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
