import { explainQuery } from '../gateway/explain.js';
import type { PlannableSource, SourceExplanation, SourceParticipation } from '../gateway/explain.js';
import type { FederatedAnswer } from '../gateway/gateway.js';
import { formatQueryField } from '../http/log/log-fields.js';
import { createItemNotFoundProblem, findChoiceProblem } from '../http/source-report/missing-item-problem.js';
import { parsePreferences } from '../http/request/preferences.js';
import { resolveTarget } from '../http/match-route.js';
import type { ResolvedTarget } from '../http/match-route.js';
import { getBackend } from '../http/operations/served-resource.js';
import type { ServedResource } from '../http/operations/served-resource.js';
import {
  isServable,
  createIncompleteAnswerContext,
  createIncompleteAnswerProblem,
} from '../http/source-report/incomplete-answer-error.js';
import type { AccessLevel } from '../model/access-level.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import { defaultQueryOptions } from '../source/request/source-request-context.js';
import { buildRunReport, buildSourceReport } from './explain-report.js';
import type { AnswerReport, ExplainReport, RunReport, TrafficReport } from './explain-report.js';

export interface ExplainedGateway {
  readonly servedResources: readonly ServedResource[];
  /** Ordered by number; undefined where no client can have the level. */
  sourcesAt(access: AccessLevel): readonly PlannableSource[] | undefined;
}

interface ExplainTargetOptions {
  readonly gateway: ExplainedGateway;
  /** As a client of the public port sends it. */
  readonly target: string;
  readonly drainThresholds: ReadonlyMap<string, number>;
  /** Execute the query too, and report what each source did. If not, no request is sent. */
  readonly isRun: boolean;
  /** By code, in a process that answers no other query. */
  readonly trafficOf?: (code: string) => TrafficReport;
}

/** No client can have members access (decisions 8.1). */
const NO_MEMBERS_ACCESS: Problem = {
  kind: 'unauthorized',
  message: 'the query needs members access, and the configuration has no client and no issuer that gives it',
};

/** The records are the gateway's own (decisions 2.41). */
const RESTS_ON_NO_SOURCE: Problem = {
  kind: 'bad-request',
  message: 'the answer rests on no source; there is nothing to explain',
};

/**
 * Explains how a gateway would answer a query in its present state; with `isRun` also answers it (operation 1.6, 3.6).
 * A query that needs members access is explained as that of a member. Returns the problem where the server would reject
 * the request.
 */
export async function explainTarget({
  gateway,
  target,
  drainThresholds,
  isRun,
  trafficOf,
}: ExplainTargetOptions): Promise<ExplainReport | { readonly problem: Problem }> {
  const resolved = resolveTarget(target, gateway.servedResources);
  if ('problem' in resolved) return resolved;
  const { query, itemId, resource } = resolved;
  if (query.resource.isGatewayOwned === true) return { problem: RESTS_ON_NO_SOURCE };
  const sources = gateway.sourcesAt(query.access);
  if (sources === undefined) return { problem: NO_MEMBERS_ACCESS };
  const plan = explainQuery(query, itemId, sources);
  if (plan === undefined) return { problem: createItemNotFoundProblem(query.resource) };
  const head = { version: 2 as const, target, resource: query.resource.name, query: formatQueryField(query, itemId) };
  const report = (explanation: SourceExplanation, run?: RunReport): ExplainReport['sources'][number] =>
    buildSourceReport(explanation, drainThresholds.get(explanation.code) ?? 0, run);
  if (!isRun) return { ...head, sources: plan.map((explanation) => report(explanation)) };
  const backend = getBackend(resource.options, query);
  const answer = await (resource.operation === 'search'
    ? backend.search(query, defaultQueryOptions)
    : backend.answerQuery(query, itemId, defaultQueryOptions));
  const after = byCode(explainQuery(query, itemId, sources) ?? []);
  const outcomes = new Map(answer?.outcomes.map((outcome) => [outcome.code, outcome]));
  const runs = plan.map((explanation) => {
    const [outcome, participation] = [outcomes.get(explanation.code), after.get(explanation.code)];
    if (outcome === undefined || participation === undefined) return report(explanation);
    const hasWaited = answer?.waitReason !== undefined;
    const executed = { outcome, before: explanation.participation, after: participation, hasWaited };
    return report(explanation, buildRunReport(executed, trafficOf?.(explanation.code)));
  });
  return { ...head, sources: runs, answer: buildAnswerReport(resolved, answer) };
}

function byCode(plan: readonly SourceExplanation[]): ReadonlyMap<string, SourceParticipation> {
  return new Map(plan.map(({ code, participation }) => [code, participation]));
}

function buildAnswerReport({ itemId: item, query }: ResolvedTarget, answer: FederatedAnswer | undefined): AnswerReport {
  if (answer === undefined) return problemAnswerReport(createItemNotFoundProblem(query.resource));
  const choice = findChoiceProblem(answer, query.resource);
  if (choice !== undefined) return problemAnswerReport(choice);
  const preferences = parsePreferences('');
  if (!isServable(answer, preferences, item)) {
    return problemAnswerReport(
      createIncompleteAnswerProblem(answer.outcomes, createIncompleteAnswerContext(answer, preferences)),
    );
  }
  const { total, records, completeness } = answer.list;
  if (answer.missingItem !== undefined) return problemAnswerReport(createItemNotFoundProblem(query.resource, answer));
  return { status: 200, completeness, total, records: records.length };
}

function problemAnswerReport({ kind, message }: Problem): AnswerReport {
  return { status: errorCatalogue[kind].status, message };
}
