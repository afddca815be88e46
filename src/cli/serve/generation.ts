import { createApp } from '../../app.js';
import type { App } from '../../app.js';
import type { AppHandover } from '../../composition/app-handover.js';
import type { LevelWorkers } from '../../composition/app-dependencies.js';
import type { Config } from '../../config/config.js';
import type { Publish } from '../../events/event.js';
import type { ExplorerAssets } from '../../explorer/assets/explorer-assets.js';
import { serializeUserAgent } from '../../headers/user-agent.js';
import { systemClock } from '../../model/clock.js';
import type { Tracer } from '../../model/tracer.js';
import { SearchThreads } from '../../search/search-threads.js';
import { BodyParser } from '../../source/body/body-parser.js';
import { createUndiciTransport } from '../../source/client/transport/http-transport.js';
import type { ClosableTransport } from '../../source/client/transport/http-transport.js';
import { KeyReader } from '../../source/keys/key-reader.js';
import type { StateView } from './persistent-state.js';

interface GenerationContext {
  readonly publish: Publish;
  readonly unnamedGateway: string;
  readonly explorerAssets: ExplorerAssets | undefined;
  readonly version: string;
  /** Absent: nothing is traced. */
  readonly tracer: Tracer | undefined;
  readonly state: StateView;
  /** Where this machine reaches the public port; undefined before it is open. */
  readonly getLocalOrigin: () => string | undefined;
}

/**
 * One configuration with all that was created for it. A reload replaces the generation in force. Both exist until the
 * last request of the earlier one has been answered (operation 6.2).
 */
export class Generation {
  readonly app: App;
  private readonly client: ClosableTransport;
  private readonly workers: Readonly<Record<'public' | 'members', Required<LevelWorkers>>>;
  private requestsInProgress = 0;
  private notifyIdle: () => void = () => undefined;
  private readonly state: StateView;

  constructor(
    readonly config: Config,
    { state, ...context }: GenerationContext,
    handover?: AppHandover,
  ) {
    this.state = state;
    const { publish, version } = context;
    this.client = createUndiciTransport(serializeUserAgent(version, config.server.publicUrl));
    this.workers = { public: createWorkers(config, publish), members: createWorkers(config, publish) };
    this.app = createApp(config, {
      ...context,
      ...handover?.continuedParts,
      ...(state.history && { historyStore: state.history }),
      snapshotFolder: state.snapshots,
      sharedMemory: state.sharedMemory,
      rateLimitStore: state.rateLimitStore,
      transport: this.client.transport,
      findCertificate: this.client.findCertificate,
      workers: this.workers,
      clock: systemClock,
    });
    handover?.prepare(this.app);
  }

  /** The request is in progress until the result is called. */
  beginRequest(): () => void {
    this.requestsInProgress += 1;
    return this.endRequest;
  }

  /** From now on the caches follow the shared memory. */
  activate(previous?: Generation): void {
    this.state.sharedMemory?.activate(previous?.state.sharedMemory);
  }

  /** For a generation that is no longer in force. */
  deactivate(): void {
    this.state.history?.detach();
    this.state.snapshots?.detach();
    this.state.sharedMemory?.detach();
  }

  /** Waits for the last request, and closes the generation. */
  async retire(): Promise<void> {
    if (this.requestsInProgress > 0) await new Promise<void>((resolve) => (this.notifyIdle = resolve));
    await this.close();
  }

  /** Also for a generation that was never in force. */
  async close(): Promise<void> {
    this.app.stopBackgroundWork();
    this.state.sharedMemory?.detach();
    for (const { bodyParser, keyReader, searchThreads } of Object.values(this.workers)) {
      bodyParser.close();
      keyReader.close();
      searchThreads.close();
    }
    await this.client.close();
  }

  private readonly endRequest = (): void => {
    this.requestsInProgress -= 1;
    if (this.requestsInProgress === 0) this.notifyIdle();
  };
}

/** Threads start with the first task. */
function createWorkers(config: Config, publish: Publish): Required<LevelWorkers> {
  return {
    bodyParser: new BodyParser({ maxBody: Math.max(0, ...config.sources.map(({ maxBody }) => maxBody)) }),
    searchThreads: new SearchThreads(),
    keyReader: new KeyReader({ publish }),
  };
}
