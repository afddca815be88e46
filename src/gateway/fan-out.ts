import type { Clock } from '../model/clock.js';
import type { ExclusionReason, Outcome, SourceOutcome } from '../model/outcome.js';
import { combineWaits } from '../model/cache-result.js';
import type { SourceWait } from '../model/cache-result.js';
import type { SourceRequestContext, QueryOptions } from '../source/request/source-request-context.js';
import type { Snapshot } from '../source/source.js';
import { createDeadlineSignal } from '../source/client/timeout.js';

/** By what names answers speak of a source, and whether it is a gateway itself. */
interface SourceIdentity {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
}

/** Milliseconds after which the answer is put together from what has come. */
interface FanOutDeadlines {
  readonly direct: number;
  /** The same for what another gateway asks of an aggregate. */
  readonly relayed: number;
}

/** The asking of sources for one answer: until when, what came of it, and what had to be waited for. */
export class FanOut<S extends SourceIdentity> {
  /** When the first of them is asked, in milliseconds since 1970. */
  readonly startedAt: number;
  private readonly context: SourceRequestContext;
  private readonly aggregateContext: SourceRequestContext;
  private readonly outcomeBySource = new Map<S, SourceOutcome<Snapshot>>();
  private orderedOutcomes: readonly SourceOutcome<Snapshot>[] | undefined;
  private readonly waits: SourceWait[] = [];

  constructor(
    private readonly sources: readonly S[],
    private readonly clock: Clock,
    { private: isPrivate, relayed = false }: QueryOptions,
    patience: FanOutDeadlines,
  ) {
    this.startedAt = clock.now();
    const until = (milliseconds: number): SourceRequestContext => {
      const signal = createDeadlineSignal(milliseconds);
      return Object.freeze({ private: isPrivate, signal, onWait: (wait: SourceWait) => this.waits.push(wait) });
    };
    this.context = until(patience.direct);
    this.aggregateContext = relayed ? until(patience.relayed) : this.context;
  }

  /** How a source is asked in this round. */
  contextFor({ aggregate }: S): SourceRequestContext {
    return aggregate ? this.aggregateContext : this.context;
  }

  exclude({ source, reason }: { readonly source: S; readonly reason: ExclusionReason }): void {
    this.setOutcome(source, { state: 'excluded', reason }, 0);
  }

  /** Asks a source, or asks it again; what came of it before counts no more. */
  request(source: S, ask: (asking: SourceRequestContext) => Promise<Outcome<Snapshot>>): Promise<void> {
    const started = this.clock.now();
    const before = this.outcomeOf(source)?.milliseconds ?? 0;
    return ask(this.contextFor(source)).then((outcome) => {
      this.setOutcome(source, outcome, before + this.clock.now() - started);
    });
  }

  outcomeOf(source: S): SourceOutcome<Snapshot> | undefined {
    return this.outcomeBySource.get(source);
  }

  /** What came so far, in the order of the sources. */
  get outcomes(): readonly SourceOutcome<Snapshot>[] {
    this.orderedOutcomes ??= this.sources.flatMap((source) => this.outcomeOf(source) ?? []);
    return this.orderedOutcomes;
  }

  /** Absent when nothing had to be waited for. */
  get waitReason(): SourceWait | undefined {
    return combineWaits(this.waits);
  }

  private setOutcome(source: S, outcome: Outcome<Snapshot>, milliseconds: number): void {
    const { code, sourceName } = source;
    this.outcomeBySource.set(source, { code, sourceName, outcome, milliseconds });
    this.orderedOutcomes = undefined;
  }
}
