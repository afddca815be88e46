import type { Clock } from '../model/clock.js';
import type { Exclusion, Outcome, SourceOutcome } from '../model/outcome.js';
import { allWaited } from '../model/waited.js';
import type { Waited } from '../model/waited.js';
import type { Asking, Manner } from '../source/asking.js';
import type { Copy } from '../source/source.js';
import { deadline } from '../source/timeout.js';

/** By what names answers speak of a source, and whether it is a gateway itself. */
interface Named {
  readonly code: string;
  readonly sourceName: string;
  readonly aggregate: boolean;
}

/** Milliseconds after which the answer is put together from what has come. */
interface Patience {
  readonly all: number;
  /** The same for what another gateway asks of an aggregate. */
  readonly relayed: number;
}

/** The asking of sources for one answer: until when, what came of it, and what had to be waited for. */
export class Round<S extends Named> {
  /** When the first of them is asked, in milliseconds since 1970. */
  readonly started: number;
  private readonly asking: Asking;
  private readonly ofAggregates: Asking;
  private readonly came = new Map<S, SourceOutcome<Copy>>();
  private inOrder: readonly SourceOutcome<Copy>[] | undefined;
  private readonly waits: Waited[] = [];

  constructor(
    private readonly sources: readonly S[],
    private readonly clock: Clock,
    { private: isPrivate, relayed = false }: Manner,
    patience: Patience,
  ) {
    this.started = clock.now();
    const until = (milliseconds: number): Asking => {
      const signal = deadline(milliseconds);
      return Object.freeze({ private: isPrivate, signal, waits: (waited: Waited) => this.waits.push(waited) });
    };
    this.asking = until(patience.all);
    this.ofAggregates = relayed ? until(patience.relayed) : this.asking;
  }

  /** How a source is asked in this round. */
  askingOf({ aggregate }: S): Asking {
    return aggregate ? this.ofAggregates : this.asking;
  }

  exclude({ source, reason }: { readonly source: S; readonly reason: Exclusion }): void {
    this.note(source, { state: 'excluded', reason }, 0);
  }

  /** Asks a source, or asks it again; what came of it before counts no more. */
  ask(source: S, ask: (asking: Asking) => Promise<Outcome<Copy>>): Promise<void> {
    const started = this.clock.now();
    const before = this.of(source)?.milliseconds ?? 0;
    return ask(this.askingOf(source)).then((outcome) => {
      this.note(source, outcome, before + this.clock.now() - started);
    });
  }

  of(source: S): SourceOutcome<Copy> | undefined {
    return this.came.get(source);
  }

  /** What came so far, in the order of the sources. */
  get outcomes(): readonly SourceOutcome<Copy>[] {
    this.inOrder ??= this.sources.flatMap((source) => this.of(source) ?? []);
    return this.inOrder;
  }

  /** Absent when nothing had to be waited for. */
  get waited(): Waited | undefined {
    return allWaited(this.waits);
  }

  private note(source: S, outcome: Outcome<Copy>, milliseconds: number): void {
    const { code, sourceName } = source;
    this.came.set(source, { code, sourceName, outcome, milliseconds });
    this.inOrder = undefined;
  }
}
