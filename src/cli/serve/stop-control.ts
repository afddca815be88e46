import type { Publish } from '../../events/event.js';
import type { ConfigWatch } from './config-watch.js';
import type { ServerProcess } from './server-process.js';

/**
 * Milliseconds beyond `server.deadline` after which the process exits with 1 although it has not stopped (operation
 * 6.3).
 */
const SHUTDOWN_GRACE = 5_000;

/**
 * At SIGTERM, SIGINT or an uncaught error. A second one, a failure, or the end of the allowed time exits with 1 at
 * once.
 */
export function installStopHandlers(server: ServerProcess, publish: Publish, watch: ConfigWatch): void {
  let isStopping = false;
  const stop = (cause: { readonly signal?: string; readonly error?: string | undefined }, code: number): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    setTimeout(() => process.exit(1), server.current.config.server.deadline + SHUTDOWN_GRACE);
    publish({ type: 'stopping', ...cause });
    watch.close();
    server.stop().then(
      () => {
        publish({ type: 'stopped' });
        process.exit(code);
      },
      () => process.exit(1),
    );
  };
  // An unhandled rejection is an uncaught error, too.
  process.on('uncaughtException', (error: unknown) => {
    stop({ error: error instanceof Error ? error.stack : String(error) }, 1);
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      stop({ signal }, 0);
    });
}
