import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessChannel } from './process-channel.js';
import { parsePrimaryRequest } from './worker-messages.js';
import type { WorkerRequest, WorkerSettings } from './worker-messages.js';

/** How a process ended: its exit code, the signal that ended it, or why it could not be started. */
export interface ProcessEnd {
  readonly code?: number;
  readonly signal?: string;
  readonly error?: string;
}

/**
 * Prepares the start of workers. The primary process accepts the connections and distributes them in turn: where the workers
 * accept them, one of them gets most connections of a proxy.
 */
export function setUpWorkers(): void {
  // The sources have another extension than the built program.
  const program = new URL(`worker-process${extname(import.meta.url)}`, import.meta.url);
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: fileURLToPath(program), args: [], serialization: 'advanced' });
}

/** A worker as the primary process sees it: one process, until it ends. */
export class WorkerHandle {
  /** Resolves with the URL of the public port when it is open. Rejects where the worker ends before. */
  readonly opened: Promise<string>;
  readonly ended: Promise<ProcessEnd>;
  /** Whether the worker has opened the public port, and has neither ended nor been stopped. */
  isOpen = false;
  /** Whether its warm-up is over. */
  isReady = false;
  private readonly process: Worker;
  private readonly channel: ProcessChannel;
  private stopping: Promise<void> | undefined;
  private resolveOpened: (url: string) => void = () => undefined;
  private rejectOpened: (error: Error) => void = () => undefined;

  /** Starts the process. */
  constructor(private readonly settings: WorkerSettings) {
    this.opened = new Promise((resolve, reject) => {
      this.resolveOpened = resolve;
      this.rejectOpened = reject;
    });
    this.opened.catch(() => undefined);
    this.process = cluster.fork();
    this.channel = new ProcessChannel(this.process, (request) => Promise.resolve(this.answer(request)));
    this.ended = this.waitForEnd();
  }

  get number(): number {
    return this.settings.worker;
  }

  get pid(): number | undefined {
    return this.process.process.pid;
  }

  /** Sends a request to the worker. Rejects if there is no answer within `milliseconds`, or if the process ends. */
  request(request: WorkerRequest, milliseconds: number): Promise<unknown> {
    return this.channel.request(request, milliseconds);
  }

  /** Stops the worker (operation 6.3), and ends it where it does not stop in time. `onReport` gets its last metrics. */
  stop(milliseconds: number, onReport: (report: unknown) => void): Promise<void> {
    this.stopping ??= this.stopOnce(milliseconds, onReport);
    return this.stopping;
  }

  private async stopOnce(milliseconds: number, onReport: (report: unknown) => void): Promise<void> {
    this.isOpen = false;
    try {
      onReport(await this.request({ type: 'stop' }, milliseconds));
      this.process.disconnect();
    } catch {
      this.kill();
    }
    await this.ended;
  }

  kill(): void {
    this.process.process.kill('SIGKILL');
  }

  private answer(message: unknown): WorkerSettings | undefined {
    const request = parsePrimaryRequest(message);
    if (request.type === 'settings') return this.settings;
    if (request.type === 'failed') this.rejectOpened(new Error(request.message));
    if (request.type === 'opened') {
      this.isOpen = true;
      this.resolveOpened(request.url);
    }
    return undefined;
  }

  private async waitForEnd(): Promise<ProcessEnd> {
    const end = await new Promise<ProcessEnd>((resolve) => {
      this.process.on('exit', (code: number | null, signal: string | null) => {
        resolve({ ...(code !== null && { code }), ...(signal !== null && { signal }) });
      });
      // Also emitted for a message that could not be sent.
      this.process.on('error', ({ message }: Error) => {
        if (this.pid === undefined) resolve({ error: message });
      });
    });
    this.isOpen = false;
    this.rejectOpened(new Error(`worker ${this.number} ended: ${formatEnd(end)}`));
    return end;
  }
}

function formatEnd({ code, signal, error }: ProcessEnd): string {
  if (error !== undefined) return error;
  return signal === undefined ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}
