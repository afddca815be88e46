import { isatty } from 'node:tty';
import type { FailedReload } from '../../../admin/admin-state.js';
import { createPrimaryMetrics } from '../../../admin/metrics/metrics.js';
import type { Config } from '../../../config/config.js';
import type { ConfigTexts, LoadedConfig } from '../../../config/load-config.js';
import { systemClock } from '../../../model/clock.js';
import type { ProcessLog } from '../../../runtime/logger.js';
import { hasAddress, openListener } from '../listener.js';
import type { Listener } from '../listener.js';
import { requireOpen } from '../process-resources.js';
import { SampleSet } from '../sample-set.js';
import { createGatewayName } from '../server-process.js';
import { FINAL_RESPONSE_TIME, SHUTDOWN_GRACE } from '../stop-control.js';
import { createPrimaryAdminServer } from './primary-admin-server.js';
import type { WorkerHandle } from './worker-handle.js';
import type { WorkerRequest } from './worker-messages.js';
import { WorkerPool } from './worker-pool.js';

/** Time for a worker to put a prepared configuration in force, in milliseconds. */
const COMMIT_TIME = 5_000;

/** Options of {@link PrimaryProcess}. */
export interface PrimaryProcessOptions {
  /** Path of the configuration file. */
  readonly file: string;
  readonly log: ProcessLog;
}

/** A configuration in force, and when it was put in force. */
interface Served extends LoadedConfig {
  readonly loadedAt: number;
  readonly number: number;
}

/**
 * The primary process of several workers (operation 2.3.9). It has the admin port, the sample repositories and the
 * configuration, and answers no request of the public port: each worker is a whole server that does.
 */
export class PrimaryProcess {
  readonly metrics = createPrimaryMetrics();
  failedReload: FailedReload | undefined;
  private readonly samples = new SampleSet();
  private readonly pool: WorkerPool;
  private served: Served | undefined;
  private adminListener: Listener | undefined;
  private publicUrl = '';
  /** Number of the last configuration that workers were requested to prepare. */
  private lastPreparation = 0;
  private isWarm = false;
  private isStopping = false;

  constructor(private readonly options: PrimaryProcessOptions) {
    const { file, log } = options;
    log.onDropped(() => {
      this.metrics.countDroppedLogLine();
    });
    const isTerminal = isatty(process.stdout.fd);
    this.pool = new WorkerPool({ file, log, isTerminal, unnamedGateway: createGatewayName(), meter: this.metrics });
    // Whatever ends this process at once also ends the workers: a second signal, or a stop that takes too long.
    process.on('exit', () => {
      this.pool.kill();
    });
  }

  get current(): { readonly config: Config } {
    return requireOpen(this.served);
  }

  /** URLs of the public port, which the workers have opened, and of the admin port. */
  get urls(): { readonly public: string; readonly admin: string } {
    return { public: this.publicUrl, admin: requireOpen(this.adminListener).url };
  }

  get sampleAddresses(): SampleSet['addresses'] {
    return this.samples.addresses;
  }

  /** Opens the admin port and starts the workers. Rejects where something cannot be opened. */
  async open(loaded: LoadedConfig): Promise<void> {
    this.options.log.setLevel(loaded.config.server.logLevel);
    await this.samples.start(loaded.config.samples);
    this.noteServed(loaded);
    this.adminListener = await this.openAdmin(loaded.config);
    this.publicUrl = await this.pool.open(loaded);
    this.metrics.recordReload({ isSuccessful: true, at: systemClock.now() });
  }

  /** Warms up the workers, and reports ready. Returns whether the process is ready, and not stopping. */
  async warmUp(): Promise<boolean> {
    await this.pool.warmUp();
    this.isWarm = !this.isStopping;
    return this.isWarm;
  }

  /**
   * Replaces the configuration in force (operation 6.2): all workers prepare it, and only if all can, each puts it in force.
   * Returns false, and changes nothing, where the process stops. Rejects, and changes nothing, where a worker cannot
   * prepare it.
   */
  async replace(config: Config, texts: ConfigTexts): Promise<boolean> {
    const previous = requireOpen(this.adminListener);
    const workers = this.pool.openWorkers;
    const number = (this.lastPreparation += 1);
    let admin = previous;
    try {
      await this.samples.start(config.samples);
      if (!hasAddress(previous, config.admin)) admin = await this.openAdmin(config);
      await this.prepare(workers, { type: 'prepare', number, texts }, config.server.deadline + SHUTDOWN_GRACE);
    } catch (error) {
      if (admin !== previous) await admin.connections.closeGracefully(0);
      await this.abandon(workers, number);
      throw error;
    }
    if (this.isStopping) {
      if (admin !== previous) await admin.connections.closeGracefully(0);
      return false;
    }
    const committed = await this.commit(workers, number);
    this.options.log.setLevel(config.server.logLevel);
    this.noteServed({ config, texts });
    this.pool.setConfiguration({ config, texts }, committed);
    this.adminListener = admin;
    if (admin !== previous) void previous.connections.closeGracefully(FINAL_RESPONSE_TIME);
    await this.samples.stopOthers(config.samples);
    return true;
  }

  /** Stops all workers, and then this process (operation 6.3). */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.pool.stop();
    await this.samples.stopOthers(new Map());
    await this.adminListener?.connections.closeGracefully(FINAL_RESPONSE_TIME);
  }

  /** Rejects where one of the workers cannot prepare the configuration in `time` milliseconds. */
  private async prepare(workers: readonly WorkerHandle[], request: WorkerRequest, time: number): Promise<void> {
    const results = await Promise.allSettled(workers.map((worker) => worker.request(request, time)));
    for (const [at, result] of results.entries())
      if (result.status === 'rejected') throw new Error(`worker ${workers[at]?.number ?? 0}: ${String(result.reason)}`);
  }

  private async abandon(workers: readonly WorkerHandle[], number: number): Promise<void> {
    await Promise.allSettled(workers.map((worker) => worker.request({ type: 'abandon', number }, COMMIT_TIME)));
    await this.samples.stopOthers(this.current.config.samples);
  }

  /** Returns the workers that have put the prepared configuration in force. */
  private async commit(workers: readonly WorkerHandle[], number: number): Promise<ReadonlySet<WorkerHandle>> {
    const request = { type: 'commit', number } as const;
    const results = await Promise.allSettled(workers.map((worker) => worker.request(request, COMMIT_TIME)));
    return new Set(workers.filter((_, at) => results[at]?.status === 'fulfilled'));
  }

  private noteServed(loaded: LoadedConfig): void {
    this.served = { ...loaded, loadedAt: systemClock.now(), number: (this.served?.number ?? 0) + 1 };
  }

  private openAdmin({ admin }: Config): Promise<Listener> {
    const { file, log } = this.options;
    const server = createPrimaryAdminServer({
      pool: this.pool,
      metrics: this.metrics,
      isServing: () => this.isWarm && !this.isStopping,
      served: () => ({ file, ...requireOpen(this.served), failedReload: this.failedReload }),
      log,
    });
    return openListener(server, admin);
  }
}
