import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerMeter } from '../../../admin/metrics/instance-metrics.js';
import type { MissingWorker } from '../../../admin/sources/reported-source.js';
import type { LoadedConfig } from '../../../config/load-config.js';
import type { Log } from '../../../model/log.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import { SHUTDOWN_GRACE } from '../stop-control.js';
import type { WorkerReport } from './merge-sources.js';
import { WorkerHandle, setUpWorkers } from './worker-handle.js';
import type { WorkerRequest, WorkerSettings } from './worker-messages.js';
import { WorkerMetrics, parseMetricReports } from './worker-metrics.js';
import type { ValueParser } from './message-parser.js';

/** Time before a worker that keeps failing is started again, in milliseconds: it doubles up to the maximum. */
const MIN_RESTART_DELAY = 500;
const MAX_RESTART_DELAY = 30_000;

/** Time for which a worker must have run so that its end is not one of a series, in milliseconds. */
const STABLE_TIME = 30_000;

/** Options of {@link WorkerPool}. */
export interface WorkerPoolOptions extends Pick<WorkerSettings, 'file' | 'unnamedGateway' | 'isTerminal'> {
  readonly log: Log;
  readonly meter: WorkerMeter;
}

/** What the workers answered. */
export interface PoolAnswers<T> {
  readonly answers: readonly (WorkerReport<T> & { readonly process: WorkerHandle })[];
  /** The workers that did not. */
  readonly missing: readonly MissingWorker[];
}

/** The workers of a primary process: starts them, and starts again those that end (operation 2.3.9). */
export class WorkerPool {
  readonly metrics = new WorkerMetrics();
  /** The latest process of each worker, by the number of the worker. */
  private readonly workers = new Map<number, WorkerHandle>();
  /** All processes, also those that stop. */
  private readonly running = new Set<WorkerHandle>();
  /** The configuration in force, with which workers start. */
  private loaded: LoadedConfig | undefined;
  private isStopping = false;

  constructor(private readonly options: WorkerPoolOptions) {}

  /** Starts the workers. Returns the URL of the public port. Rejects where one cannot start; all are then ended. */
  async open(loaded: LoadedConfig): Promise<string> {
    setUpWorkers();
    this.loaded = loaded;
    const workers = this.numbers.map((number) => this.fork(number));
    try {
      const [url = ''] = await Promise.all(workers.map(({ opened }) => opened));
      for (const worker of workers) void this.supervise(worker, 0);
      return url;
    } catch (error) {
      this.isStopping = true;
      this.kill();
      throw error;
    }
  }

  /** Warms up all workers. Never rejects. */
  async warmUp(): Promise<void> {
    await Promise.all(this.openWorkers.map((worker) => this.warmUpWorker(worker)));
  }

  /** Number of workers that are ready. */
  get readyCount(): number {
    return this.openWorkers.filter(({ isReady }) => isReady).length;
  }

  /** The workers that can be requested something, ordered by their numbers. */
  get openWorkers(): readonly WorkerHandle[] {
    return this.numbers.flatMap((number) => this.workers.get(number) ?? []).filter(({ isOpen }) => isOpen);
  }

  /** Sends a request to all open workers; each has `milliseconds` to answer. Never rejects. */
  async requestAll<T>(request: WorkerRequest, milliseconds: number, parse: ValueParser<T>): Promise<PoolAnswers<T>> {
    const open = this.openWorkers;
    const answers: PoolAnswers<T>['answers'][number][] = [];
    const missing: MissingWorker[] = this.numbers
      .filter((number) => !open.some((process) => process.number === number))
      .map((worker) => ({ worker, reason: 'it is starting' }));
    await Promise.all(
      open.map(async (process) => {
        const worker = process.number;
        try {
          answers.push({ worker, process, report: parse(await process.request(request, milliseconds)) });
        } catch (error) {
          missing.push({ worker, reason: getErrorMessage(error) });
        }
      }),
    );
    const byNumber = (one: { readonly worker: number }, other: { readonly worker: number }): number =>
      one.worker - other.worker;
    return { answers: answers.sort(byNumber), missing: missing.sort(byNumber) };
  }

