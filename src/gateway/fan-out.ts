import type { OutcomeTraced, Publish } from '../events/event.js';
import type { Clock } from '../model/clock.js';
import type { Outcome, SourceOutcome } from '../model/outcome.js';
import type { ExclusionReason } from '../model/reasons.js';
import { combineWaits } from '../model/cache-result.js';
import type { SourceWait } from '../model/cache-result.js';
import { runInOutcomeSpan } from '../lists/outcome-span.js';
import type { SourceRequestContext, QueryOptions } from '../source/request/source-request-context.js';
import type { Snapshot } from '../lists/snapshot.js';
import type { TraceSpan } from '../model/tracer.js';
import { createDeadlineSignal } from '../source/client/timeout.js';

interface SourceIdentity {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
}

/** After so many milliseconds, the response is assembled from the outcomes known by then (decisions 5.8). */
interface FanOutDeadlines {
  readonly direct: number;
  /** For an aggregate, if the query comes from another gateway (decisions 5.23). */
  readonly relayed: number;
}

interface FanOutStart extends FanOutDeadlines {
  readonly publish: Publish;
}

type QuerySource = (context: SourceRequestContext) => Promise<Outcome<Snapshot>>;

/** One round of queries: its deadlines, the outcome of each source, and what the response waited for. */
export class FanOut<S extends SourceIdentity> {
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  private readonly context: SourceRequestContext;
  private readonly aggregateContext: SourceRequestContext;
  private readonly trace: TraceSpan | undefined;
  private readonly publish: Publish;
  private readonly outcomeBySource = new Map<S, SourceOutcome<Snapshot>>();
  private orderedOutcomes: readonly SourceOutcome<Snapshot>[] | undefined;
  private readonly waits: SourceWait[] = [];

  constructor(
    private readonly sources: readonly S[],
    private readonly clock: Clock,
    { isPrivate, isRelayed = false, trace }: QueryOptions,
    { publish, ...deadlines }: FanOutStart,
  ) {
    this.startedAt = clock.now();
    this.trace = trace;
    this.publish = publish;
    const createContext = (milliseconds: number): SourceRequestContext => {
      const signal = createDeadlineSignal(milliseconds);
      const onWait = (wait: SourceWait): void => void this.waits.push(wait);
      return Object.freeze({ isPrivate, signal, deadline: milliseconds, onWait });
    };
    this.context = createContext(deadlines.direct);
    this.aggregateContext = isRelayed ? createContext(deadlines.relayed) : this.context;
  }

  contextFor({ aggregate }: S): SourceRequestContext {
    return aggregate ? this.aggregateContext : this.context;
  }

  /** The source is not queried. */
  exclude({ source, reason }: { readonly source: S; readonly reason: ExclusionReason }): void {
    this.setOutcome(source, { state: 'excluded', reason }, 0);
  }

  /** A repeated query replaces the earlier outcome. */
  request(source: S, fetch: QuerySource): Promise<void> {
    const started = this.clock.now();
    const before = this.outcomeOf(source)?.milliseconds ?? 0;
    return this.query(source, fetch).then((outcome) => {
      this.setOutcome(source, outcome, before + this.clock.now() - started);
    });
  }

  /** In a span that states whether the query waited for a refresh of another request (operation 7.2). */
  private query(source: S, fetch: QuerySource): Promise<Outcome<Snapshot>> {
    const { code } = source;
    const context = this.contextFor(source);
    const publish = (traced: OutcomeTraced): void => this.publish({ type: 'source queried', source: code, ...traced });
    return runInOutcomeSpan({ parent: this.trace, name: `source ${code}`, publish }, (trace) => {
      if (trace === undefined) return fetch(context);
      const onWait = (wait: SourceWait): void => {
        if (wait.collapsed) trace.setAttributes({ 'rollcall.joined': true });
        context.onWait(wait);
      };
      return fetch({ ...context, trace, onWait });
    });
  }

  /** The new outcome says less. */
  replace(source: S, outcome: Outcome<Snapshot>): void {
    this.setOutcome(source, outcome, this.outcomeOf(source)?.milliseconds ?? 0);
  }

  outcomeOf(source: S): SourceOutcome<Snapshot> | undefined {
    return this.outcomeBySource.get(source);
  }

  /** Those known so far, in the order of the sources. */
  get outcomes(): readonly SourceOutcome<Snapshot>[] {
    this.orderedOutcomes ??= this.sources.flatMap((source) => this.outcomeOf(source) ?? []);
    return this.orderedOutcomes;
  }

  /** Undefined if the response waited for nothing. */
  get waitReason(): SourceWait | undefined {
    return combineWaits(this.waits);
  }

  private setOutcome(source: S, outcome: Outcome<Snapshot>, milliseconds: number): void {
    const { code, sourceName } = source;
    this.outcomeBySource.set(source, { code, sourceName, outcome, milliseconds });
    this.orderedOutcomes = undefined;
  }
}
