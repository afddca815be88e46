import type { FederatedAnswer } from '../../gateway/gateway.js';
import { reportFailureDetail, getViaHops } from '../../model/outcome.js';
import { listIncompleteSources } from '../../render/envelope.js';
import { createSourceFields } from '../log/log-fields.js';
import { createContributions } from './source-status-header.js';
import type { SourceContribution } from './source-status-header.js';

/** What an answer says about its sources, beside their records. */
export interface AnswerSourceReport {
  readonly contributions: readonly SourceContribution[];
  /** States, reasons and details of all sources, as text: part of what tells one answer from another. */
  readonly states: string;
  /** What the log says about the sources where the answer waited for none. */
  readonly logFields: Readonly<Record<string, object>>;
  /** The sources that gave less than all, as the envelope lists them. */
  readonly incompleteSources: ReturnType<typeof listIncompleteSources>;
  /** Gateways behind the sources: a gateway in a ring finds itself among them. */
  readonly viaHops: readonly string[];
}

export interface AnswerWithReport extends FederatedAnswer {
  readonly report: AnswerSourceReport;
}

export function withoutDuration(one: Outcomes[number]): Outcomes[number] {
  return one.milliseconds === 0 ? one : { ...one, milliseconds: 0 };
}

export function createSourceReport(outcomes: Outcomes): AnswerSourceReport {
  const states = outcomes.map(({ code, outcome }) => {
    const reason = 'reason' in outcome ? outcome.reason : '';
    return [code, outcome.state, reason, ...Object.values(reportFailureDetail(outcome))];
  });
  return {
    contributions: createContributions(outcomes),
    states: states.join(),
    logFields: createSourceFields(outcomes.map(withoutDuration)),
    incompleteSources: listIncompleteSources(outcomes),
    viaHops: outcomes.flatMap(({ outcome }) => getViaHops(outcome)),
  };
}

export type Outcomes = FederatedAnswer['outcomes'];
