import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Transferable } from 'node:worker_threads';
import { FairQueue } from './fair-queue.js';

export interface WorkerThreadOptions {
  /** Its default export takes a task and returns its result, or a promise of it. */
  readonly module: URL;
  /** Limit of the old generation, in MiB. A task that exceeds it ends the thread and is rejected. */
  readonly memory: number;
  /**
   * Milliseconds for one task without its own, including the start of the thread. A task that exceeds it ends the
   * thread and is rejected.
   */
  readonly timeout: number;
}

interface TaskOptions {
  /** Owners take turns (`FairQueue`). Absent: tasks run in their order. */
  readonly owner?: string;
  readonly timeout?: number;
  readonly transfer?: readonly Transferable[];
}

/** The task exceeded the limit of `time` or `memory`, or the pool was `closed`. */
export class TaskAbortedError extends Error {
  constructor(
    readonly reason: 'time' | 'memory' | 'closed',
    message: string,
  ) {
    super(message);
    this.name = 'TaskAbortedError';
  }
}

/** Milliseconds without a task; then the thread ends, to free its memory. */
const IDLE_TIMEOUT_MS = 2_000;

/** Room for the garbage of one task. */
const YOUNG_GENERATION_MIB = 24;

/** Replies to each task by its result or error. */
const RUNNER = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads';
    const { default: run } = await import(workerData);
    parentPort.on('message', async (task) => {
      try {
        parentPort.postMessage({ result: await run(task) });
      } catch (error) {
        parentPort.postMessage({ error });
      }
    });`)}`,
);

/**
 * Runs tasks one at a time. The thread starts with the first task, ends when idle, and is replaced after a crash. Tasks
 * and results must be structured-cloneable.
 */
export class WorkerThread<Task, Result> {
  private worker: Worker | undefined;
  private readonly queue = new FairQueue();
  private running: AbortController | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private closeCount = 0;

  constructor(private readonly options: WorkerThreadOptions) {}

  /**
   * Rejects if the task fails or the thread cannot start, and with {@link TaskAbortedError} if the task exceeds a limit
   * or the pool is closed. The time limit starts with the task, so tasks of many callers may wait for longer. Objects
   * in `transfer` are moved to the thread when the task starts and are unusable for the caller from then on.
   */
  run(task: Task, { owner = '', ...options }: TaskOptions = {}): Promise<Result> {
    const { closeCount } = this;
    return this.queue.run(owner, async () => {
      if (closeCount !== this.closeCount) throw createClosedError();
      return this.runNow(task, options);
    });
  }

  /** Rejects the running task and all waiting tasks. The next task starts a new thread. */
  close(): void {
    this.closeCount += 1;
    this.end(this.worker, createClosedError());
  }

  private async runNow(
    task: Task,
    { transfer = [], timeout = this.options.timeout }: Pick<TaskOptions, 'transfer' | 'timeout'>,
  ): Promise<Result> {
    clearTimeout(this.idleTimer);
    const worker = (this.worker ??= this.start());
    const { signal } = (this.running = new AbortController());
    const timer = setTimeout(() => {
      this.end(worker, new TaskAbortedError('time', `the task took longer than ${timeout} ms`));
    }, timeout);
    try {
      worker.ref();
      worker.postMessage(task, transfer);
      // Values that cross threads are untyped: the default export of the module guarantees the type.
      const [reply] = (await once(worker, 'message', { signal })) as [Reply<Result>];
      if ('error' in reply) throw reply.error;
      return reply.result;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      this.running = undefined;
      // An idle thread does not keep the process alive.
      worker.unref();
      this.idleTimer = setTimeout(() => {
        this.end(worker, createClosedError());
      }, IDLE_TIMEOUT_MS).unref();
    }
  }

  private start(): Worker {
    const { module, memory } = this.options;
    const worker = new Worker(RUNNER, {
      workerData: module.href,
      resourceLimits: { maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    worker.on('error', (error) => {
      this.end(
        worker,
        isOutOfMemory(error) ? new TaskAbortedError('memory', 'the task exceeded its memory limit') : error,
      );
    });
    worker.on('exit', (code) => {
      this.end(worker, new Error(`the thread exited with code ${code}`));
    });
    return worker;
  }

  /**
   * Race: (1) a task exceeds its time; (2) its result is delivered all the same; (3) the next task runs in another
   * thread. Nothing that the ended thread sends later is heeded.
   */
  private end(worker: Worker | undefined, error: unknown): void {
    if (worker === undefined || worker !== this.worker) return;
    this.worker = undefined;
    void worker.terminate();
    this.running?.abort(error);
  }
}

type Reply<Result> = { readonly result: Result } | { readonly error: Error };

function createClosedError(): TaskAbortedError {
  return new TaskAbortedError('closed', 'the pool was closed');
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

/** The threads of a replaced configuration, or of the process, are closed. */
export function isClosed(error: unknown): boolean {
  return error instanceof TaskAbortedError && error.reason === 'closed';
}
