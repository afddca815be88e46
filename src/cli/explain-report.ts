import type { Explained, Part } from '../gateway/explain.js';
import type { Completeness } from '../gateway/gateway.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { Offer } from '../plan/push-down.js';
import type { LargeWay } from '../plan/way.js';
import type { Tally } from '../source/tally.js';

/** What `rollcall explain` tells, as `--json` prints it (docs/explaining.md). Plain values only. */
export interface Report {
  readonly target: string;
  readonly resource: Resource['name'];
  /** The query in canonical form, as the log has it; of an item, its id. */
  readonly query: string;
  /** Ordered by number; of an item, its owner alone. */
  readonly sources: readonly SourceReport[];
  /** What came of it, where it was run. */
  readonly answer?: AnswerReport;
}

/** How one source takes part. */
export interface SourceReport {
  readonly source: string;
  readonly sourceName: string;
  /** Interface in which it is asked; absent where it is not. */
  readonly interface?: Resource['face'];
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
  | ({ readonly way: 'held' } & Shares)
  | ({ readonly way: 'drain'; readonly ifLarge: LargeReport } & Shares)
  | LargeReport;

/** What is asked of a source that has more records than its drain-threshold. */
export type LargeReport =
  /** `stream`: no more records are fetched than are wanted. */
  | ({ readonly way: 'push-down'; readonly stream: boolean; readonly guaranteed: Offer['guaranteed'] } & Shares)
  /** All that it has, as long as that may be held; `lacks` as below. */
  | ({ readonly way: 'drain-large'; readonly lacks: readonly string[] } & Shares)
  /** `lacks`: names of the parameters that it is not known to do (`sort`: the order), and `total` where that is what is missing. */
  | { readonly way: 'too-large'; readonly lacks: readonly string[] };

/** Who does what. */
interface Shares {
  /** Parameters that are sent beside paging. */
  readonly sent: Offer['sent'];
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
export interface Counted {
  readonly outcome: SourceOutcome<unknown>;
  readonly tally: Tally;
  readonly notes: readonly string[];
  /** Its part in the plan as it was afterwards. */
  readonly after: Part;
}

/** The plan of one source as it is told. */
export function sourceReport(explained: Explained, drainThreshold: number, counted?: Counted): SourceReport {
  const { code, sourceName, face, part } = explained;
  return {
    source: code,
    sourceName,
    ...(face && { interface: face }),
    held: part.way === 'held' ? (part.stale ? 'stale' : 'fresh') : 'none',
    drainThreshold,
    plan: planReport(part),
    ...(counted && { run: runReport(counted) }),
  };
}

function planReport(part: Part): PlanReport {
  switch (part.way) {
    case 'excluded':
      return { way: 'excluded', reason: part.reason };
    case 'item':
      return { way: 'item', id: part.native };
    case 'held':
      return { way: 'held', ...sharesOf(part) };
    case 'drain':
      return { way: 'drain', ...sharesOf(part), ifLarge: largeReport(part.ifLarge) };
    case 'push-down':
    case 'drain-large':
    case 'too-large':
      return largeReport(part);
  }
}

function largeReport(large: LargeWay): LargeReport {
  const { way, offer } = large;
  const { guaranteed, residual } = offer;
  if (way === 'push-down') return { way, ...sharesOf(large), stream: large.stream, guaranteed };
  const uncounted = guaranteed.filters && !guaranteed.total;
  const lacks = uncounted ? [...residual, 'total'] : residual;
  return way === 'drain-large' ? { way, lacks, ...sharesOf(large) } : { way, lacks };
}

function sharesOf({ sent, here }: Shares): Shares {
  return { sent, here };
}

function runReport({ outcome: { outcome, milliseconds }, tally, notes, after }: Counted): RunReport {
  return {
    // Who holds all of it now has drained it.
    way: after.way === 'held' ? (after.large === true ? 'drain-large' : 'drain') : after.way,
    state: outcome.state,
    ...('reason' in outcome && { reason: outcome.reason }),
    requests: tally.asked.length,
    records: tally.records,
    bytes: tally.bytes,
    milliseconds,
    asked: [...tally.asked],
    notes,
  };
}
