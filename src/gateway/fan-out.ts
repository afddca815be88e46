import type { Clock } from '../model/clock.js';
import type { ExclusionReason, Outcome, SourceOutcome } from '../model/outcome.js';
import { combineWaits } from '../model/cache-result.js';
import type { SourceWait } from '../model/cache-result.js';
import type { SourceRequestContext, QueryOptions } from '../source/request/source-request-context.js';
import type { Snapshot } from '../source/snapshot/snapshot.js';
import type { TraceSpan } from '../model/tracer.js';
import { createDeadlineSignal } from '../source/client/timeout.js';
import { querySourceInSpan } from './source-span.js';

/** Names of a source in responses, and whether it is a gateway itself. */
interface SourceIdentity {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
}

/** Milliseconds after which the response is assembled from the outcomes known by then (decisions 5.8). */
interface FanOutDeadlines {
  readonly direct: number;
  /** The same for an aggregate, if the query comes from another gateway (decisions 5.23). */
  readonly relayed: number;
}

/** What a round of queries starts with. */
interface FanOutStart extends FanOutDeadlines {
  /** Since when all instances of the gateway serve the same (`DateAgreement`); undefined: it is not known. */
  readonly agreedSince: number | undefined;
}

/** One round of queries to the sources: its deadlines, the outcome of each source, and what the response waited for. */
export class FanOut<S extends SourceIdentity> {
  /** When the first source is queried, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Since when all instances served the same when the round started, in milliseconds since 1970; undefined: not known. */
  readonly agreedAtStart: number | undefined;
  private readonly context: SourceRequestContext;
  private readonly aggregateContext: SourceRequestContext;
  /** Span of the request. */
  private readonly trace: TraceSpan | undefined;
  private readonly outcomeBySource = new Map<S, SourceOutcome<Snapshot>>();
  private orderedOutcomes: readonly SourceOutcome<Snapshot>[] | undefined;
  private readonly waits: SourceWait[] = [];

  constructor(
    private readonly sources: readonly S[],
    private readonly clock: Clock,
    { isPrivate, isRelayed = false, trace }: QueryOptions,
    { agreedSince, ...deadlines }: FanOutStart,
  ) {
    this.startedAt = clock.now();
    this.agreedAtStart = agreedSince;
    this.trace = trace;
    const createContext = (milliseconds: number): SourceRequestContext => {
      const signal = createDeadlineSignal(milliseconds);
      const onWait = (wait: SourceWait): void => void this.waits.push(wait);
      return Object.freeze({ isPrivate, signal, deadline: milliseconds, onWait });
    };
    this.context = createContext(deadlines.direct);
    this.aggregateContext = isRelayed ? createContext(deadlines.relayed) : this.context;
  }

  /** Returns the context in which a source is queried in this round. */
  contextFor({ aggregate }: S): SourceRequestContext {
    return aggregate ? this.aggregateContext : this.context;
  }

  /** Sets the outcome of a source that is not queried. */
  exclude({ source, reason }: { readonly source: S; readonly reason: ExclusionReason }): void {
    this.setOutcome(source, { state: 'excluded', reason }, 0);
  }

  /** Queries a source. A repeated query replaces the outcome of the one before. */
  request(source: S, fetch: (context: SourceRequestContext) => Promise<Outcome<Snapshot>>): Promise<void> {
    const started = this.clock.now();
    const before = this.outcomeOf(source)?.milliseconds ?? 0;
    const { trace } = this;
    return querySourceInSpan(source.code, this.contextFor(source), { trace, query: fetch }).then((outcome) => {
      this.setOutcome(source, outcome, before + this.clock.now() - started);
    });
  }

  /** Replaces the outcome of a source by one that says less. */
  replace(source: S, outcome: Outcome<Snapshot>): void {
    this.setOutcome(source, outcome, this.outcomeOf(source)?.milliseconds ?? 0);
  }

  /** Returns the outcome of a source; undefined before it is known. */
  outcomeOf(source: S): SourceOutcome<Snapshot> | undefined {
    return this.outcomeBySource.get(source);
  }

  /** The outcomes known so far, in the order of the sources. */
  get outcomes(): readonly SourceOutcome<Snapshot>[] {
    this.orderedOutcomes ??= this.sources.flatMap((source) => this.outcomeOf(source) ?? []);
    return this.orderedOutcomes;
  }

  /** What the response waited for; undefined if it waited for nothing. */
  get waitReason(): SourceWait | undefined {
    return combineWaits(this.waits);
  }

  private setOutcome(source: S, outcome: Outcome<Snapshot>, milliseconds: number): void {
    const { code, sourceName } = source;
    this.outcomeBySource.set(source, { code, sourceName, outcome, milliseconds });
    this.orderedOutcomes = undefined;
  }
}
