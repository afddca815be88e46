import cluster from 'node:cluster';
import type { Worker as ClusterWorker } from 'node:cluster';
import { createAdminRoutes } from '../../../admin/create-admin-server.js';
import { createTextResponse } from '../../../admin/server/admin-response.js';
import type { AdminResponse } from '../../../admin/server/admin-response.js';
import type { AdminRoute } from '../../../admin/server/admin-route.js';
import { respondToFailure } from '../../../admin/server/admin-server.js';
import { formatConfigError, parseConfigTexts } from '../../../config/load-config.js';
import type { ConfigTexts } from '../../../config/load-config.js';
import type { Config } from '../../../config/config.js';
import { sampleNames } from '../../../demo/start-sample-repositories.js';
import { createLog } from '../../../runtime/logger.js';
import type { ProcessLog } from '../../../runtime/logger.js';
import { startTracing } from '../../../tracing/start-tracing.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import { readVersion } from '../../version.js';
import { ServerProcess } from '../server-process.js';
import { SHUTDOWN_GRACE, installStopHandlers } from '../stop-control.js';
import { ProcessChannel } from './process-channel.js';
import { ReplacementRequests } from './replacement-requests.js';
import { parseWorkerRequest, parseWorkerSettings } from './worker-messages.js';
import type { ForwardedRequest, PrimaryRequest, WorkerSettings } from './worker-messages.js';

/** Time for an answer of the primary process, in milliseconds. It has little to do, and answers at once. */
const PRIMARY_ANSWER_TIME = 10_000;

/** The same for `synchronize`: connections that arrive later are lost when the worker stops. */
const SYNCHRONIZE_TIME = 1_000;

/** Runs this process as a worker, until the primary process stops it or ends. */
export async function runWorker(): Promise<void> {
  if (cluster.worker === undefined) throw new Error('this program is started by rollcall serve');
  await new Worker(cluster.worker).run();
}

/** The server of a worker, from its start on. */
interface StartedServer {
  readonly settings: WorkerSettings;
  readonly server: ServerProcess;
  readonly log: ProcessLog;
  readonly replacements: ReplacementRequests;
  /** Settles when the server is open. */
  readonly opening: Promise<void>;
}

/** A server that does what the primary process requests. */
class Worker {
  private readonly channel: ProcessChannel;
  private started: StartedServer | undefined;
  private stopping: Promise<void> | undefined;
  private routes: readonly AdminRoute[] = [];

  constructor(peer: ClusterWorker) {
    this.channel = new ProcessChannel(peer, (request) => this.handle(request));
    peer.on('disconnect', () => {
      // Without this, Node.js ends the process at once.
      peer.exitedAfterDisconnect = true;
      void this.end();
    });
  }

  /** Opens the public port, and reports it. Ends the process where that fails. */
  async run(): Promise<void> {
    try {
      const { server, log, opening } = (this.started = await this.start());
      await opening;
      this.routes = createAdminRoutes(server.adminState);
      installStopHandlers(server, log, { ignoresSignals: true });
      await this.ask({ type: 'opened', url: server.urls.public });
    } catch (error) {
      const message = getErrorMessage(error);
      await this.ask({ type: 'failed', message }).catch(() => undefined);
      process.exit(1);
    }
  }

  private async start(): Promise<StartedServer> {
    const settings = parseWorkerSettings(await this.ask({ type: 'settings' }));
    const { worker: number, file, texts, unnamedGateway, isTerminal } = settings;
    const log = await createLog(isTerminal, process.stdout.fd, number);
    const program = await readVersion();
    const tracing = await startTracing(process.env, program.version, log);
    const receiveConnections = async (): Promise<void> => {
      await this.ask({ type: 'synchronize' }, SYNCHRONIZE_TIME).catch(() => undefined);
    };
    const worker = { number, unnamedGateway, receiveConnections };
    const server = new ServerProcess({ file, log, program, tracing, worker });
    const opening = server.open(parse(file, texts));
    const replacements = new ReplacementRequests((config) => server.prepareReplacement(config));
    return { settings, server, log, replacements, opening };
  }

  private ask(request: PrimaryRequest, milliseconds = PRIMARY_ANSWER_TIME): Promise<unknown> {
    return this.channel.request(request, milliseconds);
  }

  /** What was started. The primary process requests nothing but a stop before. */
  private get running(): StartedServer {
    if (this.started === undefined) throw new Error('the worker has not started');
    return this.started;
  }

  /** Answers a request of the primary process. */
  private async handle(message: unknown): Promise<unknown> {
    const request = parseWorkerRequest(message);
    const { server, settings, replacements } = this.running;
    switch (request.type) {
      case 'warm-up':
        return server.warmUp();
      case 'prepare':
        return replacements.prepare(request.number, parse(settings.file, request.texts));
      case 'commit':
        await replacements.commit(request.number);
        return undefined;
      case 'abandon':
        return replacements.abandon(request.number);
      case 'operate':
        return this.operate(request.request);
      case 'metrics':
        return server.metrics.report();
      case 'stop':
        await this.stop();
        return server.metrics.report();
    }
  }

  /** Exits when the primary process has stopped this worker or has exited. */
  private async end(): Promise<void> {
    if (this.started === undefined) process.exit(1);
    if (this.stopping === undefined) {
      const { log, server } = this.started;
      log.warn({}, 'stopping: the primary process has ended');
      const graceTime = server.current.config.server.deadline + SHUTDOWN_GRACE;
      setTimeout(() => process.exit(1), graceTime).unref();
    }
    await this.stop();
    process.exit(0);
  }

  /** Stops the server, once it is open. */
  private stop(): Promise<void> {
    const { server, opening } = this.running;
    this.stopping ??= opening.then(() => server.stop());
    return this.stopping;
  }

  private operate({ method, route, query, ...request }: ForwardedRequest): Promise<AdminResponse> {
    const handle = this.routes.find(({ path }) => path === route)?.[method];
    if (handle === undefined) return Promise.resolve(createTextResponse(404, 'the worker has no such endpoint'));
    const { log } = this.running;
    return respondToFailure(() => handle({ ...request, parameters: new URLSearchParams(query) }), { path: route, log });
  }
}

function parse(file: string, texts: ConfigTexts): Config {
  const parsed = parseConfigTexts(file, texts, process.env, sampleNames);
  if ('config' in parsed) return parsed.config;
  throw new Error(parsed.errors.map((error) => formatConfigError(file, error)).join('; '));
}
