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

/** What is stopped. */
export interface StoppableServer {
  readonly current: { readonly config: Config };
  stop(): Promise<void>;
}

/** What {@link installStopHandlers} does beside stopping the server. */
export interface StopOptions {
  /** The watch of the configuration file, which ends at the stop. */
  readonly watch?: ConfigWatch;
  /** Only an uncaught error stops the process. */
  readonly ignoresSignals?: boolean;
}

/**
 * Stops the process at SIGTERM, SIGINT or an uncaught error (operation 6.3). A second one, a failure, or the end of the
 * time that the configuration in force allows, exits with 1 at once.
 */
export function installStopHandlers(server: StoppableServer, log: Log, options: StopOptions = {}): void {
  let isStopping = false;
  const stop = (cause: Readonly<Record<string, unknown>>, code: number): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), server.current.config.server.deadline + SHUTDOWN_GRACE);
    log.info(cause, 'stopping');
    options.watch?.close();
    server.stop().then(
      () => {
        log.info({}, 'stopped');
        process.exit(code);
      },
      () => process.exit(1),
    );
  };
  // An unhandled rejection is an uncaught error, too.
  process.on('uncaughtException', (error: unknown) => {
    stop({ error: error instanceof Error ? error.stack : String(error) }, 1);
  });
  if (options.ignoresSignals === true) return;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      stop({ signal }, 0);
    });
}
