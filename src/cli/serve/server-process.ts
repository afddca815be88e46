import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { AdminState, FailedReload, ServedGeneration } from '../../admin/admin-state.js';
import { createAdminServer } from '../../admin/create-admin-server.js';
import { continueApp, continuedParts, compareSources } from '../../composition/continue-after-reload.js';
import type { Config } from '../../config/config.js';
import { startSamples } from '../../demo/start-sample-repositories.js';
import type { RunningSamples } from '../../demo/start-sample-repositories.js';
import type { Publish } from '../../events/event.js';
import type { Metrics } from '../../events/metrics.js';
import { loadExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import type { ExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import { createPublicServer } from '../../http/server/public-server.js';
import type { PublicApp } from '../../http/server/public-server.js';
import { directoryInterface } from '../../model/api-interface.js';
import { systemClock } from '../../model/clock.js';
import type { ProcessLog } from '../../runtime/logger.js';
import type { ExportingTracer } from '../../tracing/open-telemetry.js';
import type { ProgramVersion } from '../version.js';
import { formatLocalOrigin, openListener } from './listener.js';
import type { Listener } from './listener.js';
import { RunningApp } from './running-app.js';
import { nameSharedGateway } from './shared-gateway-name.js';
import { openStores } from './open-stores.js';
import type { Stores } from './open-stores.js';

/** Milliseconds beyond `server.deadline` in which the last responses must be sent (operation 6.3). */
const FINAL_RESPONSE_TIME = 1_000;

interface ServerProcessOptions {
  readonly file: string;
  readonly log: Pick<ProcessLog, 'setLevel'>;
  readonly publish: Publish;
  readonly metrics: Metrics;
  readonly program: ProgramVersion;
  /** Absent: nothing is traced. */
  readonly tracing?: ExportingTracer | undefined;
}

/** What is opened once, for all configurations. */
interface Opened {
  readonly samples: RunningSamples;
  readonly stores: Stores;
  readonly publicListener: Listener;
  readonly adminListener: Listener;
}

/** The running process: the application in force, its listeners, and its replacement (operation 6). */
export class ServerProcess {
  failedReload: FailedReload | undefined;
  /** Loaded for the first configuration that serves pages. */
  private explorerAssets: Promise<ExplorerAssets | undefined> | undefined;
  /** Without `server.name` (operation 2.3.4). */
  private readonly unnamedGateway = `rollcall-${randomBytes(4).toString('hex')}`;
  private readonly retirements = new Set<Promise<unknown>>();
  private running: RunningApp | undefined;
  private opened: Opened | undefined;
  /** When the configuration in force was read, and how many were in force before. */
  private loaded = { loadedAt: 0, number: 0 };
  private isWarm = false;
  private isStopping = false;

  constructor(private readonly options: ServerProcessOptions) {}

  get current(): RunningApp {
    return requireOpen(this.running);
  }

  /** Without a slash at the end. */
  get urls(): { readonly public: string; readonly admin: string } {
    const { publicListener, adminListener } = requireOpen(this.opened);
    return { public: publicListener.url, admin: adminListener.url };
  }

  get sampleAddresses(): RunningSamples['addresses'] {
    return requireOpen(this.opened).samples.addresses;
  }

  /** Rejects where something cannot be opened. */
  async open(config: Config): Promise<void> {
    const { log, publish, program } = this.options;
    log.setLevel(config.server.logLevel);
    const samples = await startSamples(config.samples);
    const stores = await openStores(config, { publish, build: program.build });
    this.running = await this.createRunning(config, stores);
    await this.restore(config, stores);
    this.noteLoaded();
    try {
      const adminListener = await openListener(createAdminServer(this.adminState(stores)), config.admin, 'admin');
      this.opened = { samples, stores, adminListener, publicListener: await this.openPublic(config) };
    } catch (error) {
      // No response was sent, so that the stored history is still true.
      await stores.close();
      throw error;
    }
    publish({ type: 'configuration put in force', at: systemClock.now(), sources: config.sources.length });
  }

  /** Returns whether the process is ready, and not stopping (operation 2.3.6). */
  async warmUp(): Promise<boolean> {
    const { app } = this.current;
    await app.warmUp();
    if (this.isStopping) return false;
    this.isWarm = true;
    void app.warmUpMembers().then(() => app.warmUpPages());
    return true;
  }

  /**
   * Replaces the application in force (operation 6.2), after its new sources are warmed up. Returns false, and changes
   * nothing, where the process stops. Rejects, and changes nothing, where a setting cannot be changed while the process
   * runs.
   */
  async replace(config: Config): Promise<boolean> {
    const previous = this.current;
    requireSameOpened(previous.config, config);
    const { stores } = requireOpen(this.opened);
    const next = await this.createRunning(config, stores, previous);
    const continuity = compareSources({ previous: previous.config.sources, next: config.sources }, 'public');
    await next.app.warmUp(({ code }) => continuity.get(code) === 'none');
    // Race: the process stops during the warm-up. Everything after this line happens in one turn of the event loop.
    if (this.isStopping) {
      await next.close();
      return false;
    }
    void stores.reconfigure(config);
    continueApp(previous.app, next.app);
    this.running = next;
    this.options.log.setLevel(config.server.logLevel);
    this.noteLoaded();
    this.retire(previous);
    void next.app.warmUpMembers().then(() => next.app.warmUpPages());
    return true;
  }

  /** Every request that has arrived is answered. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { current } = this;
    const { publicListener, adminListener, stores, samples } = requireOpen(this.opened);
    current.app.closeConnectionsAfterResponse();
    await publicListener.connections.closeGracefully(current.config.server.deadline + FINAL_RESPONSE_TIME);
    await Promise.all([current.close(), ...this.retirements, samples.close()]);
    await Promise.all([stores.close(), this.options.tracing?.close()]);
    await adminListener.connections.closeGracefully(FINAL_RESPONSE_TIME);
  }

  private adminState({ shared, folder }: Stores): AdminState {
    const { metrics, publish, file } = this.options;
    const generation = (): ServedGeneration => {
      const { config, app } = this.current;
      const { failedReload } = this;
      return { config, file, ...this.loaded, failedReload, gateway: app };
    };
    return {
      isReady: () => this.isWarm && !this.isStopping,
      sharing: () => shared?.status,
      saveFailure: () => folder?.saveFailure,
      ...{ metrics, generation, clock: systemClock, publish },
    };
  }

  private openPublic({ server }: Config): Promise<Listener> {
    const getRunning = (): RunningApp => this.current;
    const app: PublicApp = {
      get listener() {
        return getRunning().app.listener;
      },
      get accessLog() {
        return getRunning().app.accessLog;
      },
      beginRequest: () => getRunning().beginRequest(),
    };
    return openListener(createPublicServer(app, directoryInterface), server, 'server');
  }

  private async restore({ cache: { disk: folder } }: Config, stores: Stores): Promise<void> {
    if (folder === undefined) return;
    const started = performance.now();
    await stores.reconfigure(this.current.config);
    await this.current.app.restore();
    const milliseconds = Math.round(performance.now() - started);
    this.options.publish({ type: 'snapshots restored', folder, milliseconds });
  }

  private noteLoaded(): void {
    this.loaded = { loadedAt: systemClock.now(), number: this.loaded.number + 1 };
  }

  private async createRunning(config: Config, stores: Stores, previous?: RunningApp): Promise<RunningApp> {
    const { program, tracing, publish } = this.options;
    return new RunningApp(config, {
      ...(previous && continuedParts(previous.app, config)),
      publish,
      unnamedGateway: nameSharedGateway(config) ?? this.unnamedGateway,
      explorerAssets: config.server.explorer.enabled ? await this.loadAssets() : undefined,
      version: program.version,
      tracer: tracing?.tracer,
      listFolder: stores.folder,
      configuration: stores.configurationOf(config),
      sharedStore: stores.shared,
      rateLimitStore: stores.rateLimitStore,
      getLocalOrigin: () => this.opened && formatLocalOrigin(this.opened.publicListener),
    });
  }

  /** Undefined where there are none: pages are complete but plain. Never rejects. */
  private loadAssets(): Promise<ExplorerAssets | undefined> {
    this.explorerAssets ??= loadExplorerAssets().catch((error: unknown) => {
      const type = 'pages have no style and no script: dist/client is missing';
      this.options.publish({ type, error: String(error) });
      return undefined;
    });
    return this.explorerAssets;
  }

  /** When the last request of the earlier application has been answered. */
  private retire(previous: RunningApp): void {
    const work = previous.retire().then(() => {
      const codes = new Set(this.current.config.sources.map(({ code }) => code));
      for (const { code: source } of previous.config.sources)
        if (!codes.has(source)) this.options.publish({ type: 'source removed', source });
    });
    this.retirements.add(work);
    void work.finally(() => this.retirements.delete(work));
  }
}

/** Addresses, samples and stores are opened once. Throws, naming the settings that need a restart. */
function requireSameOpened(before: Config, after: Config): void {
  const settingsOf = ({ server, admin, cache, samples }: Config): ReadonlyMap<string, unknown> =>
    new Map<string, unknown>([
      ['server.host', server.host],
      ['server.port', server.port],
      ['admin.host', admin.host],
      ['admin.port', admin.port],
      ['cache.disk', cache.disk],
      ['cache.redis', cache.redis],
      ['cache.redis-key', cache.redisKey],
      ['samples', samples],
    ]);
  const next = settingsOf(after);
  const changed = [...settingsOf(before)].filter(([name, value]) => !isDeepStrictEqual(value, next.get(name)));
  if (changed.length > 0)
    throw new Error(
      `${changed.map(([name]) => name).join(', ')}: cannot be changed while the process runs; restart it`,
    );
}

function requireOpen<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the process is not open');
  return value;
}
