import closeWithGrace from 'close-with-grace';
import { createApp } from '../app.js';
import { answeringOf } from '../config/answering.js';
import type { Config } from '../config/config.js';
import { banner } from '../demo/banner.js';
import { startSamples } from '../demo/samples.js';
import { publicServer } from '../http/server.js';
import { systemClock } from '../model/clock.js';
import { directoryInterface } from '../model/interface.js';
import type { Log } from '../model/log.js';
import { adminServer } from '../operate/admin.js';
import { growWithin } from '../operate/heap.js';
import { connectionsOf, listen } from '../operate/listener.js';
import { createLog } from '../operate/logger.js';
import { metrics } from '../operate/metrics.js';
import { openState } from '../operate/state-file.js';
import type { StateFile } from '../operate/state-file.js';
import { BodyParser } from '../source/body-parser.js';
import { KeyReader } from '../source/key-reader.js';
import { undiciWire } from '../source/transport.js';
import { configOrFaults } from './check.js';

/** Milliseconds beyond the deadline in which an answer must have left. */
const LAST_WORDS = 1_000;

/** Milliseconds beyond the deadline after which stopping is given up and the process ends with 1. */
const GRACE = 5_000;

/** `rollcall serve` (operation.md). Returns an exit code when it could not start; otherwise serves until it is told to stop. */
export async function serve(file: string): Promise<number | undefined> {
  const config = await configOrFaults(file);
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
  const wire = undiciWire();
  const meter = metrics({ ofProcess: true });
  const memory = await stateOf(config, log);
  const filled = growWithin(config.cache.memory);
  const bodies = new BodyParser({ maxBody: Math.max(0, ...config.sources.map(({ maxBody }) => maxBody)) });
  const keys = new KeyReader({ broken: tellUnreadKeys(log) });
  const surroundings = { transport: wire.transport, bodies, keys, clock: systemClock, log, meter, filled };
  const app = createApp(config, { ...surroundings, ...(memory && { memory }) });
  const server = publicServer(app, directoryInterface, config.server.limits);
  const stopping = new AbortController();
  let warm = false;
  const admin = adminServer({ ready: () => warm && !stopping.signal.aborted, metrics: meter });
  const [connections, adminConnections] = [connectionsOf(server), connectionsOf(admin)];
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
    { delay: config.server.deadline + GRACE, logger: false, skip: ['SIGHUP', 'SIGUSR2'] },
    async ({ signal, err }) => {
      log.info({ signal, ...(err && { error: err.stack }) }, 'stopping');
      stopping.abort();
      app.stopAccepting();
      await connections.drain(config.server.deadline + LAST_WORDS);
      app.stop();
      bodies.close();
      keys.close();
      await Promise.all([wire.close(), samples.close(), memory?.close()]);
      await adminConnections.drain(LAST_WORDS);
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

function tellUnreadKeys(log: Log): (error: Error) => void {
  return ({ message }) => {
    log.warn({ error: message }, 'PGP keys could not be read: their fingerprints are not checked for a minute');
  };
}

/** What is known of earlier processes, where it is configured to be kept. */
async function stateOf(config: Config, log: Log): Promise<StateFile | undefined> {
  const { state } = config.cache;
  return state === undefined ? undefined : openState({ file: state, configuration: answeringOf(config), log });
}
