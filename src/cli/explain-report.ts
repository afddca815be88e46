import type { SourceExplanation, SourceParticipation } from '../gateway/explain.js';
import type { Completeness } from '../gateway/gateway.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { PushDown } from '../plan/push-down.js';
import type { LargeSourcePlan, WorkSplit } from '../plan/source-plan.js';
import type { TrafficCounter } from '../source/body/traffic-counter.js';

/** What `rollcall explain` tells, as `--json` prints it (docs/explaining.md). Plain values only. */
export interface ExplainReport {
  readonly target: string;
  readonly resource: Resource['name'];
  /** The query in canonical form, as the log has it; of an item, its id. */
  readonly query: string;
  /** Ordered by number; of an item, its owner alone. */
  readonly sources: readonly ExplainSourceReport[];
  /** What came of it, where it was run. */
  readonly answer?: AnswerReport;
}

/** How one source takes part. */
export interface ExplainSourceReport {
  readonly source: string;
  readonly sourceName: string;
  /** Interface in which it is asked; absent where it is not. */
  readonly interface?: Resource['interfaceName'];
  /** What is held of all that the query needs of it. */
  readonly held: 'none' | 'fresh' | 'stale';
  /** Records of one resource up to which it is drained. */
  readonly drainThreshold: number;
  readonly plan: PlanReport;
  /** Where it was run. */
  readonly run?: RunReport;
}

/** What a source is asked for. */
export type PlanReport =
  | { readonly way: 'excluded'; readonly reason: string }
  | { readonly way: 'item'; readonly id: number }
  | ({ readonly way: 'held' } & WorkSplitReport)
  | ({ readonly way: 'drain'; readonly ifLarge: LargeSourcePlanReport } & WorkSplitReport)
  | LargeSourcePlanReport;

/** What is asked of a source that has more records than its drain-threshold. */
export type LargeSourcePlanReport =
  /** `stream`: no more records are fetched than are wanted. */
  | ({
      readonly way: 'push-down';
      readonly stream: boolean;
      readonly guaranteed: PushDown['guaranteed'];
    } & WorkSplitReport)
  /** All that it has, as long as that may be held; `lacks` as below. */
  | ({ readonly way: 'drain-large'; readonly lacks: readonly string[] } & WorkSplitReport)
  /** `lacks`: names of the parameters that it is not known to do (`sort`: the order), and `total` where that is what is missing. */
  | { readonly way: 'too-large'; readonly lacks: readonly string[] };

/** Who does what. */
interface WorkSplitReport {
  /** Parameters that are sent beside paging. */
  readonly sent: PushDown['sent'];
  /** Names of the parameters whose work is done here. */
  readonly here: readonly string[];
}

/** What a source was asked for and gave, until the answer was there. */
export interface RunReport {
  /** The way that was taken. */
  readonly way: PlanReport['way'];
  readonly state: SourceOutcome<unknown>['outcome']['state'];
  readonly reason?: string;
  /** Sent on the wire: further attempts, and redirects, count. */
  readonly requests: number;
  /** In all pages that came, whether or not they match. */
  readonly records: number;
  /** Decoded. */
  readonly bytes: number;
  /** Until the source's part was known. */
  readonly milliseconds: number;
  /** Path and query of each request. */
  readonly asked: readonly string[];
  /** What would have been logged as a warning. */
  readonly notes: readonly string[];
}

/** What the client would have got. */
export interface AnswerReport {
  readonly status: number;
  /** Why there is no list. */
  readonly message?: string;
  readonly completeness?: Completeness;
  /** Records that match. */
  readonly total?: number;
  /** Records on the page that was asked for. */
  readonly records?: number;
}

/** What was counted of one source. */
export interface SourceMeasurement {
  readonly outcome: SourceOutcome<unknown>;
  readonly tally: TrafficCounter;
  readonly warnings: readonly string[];
  /** Its part in the plan as it was afterwards. */
  readonly planAfter: SourceParticipation;
}

/** The plan of one source as it is told. */
export function buildSourceReport(
  explained: SourceExplanation,
  drainThreshold: number,
  counted?: SourceMeasurement,
): ExplainSourceReport {
  const { code, sourceName, interfaceName: face, participation: part } = explained;
  return {
    source: code,
    sourceName,
    ...(face && { interface: face }),
    held: part.strategy === 'held' ? (part.isStale ? 'stale' : 'fresh') : 'none',
    drainThreshold,
    plan: buildPlanReport(part),
    ...(counted && { run: buildRunReport(counted) }),
  };
}

function buildPlanReport(part: SourceParticipation): PlanReport {
  switch (part.strategy) {
    case 'excluded':
      return { way: 'excluded', reason: part.reason };
    case 'item':
      return { way: 'item', id: part.nativeId };
    case 'held':
      return { way: 'held', ...buildWorkSplitReport(part) };
    case 'drain':
      return { way: 'drain', ...buildWorkSplitReport(part), ifLarge: buildLargeSourcePlanReport(part.ifLarge) };
    case 'push-down':
    case 'drain-large':
    case 'too-large':
      return buildLargeSourcePlanReport(part);
  }
}

function buildLargeSourcePlanReport(large: LargeSourcePlan): LargeSourcePlanReport {
  const { strategy: way, pushDown: offer } = large;
  const { guaranteed, residual } = offer;
  if (way === 'push-down') return { way, ...buildWorkSplitReport(large), stream: large.isTopN, guaranteed };
  const uncounted = guaranteed.filters && !guaranteed.total;
  const lacks = uncounted ? [...residual, 'total'] : residual;
  return way === 'drain-large' ? { way, lacks, ...buildWorkSplitReport(large) } : { way, lacks };
}

function buildWorkSplitReport({ sent, residual }: WorkSplit): WorkSplitReport {
  return { sent, here: residual };
}

function buildRunReport({
  outcome: { outcome, milliseconds },
  tally,
  warnings: notes,
  planAfter: after,
}: SourceMeasurement): RunReport {
  return {
    // Who holds all of it now has drained it.
    way: after.strategy === 'held' ? (after.isLarge === true ? 'drain-large' : 'drain') : after.strategy,
    state: outcome.state,
    ...('reason' in outcome && { reason: outcome.reason }),
    requests: tally.requestTargets.length,
    records: tally.records,
    bytes: tally.bytes,
    milliseconds,
    asked: [...tally.requestTargets],
    notes,
  };
}
