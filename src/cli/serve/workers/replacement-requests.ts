import type { Config } from '../../../config/config.js';
import type { PreparedReplacement } from '../server-process.js';

/** Prepares the replacement of the configuration in force (`ServerProcess.prepareReplacement`). */
type PrepareReplacement = (config: Config) => Promise<PreparedReplacement>;

/** A replacement that the primary process has requested. */
interface RequestedReplacement {
  /** Number that the primary process gave the request. */
  readonly number: number;
  readonly replacement: Promise<PreparedReplacement>;
}

/**
 * The replacement that waits until the primary process has it put in force or abandoned.
 *
 * The race of two requests: (1) `prepare` 1 takes so long that the primary process sends `abandon` 1; (2) `prepare` 2 ends;
 * (3) `prepare` 1 ends; (4) `commit` 2 must not put configuration 1 in force. So requests have numbers, and each preparation
 * begins when the one before it was abandoned.
 */
export class ReplacementRequests {
  private requested: RequestedReplacement | undefined;
  /** Settles when all that was abandoned is closed. */
  private abandoned: Promise<void> = Promise.resolve();

  constructor(private readonly prepareReplacement: PrepareReplacement) {}

  /** Prepares a configuration, after an earlier one was abandoned. Rejects where it cannot be put in force. */
  async prepare(number: number, config: Config): Promise<void> {
    const abandoned = this.abandonRequested();
    const replacement = abandoned.then(() => this.prepareReplacement(config));
    this.requested = { number, replacement };
    await replacement;
  }

  /** Puts the configuration in force that was prepared with this number. Rejects where there is none. */
  async commit(number: number): Promise<void> {
    const { requested } = this;
    if (requested?.number !== number) throw new Error(`configuration ${number} is not prepared`);
    this.requested = undefined;
    await (await requested.replacement).commit();
  }

  /** Closes what was opened for the configuration with this number, at the latest when it is prepared. Never rejects. */
  async abandon(number: number): Promise<void> {
    if (this.requested?.number === number) await this.abandonRequested();
  }

  private abandonRequested(): Promise<void> {
    const { requested, abandoned } = this;
    this.requested = undefined;
    this.abandoned = Promise.all([abandoned, requested && closeReplacement(requested)]).then(() => undefined);
    return this.abandoned;
  }
}

async function closeReplacement({ replacement }: RequestedReplacement): Promise<void> {
  try {
    await (await replacement).abandon();
  } catch {
    // What could not be prepared has nothing to be closed.
  }
}
