import { findUsedStrategy } from '../explanation/explain-report.js';
import type { ExecutedParticipation, RunReport } from '../explanation/explain-report.js';
import type { TrafficCounter } from '../source/body/traffic-counter.js';

/** What was requested from a source, and what it returned by the time of the answer (operation 1.6.2). */
export interface MeasuredRunReport extends RunReport {
  /** Requests on the wire: retries and redirects count. */
  readonly requests: number;
  /** Records in all pages that were received, whether they match or not. */
  readonly records: number;
  /** Size of the decoded bodies. */
  readonly bytes: number;
  /** Path and query of each request. */
  readonly asked: readonly string[];
  /** Warnings that a server would have logged. */
  readonly notes: readonly string[];
}

/** Reports what a source did, from its traffic counter and the warnings about it. */
export function buildMeasuredRunReport(
  executed: ExecutedParticipation,
  traffic: TrafficCounter,
  notes: readonly string[],
): MeasuredRunReport {
  const { outcome, milliseconds } = executed.outcome;
  return {
    strategy: findUsedStrategy(executed),
    state: outcome.state,
    ...('reason' in outcome && { reason: outcome.reason }),
    requests: traffic.requestTargets.length,
    records: traffic.records,
    bytes: traffic.bytes,
    milliseconds,
    asked: [...traffic.requestTargets],
    notes,
  };
}
