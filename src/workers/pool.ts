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

  constructor(private readonly options: WorkerPoolOptions) {}

  /** The result of a task. Rejects where the task fails, takes too long or too much memory, and where the thread cannot start. */
  async run(task: Task): Promise<Result> {
    const { pool, broken } = (this.started ??= this.start());
    // What crosses threads has no type: the module's default export vouches for it.
    const result = pool.run(task, { signal: AbortSignal.timeout(this.options.timeout) }) as Promise<Result>;
    return Promise.race([result, broken]);
  }

  /** Ends the thread; tasks that it has are rejected. */
  async close(): Promise<void> {
    const { started } = this;
    this.started = undefined;
    await started?.pool.destroy();
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
    // tinypool tells of a thread that could not start by an event; the tasks would wait for ever.
    const broken = new Promise<never>((_, reject) => {
      pool.on('error', (error: Error) => {
        reject(error);
        if (this.started?.pool === pool) void this.close();
      });
    });
    // Nobody may be waiting.
    broken.catch(() => undefined);
    return { pool, broken };
  }
}

interface Started {
  readonly pool: Tinypool;
  /** Rejects when a thread could not start. */
  readonly broken: Promise<never>;
}
