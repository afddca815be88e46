import closeWithGrace from 'close-with-grace';
import type { Config } from '../../config/config.js';
import type { Log } from '../../model/log.js';
import type { ConfigWatch } from './config-watch.js';

/**
 * Time beyond `server.deadline` after which the process exits with 1 although it has not stopped, in milliseconds
 * (operation 6.3).
 */
export const SHUTDOWN_GRACE = 5_000;

/** Time beyond `server.deadline` in which the last responses must be sent, in milliseconds (operation 6.3). */
export const FINAL_RESPONSE_TIME = 1_000;

/** Signals that close-with-grace would handle. */
const SIGNALS = [
  ...['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT'],
  ...['SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGUSR2', 'SIGTERM'],
] as const;

/** What is stopped. */
export interface StoppableServer {
  readonly current: { readonly config: Config };
  stop(): Promise<void>;
}

/** Stops the process at SIGTERM, SIGINT or an uncaught error (operation 6.3). */
export class StopControl {
  watch: ConfigWatch | undefined;
  private installed: ReturnType<typeof closeWithGrace> | undefined;

  /** With `ignoresSignals`, only an uncaught error stops the process. */
  constructor(
    private readonly server: StoppableServer,
    private readonly log: Log,
    private readonly ignoresSignals = false,
  ) {}

  /** Installs the handlers, with the time that the configuration in force allows. */
  install(): void {
    this.installed?.uninstall();
    const delay = this.server.current.config.server.deadline + SHUTDOWN_GRACE;
    const skip: (typeof SIGNALS)[number][] = this.ignoresSignals ? [...SIGNALS] : ['SIGHUP', 'SIGUSR2'];
    this.installed = closeWithGrace({ delay, logger: false, skip }, async ({ signal, err }) => {
      this.log.info({ signal, ...(err && { error: err.stack }) }, 'stopping');
      this.watch?.close();
      await this.server.stop();
      this.log.info({}, 'stopped');
    });
  }
}
