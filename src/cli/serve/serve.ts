import closeWithGrace from 'close-with-grace';
import type { Config } from '../../config/config.js';
import { banner } from '../../demo/banner.js';
import type { Log } from '../../model/log.js';
import { createLog } from '../../runtime/logger.js';
import type { ProcessLog } from '../../runtime/logger.js';
import { startTracing } from '../../tracing/start-tracing.js';
import { loadConfigOrReport } from '../load-config-or-report.js';
import { readVersion } from '../version.js';
import { watchConfigFile } from './config-watch.js';
import type { ConfigWatch } from './config-watch.js';
import { Reloader } from './reloader.js';
import { ServerProcess } from './server-process.js';

/**
 * Time beyond `server.deadline` after which the process exits with 1 although it has not stopped, in milliseconds
 * (operation 6.3).
 */
const SHUTDOWN_GRACE = 5_000;

/**
 * `rollcall serve` (operation 1.3). Returns an exit code where the process cannot start; otherwise returns undefined,
 * and the process serves until SIGTERM or SIGINT.
 */
export async function serve(file: string): Promise<number | undefined> {
  const config = await loadConfigOrReport(file);
  if (config === undefined) return 1;
  const log = await createLog(process.stdout.isTTY);
  try {
    await start({ file, config, log });
    return undefined;
  } catch (error) {
    log.error({ error: error instanceof Error ? error.message : String(error) }, 'could not start');
    return 1;
  }
}

/** What a process starts with. */
interface StartOptions {
  readonly file: string;
  readonly config: Config;
  readonly log: ProcessLog;
}

async function start({ file, config, log }: StartOptions): Promise<void> {
  const version = await readVersion();
  const tracing = await startTracing(process.env, version, log);
  const server = new ServerProcess({ file, log, version, tracing });
  await server.open(config);
  log.info({ ...server.urls, sources: config.sources.length }, 'listening');
  const stopControl = new StopControl(server, log);
  const reloader = new Reloader({
    file,
    server,
    log,
    onReplaced: () => {
      stopControl.install();
    },
  });
  process.on('SIGHUP', () => {
    reloader.request('SIGHUP');
  });
  stopControl.watch = watchConfigFile(file, {
    onChange: () => {
      reloader.request('file');
    },
    onError: (error) => {
      log.warn({ error: String(error) }, 'the configuration file cannot be watched: reload with SIGHUP');
    },
  });
  stopControl.install();
  if (!(await server.warmUp())) return;
  log.info({}, 'ready');
  if (config.samples.size > 0) process.stderr.write(createBanner(server));
}

function createBanner({ urls, sampleAddresses: samples, current }: ServerProcess): string {
  const { directoryPath, dataPath } = current.config.server;
  return banner({
    directory: urls.public + directoryPath,
    data: urls.public + dataPath,
    admin: urls.admin,
    samples,
  });
}

/** Stops the process at SIGTERM, SIGINT or an uncaught error (operation 6.3). */
class StopControl {
  watch: ConfigWatch | undefined;
  private installed: ReturnType<typeof closeWithGrace> | undefined;

  constructor(
    private readonly server: ServerProcess,
    private readonly log: Log,
  ) {}

  /** Installs the handlers of signals, with the time that the configuration in force allows. */
  install(): void {
    this.installed?.uninstall();
    const delay = this.server.current.config.server.deadline + SHUTDOWN_GRACE;
    this.installed = closeWithGrace({ delay, logger: false, skip: ['SIGHUP', 'SIGUSR2'] }, async ({ signal, err }) => {
      this.log.info({ signal, ...(err && { error: err.stack }) }, 'stopping');
      await Promise.all([this.server.stop(), this.watch?.close()]);
      this.log.info({}, 'stopped');
    });
  }
}
