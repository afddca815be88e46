import { Tinypool } from 'tinypool';

/** What a pool runs, and how far its thread may go. */
export interface WorkerPoolOptions {
  /** A module whose default export takes a task and returns its result, or a promise of it. */
  readonly module: URL;
  /** Memory of the thread's old generation, in MiB. A task that needs more ends the thread, and is rejected. */
  readonly memory: number;
  /** Milliseconds for one task, the start of the thread included; one that takes longer ends the thread, and is rejected. */
  readonly timeout: number;
}

/** Milliseconds without a task after which the thread ends, for it takes memory. */
const IDLE = 2_000;

/** Room for new objects in MiB: what one task leaves behind. */
const YOUNG_GENERATION = 24;

/**
 * Runs tasks one after the other in a worker thread, which starts with the first task and ends when there are none. A thread that broke is started anew with
 * the next task. Tasks and results are plain values.
 */
export class WorkerPool<Task, Result> {
  private started: Started | undefined;
  /** Settles when no task is left. */
  private last: Promise<unknown> = Promise.resolve();
  private closings = 0;

  constructor(private readonly options: WorkerPoolOptions) {}

  /**
   * The result of a task. Rejects where the task fails, takes too long or too much memory, and where the thread cannot start. Its time begins when the
   * tasks before it have ended: tasks of many callers may wait for longer than one may take.
   */
  run(task: Task): Promise<Result> {
    const { closings } = this;
    const result = this.last.then(() => {
      if (closings !== this.closings) throw new Error('the thread was ended');
      return this.runNow(task);
    });
    this.last = result.catch(() => undefined);
    return result;
  }

  /** Ends the thread; the task that it runs and those that wait are rejected. */
  async close(): Promise<void> {
    this.closings += 1;
    await this.endThread();
  }

  private runNow(task: Task): Promise<Result> {
    const { pool, broken } = (this.started ??= this.start());
    // What crosses threads has no type: the module's default export vouches for it.
    const result = pool.run(task, { signal: AbortSignal.timeout(this.options.timeout) }) as Promise<Result>;
    return Promise.race([result, broken]);
  }

  private async endThread(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    if (started === undefined) return;
    // `destroy` waits with `events.once`, which calls `removeListener` where the thread breaks meanwhile; a thread of tinypool has none, and the process would end.
    for (const thread of started.pool.threads) Object.assign(thread, { removeListener: () => thread });
    // A thread that breaks has ended too.
    await started.pool.destroy().catch(() => undefined);
  }

  private start(): Started {
    const { module, memory } = this.options;
    const pool = new Tinypool({
      filename: module.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_GENERATION },
    });
    // tinypool emits an event for a thread that could not start, and leaves its tasks pending.
    const broken = new Promise<never>((_, reject) => {
      pool.on('error', (error: Error) => {
        reject(error);
        if (this.started?.pool === pool) void this.endThread();
      });
    });
    // There may be no task that handles it.
    broken.catch(() => undefined);
    return { pool, broken };
  }
}

interface Started {
  readonly pool: Tinypool;
  /** Rejects when a thread could not start. */
  readonly broken: Promise<never>;
}
