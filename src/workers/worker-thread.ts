import type { Transferable } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { FairQueue } from './fair-queue.js';

/** The module of a worker thread and its limits. */
export interface WorkerThreadOptions {
  /** A module whose default export takes a task and returns its result, or a promise of it. */
  readonly module: URL;
  /** Limit of the thread's old generation, in MiB. A task that exceeds it ends the thread and is rejected. */
  readonly memory: number;
  /**
   * Milliseconds for one task, including the start of the thread, unless the task has its own. A task that exceeds it ends
   * the thread and is rejected.
   */
  readonly timeout: number;
}

/** How a task is run. */
interface TaskOptions {
  /** Whose task it is. Owners take turns (`FairQueue`). Absent: tasks run in their order. */
  readonly owner?: string;
  readonly timeout?: number;
  readonly transfer?: readonly Transferable[];
}

/** Error of a task that was aborted: it exceeded the limit of `time` or `memory`, or the pool was `closed`. */
export class TaskAbortedError extends Error {
  constructor(
    readonly reason: 'time' | 'memory' | 'closed',
    message: string,
  ) {
    super(message);
    this.name = 'TaskAbortedError';
  }
}

/** Milliseconds without a task after which the thread ends, to free its memory. */
const IDLE_TIMEOUT_MS = 2_000;

/** Size of the young generation in MiB: room for the garbage of one task. */
const YOUNG_GENERATION_MIB = 24;

/**
 * Runs tasks one at a time in a worker thread. The thread starts with the first task and ends when idle. After a crash,
 * the next task starts a new thread. Tasks and results must be structured-cloneable.
 */
export class WorkerThread<Task, Result> {
  private pool: Tinypool;
  private readonly queue = new FairQueue();
  /** Aborts the running task. */
  private runningTask: AbortController | undefined;
  private closeCount = 0;

  constructor(private readonly options: WorkerThreadOptions) {
    this.pool = this.newPool();
  }

  private newPool(): Tinypool {
    const { module, memory } = this.options;
    const pool = new Tinypool({
      filename: module.href,
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_TIMEOUT_MS,
      // With atomics, the thread does not run its event loop between tasks in quick succession, and never frees the
      // message ports of these tasks.
      useAtomics: false,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    // For a thread that cannot start, tinypool emits an event and leaves the task pending.
    pool.on('error', (error: Error) => {
      if (pool === this.pool) this.runningTask?.abort(error);
    });
    return pool;
  }

  /**
   * Runs a task and returns its result. Rejects if the task fails or the thread cannot start, and with
   * {@link TaskAbortedError} if the task exceeds a limit or the pool is closed. The time limit starts with
   * the task, so tasks of many callers may wait for longer than the limit. Objects in `transfer` are moved to the
   * thread when the task starts and are unusable for the caller from then on.
   */
  run(task: Task, { owner = '', ...options }: TaskOptions = {}): Promise<Result> {
    const { closeCount } = this;
    return this.queue.run(owner, async () => {
      if (closeCount !== this.closeCount) throw createClosedError();
      return this.runNow(task, options);
    });
  }

  /**
   * Rejects the running task, which ends its thread, and all waiting tasks. An idle thread ends by itself after a
   * moment and does not keep the process alive. `Tinypool.destroy` is not used: it waits with `events.once`, which
   * needs a `removeListener` that tinypool's threads do not have, so a thread that crashes meanwhile would end the
   * process.
   */
  close(): void {
    this.closeCount += 1;
    this.runningTask?.abort(createClosedError());
  }

  private async runNow(
    task: Task,
    { transfer = [], timeout = this.options.timeout }: Pick<TaskOptions, 'transfer' | 'timeout'>,
  ): Promise<Result> {
    const running = (this.runningTask = new AbortController());
    const timer = setTimeout(() => {
      running.abort(new TaskAbortedError('time', `the task took longer than ${timeout} ms`));
    }, timeout);
    try {
      // Values that cross threads are untyped: the default export of the module guarantees the type.
      return (await this.pool.run(task, { signal: running.signal, transferList: [...transfer] })) as Result;
    } catch (error) {
      // The race: (1) the task is aborted and its thread begins to end; (2) the result of the thread is delivered all
      // the same; (3) tinypool considers the thread idle and gives it the next task, which is lost when the thread
      // ends. Therefore the next task uses a new pool.
      if (running.signal.aborted) this.pool = this.newPool();
      running.signal.throwIfAborted();
      throw isOutOfMemory(error) ? new TaskAbortedError('memory', 'the task exceeded its memory limit') : error;
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

/** Whether the work was given up because the threads of a replaced configuration, or of the process, are closed. */
export function isClosed(error: unknown): boolean {
  return error instanceof TaskAbortedError && error.reason === 'closed';
}