  /**
   * Puts a configuration in force. Workers start with it from now on. Those that are not among `replaced` still have an
   * earlier one, and are started again. Surplus workers stop, and missing ones start.
   */
  setConfiguration(loaded: LoadedConfig, replaced: ReadonlySet<WorkerHandle>): void {
    this.loaded = loaded;
    this.metrics.retainSources(new Set(loaded.config.sources.map(({ code }) => code)));
    for (const worker of this.workers.values())
      if (worker.number > loaded.config.server.workers || !replaced.has(worker)) void this.stopWorker(worker);
    for (const number of this.numbers) if (!this.workers.has(number)) void this.start(number, 0);
  }

  /** Stops all workers (operation 6.3). Never rejects. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.running].map((worker) => this.stopWorker(worker)));
  }

  /** Ends all workers at once. */
  kill(): void {
    for (const worker of this.running) worker.kill();
  }

  private get config(): LoadedConfig {
    if (this.loaded === undefined) throw new Error('no worker was started');
    return this.loaded;
  }

  private get numbers(): readonly number[] {
    return Array.from({ length: this.config.config.server.workers }, (_, at) => at + 1);
  }

  /** Time after which a worker that has not stopped is ended, in milliseconds. */
  private get stopTime(): number {
    return this.config.config.server.deadline + SHUTDOWN_GRACE;
  }

  private fork(number: number): WorkerHandle {
    const { file, unnamedGateway, isTerminal } = this.options;
    const worker = new WorkerHandle({ worker: number, file, texts: this.config.texts, unnamedGateway, isTerminal });
    this.workers.set(number, worker);
    this.running.add(worker);
    void worker.ended.then(() => {
      this.running.delete(worker);
      this.metrics.recordEnd(worker);
    });
    return worker;
  }

  /** Starts a worker while others serve, and warms it up. `failures`: number of consecutive failures. */
  private async start(number: number, failures: number): Promise<void> {
    const worker = this.fork(number);
    void this.supervise(worker, failures);
    const isOpen = await worker.opened.then(
      () => true,
      () => false,
    );
    if (!isOpen) return;
    this.options.log.info({ worker: number, pid: worker.pid }, 'worker started');
    await this.warmUpWorker(worker);
  }

  private async warmUpWorker(worker: WorkerHandle): Promise<void> {
    try {
      await worker.request({ type: 'warm-up' }, this.stopTime);
      worker.isReady = true;
    } catch {
      worker.kill();
    }
  }

  /** Waits for the end of a worker, and starts it again unless it was stopped. `earlierFailures`: consecutive failures before. */
  private async supervise(worker: WorkerHandle, earlierFailures: number): Promise<void> {
    const started = performance.now();
    const cause = worker.opened.then(
      () => undefined,
      (error: unknown) => getErrorMessage(error),
    );
    const end = await worker.ended;
    const { number, pid } = worker;
    if (this.workers.get(number) !== worker || this.isStopping) return;
    this.workers.delete(number);
    const failures = performance.now() - started >= STABLE_TIME ? 1 : earlierFailures + 1;
    const restartIn = getRestartDelay(failures);
    const error = await cause;
    this.options.meter.countFailedWorker();
    this.options.log.error(
      { worker: number, pid, ...end, ...(error !== undefined && { error }), restartIn },
      'worker ended',
    );
    await sleep(restartIn);
    await this.restart(number, failures);
  }

  private async restart(number: number, failures: number): Promise<void> {
    const isNeeded = number <= this.config.config.server.workers && !this.workers.has(number);
    if (isNeeded && !this.isStopping) await this.start(number, failures);
  }

  /** Stops a worker, which is not started again. */
  private async stopWorker(worker: WorkerHandle): Promise<void> {
    if (this.workers.get(worker.number) === worker) this.workers.delete(worker.number);
    await worker.stop(this.stopTime, (report) => {
      this.metrics.record(worker, parseMetricReports(report));
    });
  }
}

/** Returns the time until a worker is started again, in milliseconds: 0 after the first of consecutive `failures`. */
function getRestartDelay(failures: number): number {
  return failures === 1 ? 0 : Math.min(MAX_RESTART_DELAY, MIN_RESTART_DELAY * 2 ** (failures - 2));
}
