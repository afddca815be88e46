import type { OutcomeTraced } from '../events/event.js';
import { findSnapshot } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { TraceSpan } from '../model/tracer.js';
import type { Snapshot } from './snapshot.js';

export interface OutcomeSpan {
  /** Absent: nothing is traced. */
  readonly parent: TraceSpan | undefined;
  readonly name: string;
  /** Ends the span. */
  readonly publish: (traced: OutcomeTraced) => void;
}

export function runInOutcomeSpan(
  { parent, name, publish }: OutcomeSpan,
  work: (span: TraceSpan | undefined) => Promise<Outcome<Snapshot>>,
): Promise<Outcome<Snapshot>> {
  if (parent === undefined) return work(undefined);
  const span = parent.startChild('internal', name);
  return work(span).then((outcome) => {
    publish({ outcome, records: findSnapshot(outcome)?.set.records.length, span });
    return outcome;
  });
}
