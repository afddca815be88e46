import type { SourceExplanation, SourceParticipation } from '../gateway/explain.js';
import type { Completeness } from '../gateway/gateway.js';
import { findSnapshot } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Snapshot } from '../lists/snapshot.js';
import type { Resource } from '../model/resource.js';
import type { PushDown } from '../plan/push-down.js';
import type { LargeSourcePlan, WorkSplit } from '../plan/source-plan.js';

/**
 * Of `rollcall explain` (operation 1.6.2) and of `/explain` (operation 3.6), as JSON: plain values only, and no record.
 */
export interface ExplainReport {
  readonly version: 2;
  readonly target: string;
  readonly resource: Resource['name'];
  /** Canonical, as in the log; for a single item its id. */
  readonly query: string;
  /** Ordered by number; for a single item only its owner. */
  readonly sources: readonly ExplainSourceReport[];
  readonly answer?: AnswerReport;
}

export interface ExplainSourceReport {
  readonly source: string;
  readonly sourceName: string;
  /** Absent where the source is not queried. */
  readonly interface?: Resource['interfaceName'];
  /** Queried with members credentials; else absent (decisions 8.3). */
  readonly access?: 'members';
  /** The snapshot with all data of the source that the query needs; `none` where there is none. */
  readonly cached: 'none' | 'fresh' | 'stale';
  /** Records of a resource up to which the source is always drained. */
  readonly drainThreshold: number;
  readonly plan: PlanReport;
  readonly run?: RunReport;
}

export type PlanReport =
  | { readonly strategy: 'excluded'; readonly reason: string }
  | { readonly strategy: 'item'; readonly id: number }
  | ({ readonly strategy: 'cached' } & WorkSplit)
  | ({ readonly strategy: 'drain'; readonly ifLarge: LargeSourcePlanReport } & WorkSplit)
  | LargeSourcePlanReport;

type ReportedStrategy = PlanReport['strategy'];

/** For a source with more records than its drain threshold (decisions 5.3). */
type LargeSourcePlanReport =
  /** `stream`: no more records are fetched than are needed. */
  | ({
      readonly strategy: 'push-down';
      readonly stream: boolean;
      readonly guaranteed: PushDown['guaranteed'];
    } & WorkSplit)
  /** The complete list is drained, as long as it may be cached (decisions 5.10). `lacks` as below. */
  | ({ readonly strategy: 'drain'; readonly lacks: readonly string[] } & WorkSplit)
  /**
   * `lacks`: names of the parameters for which the source has no capability (`sort`: the order), and `total` where that
   * capability is missing.
   */
  | { readonly strategy: 'too-large'; readonly lacks: readonly string[] };

export interface RunReport {
  readonly strategy: ReportedStrategy;
  readonly state: SourceOutcome<unknown>['outcome']['state'];
  readonly reason?: string;
  /** Records that the query was evaluated on; absent where the source had none. */
  readonly available?: number;
  /** Until the outcome of the source was known. */
  readonly milliseconds: number;
  /** Absent in a process that answers other queries too, because queries share requests. */
  readonly traffic?: TrafficReport;
}

export interface TrafficReport {
  /** Path and query on the wire, retries and redirects included. */
  readonly requests: readonly string[];
  /** In all received pages, whether they match or not. */
  readonly records: number;
  /** Decoded. */
  readonly bytes: number;
  /** As a server would have logged them. */
  readonly warnings: readonly string[];
}

export interface AnswerReport {
  readonly status: number;
  readonly message?: string;
  readonly completeness?: Completeness;
  readonly total?: number;
  readonly records?: number;
}

/** From the plan of the source and, if the query was executed, from what it did. */
export function buildSourceReport(
  explanation: SourceExplanation,
  drainThreshold: number,
  run?: RunReport,
): ExplainSourceReport {
  const { code, sourceName, interfaceName, access, participation } = explanation;
  return {
    source: code,
    sourceName,
    ...(interfaceName && { interface: interfaceName }),
    ...(access === 'members' && { access }),
    cached: participation.strategy === 'cached' ? (participation.isStale ? 'stale' : 'fresh') : 'none',
    drainThreshold,
    plan: buildPlanReport(participation),
    ...(run && { run }),
  };
}

function buildPlanReport(participation: SourceParticipation): PlanReport {
  switch (participation.strategy) {
    case 'excluded':
      return { strategy: 'excluded', reason: participation.reason };
    case 'item':
      return { strategy: 'item', id: participation.nativeId };
    case 'cached':
      return { strategy: 'cached', ...buildWorkSplitReport(participation) };
    case 'drain':
      if (!('ifLarge' in participation)) return buildLargeSourcePlanReport(participation);
      return {
        strategy: 'drain',
        ...buildWorkSplitReport(participation),
        ifLarge: buildLargeSourcePlanReport(participation.ifLarge),
      };
    case 'push-down':
    case 'too-large':
      return buildLargeSourcePlanReport(participation);
  }
}

function buildLargeSourcePlanReport(plan: LargeSourcePlan): LargeSourcePlanReport {
  const { strategy, pushDown } = plan;
  const { guaranteed, residual } = pushDown;
  if (strategy === 'push-down') return { strategy, ...buildWorkSplitReport(plan), stream: plan.isTopN, guaranteed };
  const lacksTotal = guaranteed.filters && !guaranteed.total;
  const lacks = lacksTotal ? [...residual, 'total'] : residual;
  return strategy === 'drain' ? { strategy, lacks, ...buildWorkSplitReport(plan) } : { strategy, lacks };
}

function buildWorkSplitReport({ sent, residual }: WorkSplit): WorkSplit {
  return { sent, residual };
}

interface ExecutedParticipation {
  readonly outcome: SourceOutcome<Snapshot>;
  readonly before: SourceParticipation;
  readonly after: SourceParticipation;
  /** The answer waited for a request to any source. */
  readonly hasWaited: boolean;
}

export function buildRunReport(executed: ExecutedParticipation, traffic?: TrafficReport): RunReport {
  const { outcome, milliseconds } = executed.outcome;
  const snapshot = findSnapshot(outcome);
  return {
    strategy: findUsedStrategy(executed),
    state: outcome.state,
    ...('reason' in outcome && { reason: outcome.reason }),
    ...(snapshot && { available: snapshot.set.records.length }),
    milliseconds,
    ...(traffic && { traffic }),
  };
}

function findUsedStrategy({ before, after, hasWaited }: ExecutedParticipation): ReportedStrategy {
  if (after.strategy !== 'cached') return before.strategy === 'cached' ? 'cached' : after.strategy;
  const isRefreshed = hasWaited && before.strategy === 'cached' && before.isStale && !after.isStale;
  if (before.strategy === 'cached' && !isRefreshed) return 'cached';
  // A source whose data is cached only after the query has been drained.
  return 'drain';
}
