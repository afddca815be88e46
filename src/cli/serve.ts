import closeWithGrace from 'close-with-grace';
import { createApp } from '../app.js';
import { fingerprintConfig } from '../config/config-fingerprint.js';
import type { Config } from '../config/config.js';
import { banner } from '../demo/banner.js';
import { startSamples } from '../demo/samples.js';
import { createPublicServer } from '../http/server/public-server.js';
import { systemClock } from '../model/clock.js';
import { directoryInterface } from '../model/api-interface.js';
import type { Log } from '../model/log.js';
import { createAdminServer } from '../admin/admin-server.js';
import { createHeapGrowthControl } from '../runtime/v8-heap.js';
import { trackConnections, listen } from '../runtime/http-listener.js';
import { createLog } from '../runtime/logger.js';
import { createMetrics } from '../admin/prometheus-metrics.js';
import { openStateFile } from '../state/state-file.js';
import type { StateFile } from '../state/state-file.js';
import { BodyParser } from '../source/body/body-parser.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { createUndiciTransport } from '../source/client/transport.js';
import { loadConfigOrReport } from './load-config-or-report.js';

/** Milliseconds beyond the deadline in which an answer must have left. */
const FINAL_RESPONSE_TIME = 1_000;

/** Milliseconds beyond the deadline after which stopping is given up and the process ends with 1. */
const SHUTDOWN_GRACE = 5_000;

/** `rollcall serve` (operation.md). Returns an exit code when it could not start; otherwise serves until it is told to stop. */
export async function serve(file: string): Promise<number | undefined> {
  const config = await loadConfigOrReport(file);
  if (config === undefined) return 1;
  const log = await createLog(process.stdout.isTTY);
  try {
    await start(config, log);
    return undefined;
  } catch (error) {
    log.error({ error: error instanceof Error ? error.message : String(error) }, 'could not start');
    return 1;
  }
}

async function start(config: Config, log: Log): Promise<void> {
  const samples = await startSamples(config.samples);
  const wire = createUndiciTransport();
  const meter = createMetrics({ ofProcess: true });
  const memory = await openConfiguredState(config, log);
  const filled = createHeapGrowthControl(config.cache.memory);
  const bodies = new BodyParser({ maxBody: Math.max(0, ...config.sources.map(({ maxBody }) => maxBody)) });
  const keys = new KeyReader({ onError: logUnreadKeys(log) });
  const app = createApp(config, {
    transport: wire.transport,
    bodyParser: bodies,
    keyReader: keys,
    clock: systemClock,
    log,
    meter,
    onHalfFull: filled,
    ...(memory && { memory }),
  });
  const server = createPublicServer(app, directoryInterface, config.server.limits);
  const stopping = new AbortController();
  let warm = false;
  const admin = createAdminServer({ isReady: () => warm && !stopping.signal.aborted, metrics: meter });
  const [connections, adminConnections] = [trackConnections(server), trackConnections(admin)];
  const open = async (): Promise<{ publicUrl: string; adminUrl: string }> => {
    const adminUrl = await listen(admin, config.admin);
    return { adminUrl, publicUrl: await listen(server, config.server) };
  };
  const { publicUrl, adminUrl } = await open().catch(async (error: unknown) => {
    // Nothing was shown: what is remembered is as true as before.
    await memory?.close();
    throw error;
  });
  log.info({ public: publicUrl, admin: adminUrl, sources: config.sources.length }, 'listening');

  process.on('SIGHUP', () => {
    log.warn({ signal: 'SIGHUP' }, 'not reloaded: there is no reload yet');
  });
  closeWithGrace(
    { delay: config.server.deadline + SHUTDOWN_GRACE, logger: false, skip: ['SIGHUP', 'SIGUSR2'] },
    async ({ signal, err }) => {
      log.info({ signal, ...(err && { error: err.stack }) }, 'stopping');
      stopping.abort();
      app.closeConnectionsAfterResponse();
      await connections.closeGracefully(config.server.deadline + FINAL_RESPONSE_TIME);
      app.stopBackgroundWork();
      bodies.close();
      keys.close();
      await Promise.all([wire.close(), samples.close(), memory?.close()]);
      await adminConnections.closeGracefully(FINAL_RESPONSE_TIME);
      log.info({}, 'stopped');
    },
  );

  if (config.server.warmUp) await app.warmUp();
  // Told to stop while it warmed up: that ends the warm-up, and nothing is ready any more.
  if (stopping.signal.aborted) return;
  warm = true;
  log.info({}, 'ready');
  if (config.samples.size > 0) {
    const directory = publicUrl + config.server.directoryPath;
    const data = publicUrl + config.server.dataPath;
    process.stderr.write(banner({ directory, data, admin: adminUrl, samples: samples.addresses }));
  }
}

function logUnreadKeys(log: Log): (error: Error) => void {
  return ({ message }) => {
    log.warn({ error: message }, 'PGP keys could not be read: their fingerprints are not checked for a minute');
  };
}

/** What is known of earlier processes, where it is configured to be kept. */
async function openConfiguredState(config: Config, log: Log): Promise<StateFile | undefined> {
  const { state } = config.cache;
  return state === undefined
    ? undefined
    : openStateFile({ file: state, configuration: fingerprintConfig(config), log });
}
