import { dataInterface, directoryInterface } from '../../model/api-interface.js';
import type { LoadedConfig } from '../../config/load-config.js';
import { findNumberChanges } from '../../config/source-number-changes.js';
import type { KnownNumbers } from '../../config/source-number-changes.js';
import { banner } from '../../demo/banner.js';
import type { Publish } from '../../events/event.js';
import { createLogSubscriber } from '../../events/log-lines.js';
import { createMetrics } from '../../events/metrics.js';
import { createLog } from '../../runtime/logger.js';
import type { ProcessLog } from '../../runtime/logger.js';
import { readKnownNumbers } from '../../lists/store/disk/sources-file.js';
import { startTracing } from '../../tracing/start-tracing.js';
import { loadConfigOrReport, reportConfigErrors } from '../load-config-or-report.js';
import { readVersion } from '../version.js';
import { getErrorMessage } from '../../text/get-error-message.js';
import { watchConfigFile } from './config-watch.js';
import { Reloader } from './reloader.js';
import { ServerProcess } from './server-process.js';
import { installStopHandlers } from './stop-control.js';

/**
 * Returns an exit code where the process cannot start; otherwise undefined, and the process serves until SIGTERM or
 * SIGINT (operation 1.3).
 */
export async function serve(file: string): Promise<number | undefined> {
  const loaded = await loadConfigOrReport(file);
  if (loaded === undefined) return 1;
  const { disk } = loaded.config.cache;
  const knownNumbers: KnownNumbers = disk === undefined ? new Map() : await readKnownNumbers(disk);
  const errors = findNumberChanges(loaded, knownNumbers);
  if (errors.length > 0) {
    reportConfigErrors(file, errors);
    return 1;
  }
  const log = await createLog(process.stdout.isTTY);
  try {
    await start({ file, loaded, knownNumbers, log });
    return undefined;
  } catch (error) {
    createLogSubscriber(log)({ type: 'could not start', error: getErrorMessage(error) });
    return 1;
  }
}

interface StartOptions {
  readonly file: string;
  readonly loaded: LoadedConfig;
  /** Of the sources before this process. */
  readonly knownNumbers: KnownNumbers;
  readonly log: ProcessLog;
}

async function start({ file, loaded, knownNumbers, log }: StartOptions): Promise<void> {
  const { config } = loaded;
  const program = await readVersion();
  const metrics = createMetrics({ ofProcess: true });
  const writeLine = createLogSubscriber(log);
  const publish: Publish = (event) => {
    writeLine(event);
    metrics.note(event);
  };
  log.onDropped(() => {
    publish({ type: 'log line dropped' });
  });
  const tracing = await startTracing(process.env, program.version, publish);
  const server = new ServerProcess({ file, log, publish, metrics, program, tracing });
  await server.open(config);
  const reloader = new Reloader({ file, server, knownNumbers, publish });
  process.on('SIGHUP', () => {
    reloader.request('SIGHUP');
  });
  const watch = watchConfigFile(file, () => {
    reloader.request('file');
  });
  installStopHandlers(server, publish, watch);
  publish({ type: 'listening', ...server.urls, sources: config.sources.length });
  if (!(await server.warmUp())) return;
  publish({ type: 'ready' });
  if (config.samples.size > 0) process.stderr.write(createBanner(server));
}

function createBanner({ urls, sampleAddresses: samples }: ServerProcess): string {
  return banner({
    page: urls.public,
    directory: urls.public + directoryInterface.basePath,
    data: urls.public + dataInterface.basePath,
    samples: samples.size,
  });
}
