import closeWithGrace from 'close-with-grace';
import { createApp } from '../app.js';
import type { AppDependencies, LevelWorkers } from '../composition/app-dependencies.js';
import { fingerprintConfig } from '../config/config-fingerprint.js';
import type { Config } from '../config/config.js';
import { banner } from '../demo/banner.js';
import { startSamples } from '../demo/start-sample-repositories.js';
import { loadExplorerAssets } from '../explorer/assets/explorer-assets.js';
import type { ExplorerAssets } from '../explorer/assets/explorer-assets.js';
import { createPublicServer } from '../http/server/public-server.js';
import { systemClock } from '../model/clock.js';
import { directoryInterface } from '../model/api-interface.js';
import type { Log } from '../model/log.js';
import { createAdminServer } from '../admin/admin-server.js';
import { createHeapGrowthControl } from '../runtime/heap-growth-limit.js';
import { trackConnections, listen } from '../runtime/http-listener.js';
import { createLog } from '../runtime/logger.js';
import { createMetrics } from '../admin/prometheus-meter.js';
import { openStateFile } from '../state/state-file.js';
import type { StateFile } from '../state/state-file.js';
import { BodyParser } from '../source/body/body-parser.js';
import { KeyReader } from '../source/keys/key-reader.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import { loadConfigOrReport } from './load-config-or-report.js';

/** Time beyond `server.deadline` in which the last responses must be sent, in milliseconds (operation 6.3). */
const FINAL_RESPONSE_TIME = 1_000;

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
    await start(config, log);
    return undefined;
  } catch (error) {
    log.error({ error: error instanceof Error ? error.message : String(error) }, 'could not start');
    return 1;
  }
}

async function start(config: Config, log: Log): Promise<void> {
  const samples = await startSamples(config.samples);
  const client = createUndiciTransport();
  const meter = createMetrics({ ofProcess: true });
  const stateFile = await openConfiguredState(config, log);
  const onHalfFull = createHeapGrowthControl(config.cache.memory);
  const workers = { public: createWorkers(config, log), members: createWorkers(config, log) };
  const explorerAssets = config.server.explorer.enabled ? await loadAssets(log) : undefined;
  const app = createApp(config, {
    transport: client.transport,
    workers,
    explorerAssets,
    clock: systemClock,
    log,
    meter,
    onHalfFull,
    ...(stateFile && ({ historyStore: stateFile } satisfies Partial<AppDependencies>)),
  });
  const server = createPublicServer(app, directoryInterface, config.server.limits);
  const stopController = new AbortController();
  let isWarm = false;
  const admin = createAdminServer({ isReady: () => isWarm && !stopController.signal.aborted, metrics: meter });
  const [connections, adminConnections] = [trackConnections(server), trackConnections(admin)];
  const openListeners = async (): Promise<{ publicUrl: string; adminUrl: string }> => {
    const adminUrl = await listen(admin, config.admin);
    return { adminUrl, publicUrl: await listen(server, config.server) };
  };
  const { publicUrl, adminUrl } = await openListeners().catch(async (error: unknown) => {
    // No response was sent, so that the stored history is still true.
    await stateFile?.close();
    throw error;
  });
  log.info({ public: publicUrl, admin: adminUrl, sources: config.sources.length }, 'listening');

  process.on('SIGHUP', () => {
    log.warn({ signal: 'SIGHUP' }, 'SIGHUP ignored: reload is not supported');
  });
  closeWithGrace(
    { delay: config.server.deadline + SHUTDOWN_GRACE, logger: false, skip: ['SIGHUP', 'SIGUSR2'] },
    async ({ signal, err }) => {
      log.info({ signal, ...(err && { error: err.stack }) }, 'stopping');
      stopController.abort();
      app.closeConnectionsAfterResponse();
      await connections.closeGracefully(config.server.deadline + FINAL_RESPONSE_TIME);
      app.stopBackgroundWork();
      for (const { bodyParser, keyReader } of Object.values(workers)) {
        bodyParser.close();
        keyReader.close();
      }
      await Promise.all([client.close(), samples.close(), stateFile?.close()]);
      await adminConnections.closeGracefully(FINAL_RESPONSE_TIME);
      log.info({}, 'stopped');
    },
  );

  if (config.server.warmUp) await app.warmUp();
  // The process stops while it warms up: the stop ends the warm-up, and the process does not report ready.
  if (stopController.signal.aborted) return;
  isWarm = true;
  log.info({}, 'ready');
  if (config.server.warmUp) void app.warmUpMembers().then(() => app.warmUpPages());
  if (config.samples.size > 0) {
    const directory = publicUrl + config.server.directoryPath;
    const data = publicUrl + config.server.dataPath;
    process.stderr.write(banner({ directory, data, admin: adminUrl, samples: samples.addresses }));
  }
}

/** Loads the script and the style sheet of the pages. Without them, the pages are complete but plain. */
async function loadAssets(log: Log): Promise<ExplorerAssets | undefined> {
  try {
    return await loadExplorerAssets();
  } catch (error) {
    log.warn({ error: String(error) }, 'pages have no style and no script: npm run build creates them');
    return undefined;
  }
}

/** Creates the workers of one access level. Their threads start with the first task. */
function createWorkers(config: Config, log: Log): Required<LevelWorkers> {
  return {
    bodyParser: new BodyParser({ maxBody: Math.max(0, ...config.sources.map(({ maxBody }) => maxBody)) }),
    keyReader: new KeyReader({ onError: logUnreadKeys(log) }),
  };
}

function logUnreadKeys(log: Log): (error: Error) => void {
  return ({ message }) => {
    log.warn({ error: message }, 'PGP keys could not be read: their fingerprints are not checked for a minute');
  };
}

/** Opens the state file, where `cache.state` is configured (operation 2.5.2). */
async function openConfiguredState(config: Config, log: Log): Promise<StateFile | undefined> {
  const { state } = config.cache;
  return state === undefined
    ? undefined
    : openStateFile({ file: state, configuration: fingerprintConfig(config), log });
}
