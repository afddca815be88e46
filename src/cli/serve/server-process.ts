import { randomBytes } from 'node:crypto';
import type { AdminState, FailedReload, ServedGeneration } from '../../admin/admin-state.js';
import { AppHandover } from '../../composition/app-handover.js';
import type { Config } from '../../config/config.js';
import type { Publish } from '../../events/event.js';
import { loadExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import type { ExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import type { Metrics } from '../../events/metrics.js';
import { systemClock } from '../../model/clock.js';
import type { ProcessLog } from '../../runtime/logger.js';
import type { ExportingTracer } from '../../tracing/open-telemetry.js';
import type { ProgramVersion } from '../version.js';
import { formatLocalOrigin } from './listener.js';
import { closeState, createStateView, noteConfiguration } from './persistent-state.js';
import type { PersistentState } from './persistent-state.js';
import { Generation } from './generation.js';
import type { AgreementState } from '../../state/sharing/shared-memory.js';
import type { SaveFailure } from '../../state/snapshots/snapshot-folder.js';
import { nameSharedGateway } from './shared-gateway-name.js';
import { ProcessResources, requireOpen } from './process-resources.js';
import type { ConfigInForce, Resources } from './process-resources.js';
import type { SampleSet } from './sample-set.js';

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

/** The running process: the generation in force, its listeners, and its replacement (operation 6). */
export class ServerProcess {
  failedReload: FailedReload | undefined;
  private readonly opener: ProcessResources;
  /** Loaded for the first configuration that serves pages. */
  private explorerAssets: Promise<ExplorerAssets | undefined> | undefined;
  /** Without `server.name` (operation 2.3.4). */
  private readonly unnamedGateway = `rollcall-${randomBytes(4).toString('hex')}`;
  private readonly retirements = new Set<Promise<unknown>>();
  private generation: Generation | undefined;
  private resources: Resources | undefined;
  /** When the configuration in force was read, and how many were in force before. */
  private loaded = { loadedAt: 0, number: 0 };
  private isWarm = false;
  private isStopping = false;

  constructor(private readonly options: ServerProcessOptions) {
    const { publish, program } = options;
    this.opener = new ProcessResources({
      stateContext: { publish, build: program.build },
      adminState: this.adminState,
      getGeneration: () => this.current,
    });
  }

  get current(): Generation {
    return requireOpen(this.generation);
  }

  /** Without a slash at the end. */
  get urls(): { readonly public: string; readonly admin: string } {
    const { publicListener, adminListener } = requireOpen(this.resources);
    return { public: publicListener.url, admin: adminListener.url };
  }

  get adminState(): AdminState {
    const generation = (): ServedGeneration => {
      const { config, app } = this.current;
      const { failedReload } = this;
      return { config, file: this.options.file, ...this.loaded, failedReload, gateway: app };
    };
    const isReady = (): boolean => this.isWarm && !this.isStopping;
    const agreement = (): AgreementState | undefined => this.resources?.state.shared?.memory.state;
    const saveFailure = (): SaveFailure | undefined => this.resources?.state.folder?.saveFailure;
    const { metrics, publish } = this.options;
    return { isReady, agreement, saveFailure, metrics, generation, clock: systemClock, publish };
  }

  get sampleAddresses(): SampleSet['addresses'] {
    return this.opener.sampleAddresses;
  }

  /** Rejects where something cannot be opened. */
  async open(config: Config): Promise<void> {
    this.options.log.setLevel(config.server.logLevel);
    const state = await this.opener.openFirstState(config);
    this.generation = await this.createGeneration(config, state);
    this.generation.activate();
    await this.restore(config, state);
    this.noteLoaded();
    this.resources = await this.opener.openFirstListeners(config, state);
    const { length: sources } = config.sources;
    this.options.publish({ type: 'configuration put in force', at: systemClock.now(), sources });
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
   * Replaces the configuration in force (operation 6.2), after its new sources are warmed up. Returns false, and
   * changes nothing, where the process stops. Rejects, and changes nothing, where something cannot be opened.
   *
   * The race with a stop: (1) the new sources are warmed up; (2) the process stops, and closes the generation in force;
   * (3) a generation that nobody closes would come into force. So `isStopping` is checked after the last wait, and
   * everything after it happens in one turn of the event loop.
   */
  async replace(config: Config): Promise<boolean> {
    const previous = this.current;
    const inForce: ConfigInForce = { config: previous.config, resources: requireOpen(this.resources) };
    const opened = await this.opener.openNext(config, inForce);
    const handover = new AppHandover(previous.app, config);
    let created: Generation | undefined;
    const abandon = async (): Promise<void> => {
      await Promise.all([created?.close(), this.opener.closeUnused(opened, inForce, 0)]);
    };
    try {
      created = await this.createGeneration(config, opened.state, handover);
      await created.app.warmUp((source) => handover.beginsEmpty(source));
    } catch (error) {
      await abandon();
      throw error;
    }
    if (this.isStopping) {
      await abandon();
      return false;
    }
    const next = created;
    previous.deactivate();
    next.activate(previous);
    handover.complete(next.app, systemClock);
    this.options.log.setLevel(config.server.logLevel);
    [this.generation, this.resources] = [next, opened];
    void noteConfiguration(opened.state, config, next.app.levels.public?.gateway.replacedAt);
    this.noteLoaded();
    this.retire(previous, inForce.resources);
    void next.app.warmUpMembers().then(() => next.app.warmUpPages());
    return true;
  }

  /** Every request that has arrived is answered. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const { current } = this;
    const { publicListener, adminListener, state } = requireOpen(this.resources);
    current.app.closeConnectionsAfterResponse();
    await publicListener.connections.closeGracefully(current.config.server.deadline + FINAL_RESPONSE_TIME);
    await Promise.all([current.close(), ...this.retirements, this.opener.stopSamples()]);
    await Promise.all([closeState(state), this.options.tracing?.close()]);
    await adminListener.connections.closeGracefully(FINAL_RESPONSE_TIME);
  }

  private async restore(config: Config, state: PersistentState): Promise<void> {
    const started = performance.now();
    await noteConfiguration(state, config, state.file?.replacedAt);
    await this.current.app.restore();
    const { folder, milliseconds } = {
      folder: config.cache.disk,
      milliseconds: Math.round(performance.now() - started),
    };
    if (folder !== undefined) this.options.publish({ type: 'snapshots restored', folder, milliseconds });
  }

  private noteLoaded(): void {
    this.loaded = { loadedAt: systemClock.now(), number: this.loaded.number + 1 };
  }

  private async createGeneration(config: Config, state: PersistentState, handover?: AppHandover): Promise<Generation> {
    const unnamedGateway = nameSharedGateway(config) ?? this.unnamedGateway;
    const explorerAssets = config.server.explorer.enabled ? await this.loadAssets() : undefined;
    const { program, tracing, publish } = this.options;
    const { version } = program;
    const { tracer } = tracing ?? {};
    const shared = { publish, unnamedGateway, explorerAssets, version, tracer };
    const getLocalOrigin = (): string | undefined => this.resources && formatLocalOrigin(this.resources.publicListener);
    return new Generation(config, { getLocalOrigin, ...shared, state: createStateView(state) }, handover);
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

  /** When the last request of the earlier generation has been answered. */
  private retire(previous: Generation, used: Resources): void {
    const inForce: ConfigInForce = { config: this.current.config, resources: requireOpen(this.resources) };
    const work = Promise.all([
      this.opener.closeUnused(used, inForce, previous.config.server.deadline + FINAL_RESPONSE_TIME),
      previous.retire().then(() => {
        this.forgetRemovedSources(previous);
      }),
    ]);
    this.retirements.add(work);
    void work.finally(() => this.retirements.delete(work));
  }

  private forgetRemovedSources(previous: Generation): void {
    const codes = new Set(this.current.config.sources.map(({ code }) => code));
    for (const { code: source } of previous.config.sources)
      if (!codes.has(source)) this.options.publish({ type: 'source removed', source });
  }
}
