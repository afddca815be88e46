import { createApp } from '../app.js';
import type { App } from '../app.js';
import type { Config } from '../config/config.js';
import { explainQuery } from '../gateway/explain.js';
import type { SourceExplanation } from '../gateway/explain.js';
import type { FederatedAnswer } from '../gateway/gateway.js';
import { formatQueryField } from '../http/log/log-fields.js';
import { findMissingItemProblem } from '../http/missing-item-problem.js';
import { ITEM_NOT_FOUND } from '../http/list-handler.js';
import { parsePreferences } from '../http/request/preferences.js';
import { resolveTarget } from '../http/match-route.js';
import type { ResolvedTarget } from '../http/match-route.js';
import { getBackend } from '../http/served-resource.js';
import {
  isServable,
  createIncompleteAnswerContext,
  createIncompleteAnswerProblem,
} from '../http/source-report/incomplete-answer-error.js';
import { systemClock } from '../model/clock.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import { defaultQueryOptions } from '../source/request/source-request-context.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { TrafficCounter } from '../source/body/traffic-counter.js';
import { createRedaction } from '../source/client/credentials.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import type { ClosableTransport } from '../source/client/transport/http-transport.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { buildSourceReport } from './explain-report.js';
import type { AnswerReport, SourceMeasurement, ExplainReport } from './explain-report.js';
import { formatExplainReport } from './format-explain-report.js';
import { WarningCollector } from './warning-collector.js';

/** Arguments of the command. */
export interface ExplainOptions {
  /** Request target, as a client of the public port sends it. */
  readonly target: string;
  readonly file: string;
  /** Whether the sources are queried, too. */
  readonly run: boolean;
  /** Whether the report is printed as JSON. */
  readonly json: boolean;
}

/** Exit code of a run that produced no list. */
const EXIT_NO_ANSWER = 2;

/**
 * `rollcall explain` (operation 1.6): explains how a process with an empty cache would answer a query. Without `run` it
 * has no network access. Returns the exit code: 0 if the query was explained, 1 if the configuration has errors or the
 * server would reject the query, 2 if a run produced no list.
 */
export async function explainTarget({ target, file, run, json }: ExplainOptions): Promise<number> {
  const config = await loadConfigOrReport(file);
  if (config === undefined) return 1;
  const session = new ExplainSession(config);
  try {
    const report = await session.run(target, run);
    if ('problem' in report) return reportProblem(report.problem);
    process.stdout.write(json ? `${JSON.stringify(report, undefined, 2)}\n` : formatExplainReport(report));
    return report.answer?.message === undefined ? 0 : EXIT_NO_ANSWER;
  } finally {
    await session.close();
  }
}

/** The error of a query at members access where no client can have it (decisions 8.1). */
const NO_MEMBERS_ACCESS: Problem = {
  kind: 'unauthorized',
  message: 'the query needs members access, and the configuration has no client and no issuer that gives it',
};

/** Prints the error that the server would return. */
function reportProblem({ kind, message }: Problem): number {
  const { status, phrase } = errorCatalogue[kind];
  process.stderr.write(`rollcall: ${status} ${phrase}: ${message}\n`);
  return 1;
}

/** A gateway that serves no client, with the traffic counters and warnings of its sources. */
class ExplainSession {
  private readonly app: App;
  private readonly client: ClosableTransport = createUndiciTransport();
  private readonly counters = new Map<string, TrafficCounter>();
  private readonly warnings = new WarningCollector();
  private readonly keys = new KeyReader();

  constructor(private readonly config: Config) {
    this.app = createApp(config, {
      transport: this.client.transport,
      workers: { public: { keyReader: this.keys }, members: { keyReader: this.keys } },
      clock: systemClock,
      log: this.warnings,
      observeSource: (code) => this.getCounter(code),
    });
  }

