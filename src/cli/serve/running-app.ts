import { createApp } from '../../app.js';
import type { App } from '../../app.js';
import type { AppDependencies, LevelWorkers } from '../../composition/app-dependencies.js';
import type { Config } from '../../config/config.js';
import type { Publish } from '../../events/event.js';
import { serializeUserAgent } from '../../headers/user-agent.js';
import { systemClock } from '../../model/clock.js';
import { SearchThreads } from '../../search/search-threads.js';
import { BodyParser } from '../../source/body/body-parser.js';
import { createUndiciTransport } from '../../source/client/transport/http-transport.js';
import type { ClosableTransport } from '../../source/client/transport/http-transport.js';
import { KeyReader } from '../../source/keys/key-reader.js';

type AppContext = Omit<AppDependencies, 'transport' | 'findCertificate' | 'workers' | 'clock' | 'publish'> & {
  readonly publish: Publish;
  readonly version: string;
};

/** The application of one configuration with its connections and threads. A reload replaces it (operation 6.2). */
export class RunningApp {
  readonly app: App;
  private readonly client: ClosableTransport;
  private readonly workers: Readonly<Record<'public' | 'members', Required<LevelWorkers>>>;
  private requestsInProgress = 0;
  private notifyIdle: () => void = () => undefined;

  constructor(
    readonly config: Config,
    context: AppContext,
  ) {
    const { publish, version } = context;
    this.client = createUndiciTransport(serializeUserAgent(version, config.server.publicUrl));
    this.workers = { public: createWorkers(config, publish), members: createWorkers(config, publish) };
    this.app = createApp(config, {
      ...context,
      transport: this.client.transport,
      findCertificate: this.client.findCertificate,
      workers: this.workers,
      clock: systemClock,
    });
  }

  /** The request is in progress until the result is called. */
  beginRequest(): () => void {
    this.requestsInProgress += 1;
    return this.endRequest;
  }

  /** Waits for the last request, and closes. */
  async retire(): Promise<void> {
    if (this.requestsInProgress > 0) await new Promise<void>((resolve) => (this.notifyIdle = resolve));
    await this.close();
  }

  async close(): Promise<void> {
    this.app.stopBackgroundWork();
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
