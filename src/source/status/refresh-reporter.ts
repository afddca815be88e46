import type { AccessLevel } from '../../model/access-level.js';
import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { SourceMeter } from '../../model/meter.js';
import { findSnapshot, reportFailureDetail } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { DrainResult } from '../record/drain-result.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';
import type { SourceQuery } from '../request/source-query.js';
import type { FailureOutcome, Snapshot } from '../snapshot/snapshot.js';
import type { SourceActivity } from './source-activity.js';

export interface RefreshReporterOptions {
  readonly source: { readonly code: string; readonly access: AccessLevel };
  readonly services: {
    readonly clock: Clock;
    readonly log: Log;
    readonly meter: SourceMeter;
  };
  /** For the operator. One for all snapshots of a source. */
  readonly activity: SourceActivity;
  /** By the feed's URL: metrics sum up all feeds of a source. */
  readonly onFeedFetched?:
    ((url: string, fetched: { readonly outcome: Outcome<Snapshot>; readonly isAdopted: boolean }) => void) | undefined;
}

interface ReportedFetch {
  readonly outcome: Outcome<Snapshot>;
  /** Absent: the snapshot was confirmed or the source leads back to this gateway. */
  readonly drainResult?: Omit<DrainResult<unknown>, 'records'>;
  readonly findingExamples?: FindingExamples;
}

/** For the operator: in the log, the metrics and the states of the sources (operation 3.4, 3.5, 4). */
export class RefreshReporter {
  constructor(private readonly options: RefreshReporterOptions) {}

  /** A response that was read. `started` is in milliseconds since 1970. */
  logFetch(query: SourceQuery, { drainResult, outcome }: ReportedFetch, started: number): void {
    if (outcome.state === 'excluded') {
      this.logRefresh('warn', 'source excluded', { query, started, details: outcome });
    } else if (drainResult !== undefined) {
      const { receivedCount: records, bytes, findings, expressions, partialDetail: detail } = drainResult;
      const failed = expressions === undefined || expressions.failures.size === 0 ? undefined : expressions.failures;
      const counted = { records, bytes, findings: Object.fromEntries(findings) };
      const details = {
        ...counted,
        ...(detail !== undefined && { detail }),
        ...(failed && { failed: Object.fromEntries(failed) }),
      };
      this.logRefresh('info', 'source drained', { query, started, details });
    } else this.logRefresh('debug', 'source confirmed', { query, started, details: {} });
  }

  /** What is served after it. */
  noteFetch(query: SourceQuery, fetched: ReportedFetch, outcome: Outcome<Snapshot>): void {
    const { source, services, activity } = this.options;
    const { drainResult, findingExamples } = fetched;
    const at = services.clock.now();
    const findings = drainResult?.findings;
    // Values of members records are not shown.
    const examples = source.access === 'public' ? findingExamples : undefined;
    const detail = drainResult?.partialDetail;
    activity.noteFetch(query, { at, outcome, findings, examples, ...(detail !== undefined && { detail }) });
    if (drainResult !== undefined) activity.noteChecked(query, at);
    this.recordMetrics(query, outcome, { findings });
  }

  /** `detail` is for the operator; `isDisproof`: the source evaluated a query wrongly, which is noted elsewhere. */
  noteFailure(
    query: SourceQuery,
    outcome: FailureOutcome,
    {
      detail,
      started,
      isDisproof,
    }: { readonly detail: string; readonly started: number; readonly isDisproof: boolean },
  ): void {
    const { services, activity } = this.options;
    const details = { reason: outcome.reason, ...reportFailureDetail(outcome), detail };
    this.logRefresh('warn', 'source failed', { query, started, details });
    // No request was sent to a suspended source.
    if (outcome.state !== 'suspended' && !isDisproof)
      activity.noteFetch(query, { at: services.clock.now(), outcome, detail });
  }

  /** What another instance got: an alert must not depend on which one fetches (operation 2.5.4). */
  noteAdoption(query: SourceQuery, outcome: Outcome<Snapshot>): void {
    const { services, activity } = this.options;
    // No request was sent to a suspended source.
    if (outcome.state !== 'suspended')
      activity.noteFetch(query, { at: services.clock.now(), outcome, isAdopted: true });
    this.recordMetrics(query, outcome, { isAdopted: true });
  }

  /** Of complete lists and feeds; of other fetches only findings about keys. */
  recordMetrics(
    query: SourceQuery,
    outcome: Outcome<Snapshot>,
    {
      findings,
      isAdopted = false,
    }: { readonly findings?: FindingCounts | undefined; readonly isAdopted?: boolean } = {},
  ): void {
    const { source, services } = this.options;
    const { resource, parameters, nativeId: native, pushDown } = query;
    if (resource === dataTeamsWithKeys && pushDown === undefined && findings !== undefined)
      services.meter.recordKeyFindings({ source: source.code, origin: 'list', findings });
    if (resource === feedEntries) this.options.onFeedFetched?.(parameters['feed'] ?? '', { outcome, isAdopted });
    if (native !== undefined || pushDown !== undefined || Object.keys(parameters).length > 0) return;
    const snapshot = findSnapshot(outcome);
    services.meter.recordFetch({
      source: source.code,
      resource: resource.name,
      outcome,
      records: snapshot?.set.records.length ?? 0,
      ...(snapshot && { fetchedAt: snapshot.verifiedAt }),
      ...(findings && { findings }),
      isAdopted,
    });
  }

  private logRefresh(
    level: 'debug' | 'info' | 'warn',
    message: string,
    { query, started, details }: { readonly query: SourceQuery; readonly started: number; readonly details: object },
  ): void {
    const { source, services } = this.options;
    const about = { source: source.code, resource: query.resource.name, ...query.parameters };
    services.log[level]({ ...about, ...details, milliseconds: services.clock.now() - started }, message);
  }
}
