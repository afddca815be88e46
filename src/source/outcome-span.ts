import { findSnapshot } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { SpanAttributes, TraceSpan } from '../model/tracer.js';
import type { Snapshot } from './snapshot/snapshot.js';

export interface OutcomeSpan {
  /** Absent: nothing is traced. */
  readonly parent: TraceSpan | undefined;
  readonly name: string;
  readonly attributes: SpanAttributes;
}

/** States the outcome in words and numbers of this gateway, without text of the source. */
export function runInOutcomeSpan(
  { parent, name, attributes }: OutcomeSpan,
  work: (span: TraceSpan | undefined) => Promise<Outcome<Snapshot>>,
): Promise<Outcome<Snapshot>> {
  if (parent === undefined) return work(undefined);
  const span = parent.startChild('internal', name, attributes);
  return work(span).then((outcome) => {
    endSpan(span, outcome);
    return outcome;
  });
}

function endSpan(span: TraceSpan, outcome: Outcome<Snapshot>): void {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  span.setAttributes({
    'rollcall.state': outcome.state,
    'rollcall.reason': reason,
    'rollcall.records': findSnapshot(outcome)?.set.records.length,
  });
  span.end(outcome.state === 'failed' || outcome.state === 'suspended' ? reason : undefined);
}