  async run(target: string, run: boolean): Promise<ExplainReport | { readonly problem: Problem }> {
    const resolved = resolveTarget(target, this.app.servedResources);
    if ('problem' in resolved) return resolved;
    if (this.app.sourcesAt(resolved.query.access) === undefined) return { problem: NO_MEMBERS_ACCESS };
    const plan = this.plan(resolved);
    if (plan === undefined) return { problem: ITEM_NOT_FOUND };
    const { query, itemId: item } = resolved;
    const head = { target, resource: query.resource.name, query: formatQueryField(query, item) };
    if (!run) return { ...head, sources: this.sources(plan, new Map()) };
    const backend = getBackend(resolved.resource.options, query);
    const answer = await backend.answerQuery(query, item, defaultQueryOptions);
    return {
      ...head,
      sources: this.sources(plan, this.measure(resolved, answer)),
      answer: buildAnswerReport(resolved, answer),
    };
  }

  async close(): Promise<void> {
    this.app.stopBackgroundWork();
    this.keys.close();
    await this.client.close();
  }

  private plan({ query, itemId: item }: ResolvedTarget): readonly SourceExplanation[] | undefined {
    return explainQuery(query, item, this.app.sourcesAt(query.access) ?? []);
  }

  private sources(
    plan: readonly SourceExplanation[],
    measurements: ReadonlyMap<string, SourceMeasurement>,
  ): ExplainReport['sources'] {
    const thresholds = new Map(this.config.sources.map(({ code, drainThreshold }) => [code, drainThreshold]));
    return plan.map((explanation) =>
      buildSourceReport(explanation, thresholds.get(explanation.code) ?? 0, measurements.get(explanation.code)),
    );
  }

  /** Measurements by the code of the source. */
  private measure(
    resolved: ResolvedTarget,
    answer: FederatedAnswer | undefined,
  ): ReadonlyMap<string, SourceMeasurement> {
    const planAfter = new Map(this.plan(resolved)?.map(({ code, participation }) => [code, participation]));
    const { outcomes = [] } = answer ?? {};
    const counts = outcomes.flatMap((outcome): [string, SourceMeasurement][] => {
      const { code } = outcome;
      const participation = planAfter.get(code);
      return participation
        ? [
            [
              code,
              {
                outcome,
                planAfter: participation,
                traffic: this.getCounter(code),
                warnings: this.warnings.warningsOf(code),
              },
            ],
          ]
        : [];
    });
    return new Map(counts);
  }

  private getCounter(code: string): TrafficCounter {
    const counter = this.counters.get(code) ?? new TrafficCounter(createSourceRedaction(this.config, code));
    this.counters.set(code, counter);
    return counter;
  }
}

/** Creates the function that replaces the credentials of a source in a text (decisions 8.4). */
function createSourceRedaction({ sources }: Config, code: string): (text: string) => string {
  const { credentials = {} } = sources.find((source) => source.code === code) ?? {};
  const redactions = Object.values(credentials).map(createRedaction);
  return (text) => redactions.reduce((redacted, redact) => redact(redacted), text);
}

function buildAnswerReport({ itemId: item, query }: ResolvedTarget, answer: FederatedAnswer | undefined): AnswerReport {
  if (answer === undefined) return problemAnswerReport(ITEM_NOT_FOUND);
  const missingItem = findMissingItemProblem(answer, query.resource);
  if (missingItem !== undefined) return problemAnswerReport(missingItem);
  const preferences = parsePreferences('');
  if (!isServable(answer, preferences, item)) {
    return problemAnswerReport(
      createIncompleteAnswerProblem(answer.outcomes, createIncompleteAnswerContext(answer, preferences)),
    );
  }
  const { total, records, completeness } = answer.list;
  if (answer.missingItem !== undefined) return problemAnswerReport(ITEM_NOT_FOUND);
  return { status: 200, completeness, total, records: records.length };
}

function problemAnswerReport({ kind, message }: Problem): AnswerReport {
  return { status: errorCatalogue[kind].status, message };
}
