import type { AdminState } from '../../admin/admin-state.js';
import { createAdminServer } from '../../admin/create-admin-server.js';
import type { Config } from '../../config/config.js';
import { createPublicServer } from '../../http/server/public-server.js';
import type { PublicApp } from '../../http/server/public-server.js';
import { directoryInterface } from '../../model/api-interface.js';
import type { Generation } from './generation.js';
import { hasAddress, openListener } from './listener.js';
import type { Listener } from './listener.js';
import { closeState, openState } from './persistent-state.js';
import type { PersistentState, StateContext } from './persistent-state.js';
import { SampleSet } from './sample-set.js';

export interface Resources {
  readonly publicListener: Listener;
  readonly adminListener: Listener;
  readonly state: PersistentState;
}

export interface ConfigInForce {
  readonly config: Config;
  readonly resources: Resources;
}

interface ProcessResourcesOptions {
  readonly stateContext: StateContext;
  readonly adminState: AdminState;
  readonly getGeneration: () => Generation;
}

/** Listeners, sample repositories and persistent state of a process. */
export class ProcessResources {
  private readonly samples = new SampleSet();

  constructor(private readonly options: ProcessResourcesOptions) {}

  get sampleAddresses(): SampleSet['addresses'] {
    return this.samples.addresses;
  }

  /** Rejects where something cannot be opened. */
  async openFirstState(config: Config): Promise<PersistentState> {
    await this.samples.start(config.samples);
    return openState(config, this.options.stateContext);
  }

  /** Rejects, and closes the state, where something cannot be opened. */
  async openFirstListeners(config: Config, state: PersistentState): Promise<Resources> {
    try {
      const adminListener = await this.openAdmin(config);
      return { state, adminListener, publicListener: await this.openPublic(config) };
    } catch (error) {
      // No response was sent, so that the stored history is still true.
      await closeState(state);
      throw error;
    }
  }

  /** Opens what the configuration in force does not have. Rejects, and closes it, where that fails. */
  async openNext(config: Config, { config: before, resources }: ConfigInForce): Promise<Resources> {
    const { adminListener, publicListener } = resources;
    let [admin, pub] = [adminListener, publicListener];
    try {
      await this.samples.start(config.samples);
      if (!hasAddress(admin, config.admin)) admin = await this.openAdmin(config);
      if (!hasAddress(pub, config.server)) pub = await this.openPublic(config);
      const state = await openState(config, this.options.stateContext, resources.state);
      return { adminListener: admin, publicListener: pub, state };
    } catch (error) {
      await this.samples.stopOthers(before.samples);
      if (admin !== adminListener) await admin.connections.closeGracefully(0);
      throw error;
    }
  }

  /**
   * Closes what the configuration in force does not use. Listeners finish their responses for `duration` milliseconds.
   * Never rejects.
   */
  async closeUnused(used: Resources, { config, resources }: ConfigInForce, duration: number): Promise<void> {
    const { publicListener: pub, adminListener: admin, state } = used;
    await Promise.all([
      pub === resources.publicListener ? undefined : pub.connections.closeGracefully(duration),
      admin === resources.adminListener ? undefined : admin.connections.closeGracefully(duration),
      closeState(state, resources.state),
      this.samples.stopOthers(config.samples),
    ]);
  }

  stopSamples(): Promise<void> {
    return this.samples.stopOthers(new Map());
  }

  private openAdmin({ admin }: Config): Promise<Listener> {
    return openListener(createAdminServer(this.options.adminState), admin, 'admin');
  }

  private openPublic({ server }: Config): Promise<Listener> {
    const { getGeneration } = this.options;
    const app: PublicApp = {
      get listener() {
        return getGeneration().app.listener;
      },
      get accessLog() {
        return getGeneration().app.accessLog;
      },
      beginRequest: () => getGeneration().beginRequest(),
    };
    return openListener(createPublicServer(app, directoryInterface), server, 'server');
  }
}

export function requireOpen<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the process is not open');
  return value;
}
