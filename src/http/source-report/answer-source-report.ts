import type { FederatedAnswer } from '../../gateway/gateway.js';
import { reportFailureDetail, getViaNames } from '../../model/outcome.js';
import { listIncompleteSources } from '../../render/envelope.js';
import { createSourceFields } from '../log/log-fields.js';
import { createContributions } from './source-status-header.js';
import type { SourceContribution } from './source-status-header.js';

/** What an answer reports about its sources, besides their records. */
export interface AnswerSourceReport {
  readonly contributions: readonly SourceContribution[];
  /** States, reasons and details of all sources as text; the entity tag covers it (decisions 7.10). */
  readonly states: string;
  /** The log field `sources` of an answer that waited for no source (operation 5.2). */
  readonly logFields: Readonly<Record<string, object>>;
  /** The sources that are neither fresh nor excluded, as the envelope lists them (decisions 6.4). */
  readonly incompleteSources: ReturnType<typeof listIncompleteSources>;
  /** Names of the gateways behind the sources, for Via (decisions 5.22). In a ring, they include this gateway. */
  readonly viaNames: readonly string[];
}

/** An answer of the gateway with the report about its sources. */
export interface AnswerWithReport extends FederatedAnswer {
  readonly report: AnswerSourceReport;
}

/** The outcome of a source with a duration of zero, as if nothing had waited for it. */
export function withoutDuration(outcome: Outcomes[number]): Outcomes[number] {
  return outcome.milliseconds === 0 ? outcome : { ...outcome, milliseconds: 0 };
}

/** Builds the report about the sources from their outcomes. */
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

/** One outcome for each registered source, ordered by number; for a single item the outcome of its owner. */
export type Outcomes = FederatedAnswer['outcomes'];
