import type { FederatedAnswer } from '../../gateway/gateway.js';
import { reportFailureDetail, getViaNames } from '../../model/outcome.js';
import { listIncompleteSources } from '../../render/envelope.js';
import { createSourceFields } from '../log/log-fields.js';
import { createContributions } from './source-status-header.js';
import type { SourceContribution } from './source-status-header.js';

/** Besides the records of an answer. */
export interface AnswerSourceReport {
  readonly contributions: readonly SourceContribution[];
  /** Covered by the entity tag (decisions 7.10). */
  readonly states: string;
  /** Log field `sources` of an answer that waited for no source (operation 5.2). */
  readonly logFields: Readonly<Record<string, object>>;
  /** Neither fresh nor excluded, as in the envelope (decisions 6.4). */
  readonly incompleteSources: ReturnType<typeof listIncompleteSources>;
  /** For Via (decisions 5.22). In a ring, they include this gateway. */
  readonly viaNames: readonly string[];
}

export interface AnswerWithReport extends FederatedAnswer {
  readonly report: AnswerSourceReport;
}

/** As if nothing had waited for the source. */
export function withoutDuration(outcome: Outcomes[number]): Outcomes[number] {
  return outcome.milliseconds === 0 ? outcome : { ...outcome, milliseconds: 0 };
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
    viaNames: outcomes.flatMap(({ outcome }) => getViaNames(outcome)),
  };
}

/** For each registered source, by number; for a single item of its owner. */
export type Outcomes = FederatedAnswer['outcomes'];
