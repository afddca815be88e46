import type { Transferable } from 'node:worker_threads';
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

/** A task that was ended: it took more `time` or `memory` than a task may, or the pool was `closed`. */
export class TaskAbortedError extends Error {
  constructor(
    readonly reason: 'time' | 'memory' | 'closed',
    message: string,
  ) {
    super(message);
    this.name = 'TaskAbortedError';
  }
}

/** Milliseconds without a task after which the thread ends, for it takes memory. */
const IDLE_TIMEOUT_MS = 2_000;

/** Room for new objects in MiB: what one task leaves behind. */
const YOUNG_GENERATION_MIB = 24;

/**
 * Runs tasks one after the other in a worker thread, which starts with the first task and ends when there are none. A thread that broke is started anew with
 * the next task. Tasks and results are values that can be cloned.
 */
export class WorkerPool<Task, Result> {
  private pool: Tinypool;
  /** Settles when no task is left. */
  private queueTail: Promise<unknown> = Promise.resolve();
  /** Aborts the task that runs. */
  private runningTask: AbortController | undefined;
  private closeCount = 0;

  constructor(private readonly options: WorkerPoolOptions) {
    this.pool = this.newPool();
  }

  private newPool(): Tinypool {
    const { module, memory } = this.options;
    const pool = new Tinypool({
      filename: module.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT_MS,
      // With it the thread does not turn its event loop between tasks that come close together, and never frees the ports that came with them.
      useAtomics: false,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    // tinypool emits an event for a thread that could not start, and leaves its task pending.
    pool.on('error', (error: Error) => {
      if (pool === this.pool) this.runningTask?.abort(error);
    });
    return pool;
  }

  /**
   * The result of a task. Rejects where the task fails, and where the thread cannot start; with {@link TaskEnded} where the task takes too long or too much
   * memory. Its time begins when the tasks before it have ended: tasks of many callers may wait for longer than one may take. What stands in `transfer` is
   * moved to the thread when the task begins, and is of no use here from then on.
   */
  run(task: Task, transfer: readonly Transferable[] = []): Promise<Result> {
    const { closeCount: closings } = this;
    const result = this.queueTail.then(() => {
      if (closings !== this.closeCount) throw createClosedError();
      return this.runNow(task, transfer);
    });
    this.queueTail = result.catch(() => undefined);
    return result;
  }

  /**
   * Rejects the task that runs, which ends its thread, and those that wait. An idle thread ends by itself after a moment, and keeps no process alive.
   * `Tinypool.destroy` is not used: it waits with `events.once`, which needs a `removeListener` that tinypool's threads do not have, so that a thread that
   * breaks meanwhile would end the process.
   */
  close(): void {
    this.closeCount += 1;
    this.runningTask?.abort(createClosedError());
  }

  private async runNow(task: Task, transfer: readonly Transferable[]): Promise<Result> {
    const { timeout } = this.options;
    const running = (this.runningTask = new AbortController());
    const timer = setTimeout(() => {
      running.abort(new TaskAbortedError('time', `the task took longer than ${timeout} ms`));
    }, timeout);
    try {
      // What crosses threads has no type: the module's default export vouches for it.
      return (await this.pool.run(task, { signal: running.signal, transferList: [...transfer] })) as Result;
    } catch (error) {
      // The race: (1) the task is aborted and its thread ends, (2) the thread's result is delivered all the same, (3) tinypool takes the thread for free
      // and gives it the next task, which ends with it. So the next task gets another pool.
      if (running.signal.aborted) this.pool = this.newPool();
      running.signal.throwIfAborted();
      throw isOutOfMemory(error) ? new TaskAbortedError('memory', 'the task needed more memory than it may') : error;
    } finally {
      clearTimeout(timer);
      this.runningTask = undefined;
    }
  }
}

function createClosedError(): TaskAbortedError {
  return new TaskAbortedError('closed', 'the pool was closed');
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
