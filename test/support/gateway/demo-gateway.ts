import { createServer } from 'node:http';
import { createApp } from '../../../src/app.js';
import type { App } from '../../../src/app.js';
import type { LevelWorkers } from '../../../src/composition/app-dependencies.js';
import type { Config } from '../../../src/config/config.js';
import type { ExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
import type { RunningSamples } from '../../../src/demo/start-sample-repositories.js';
import type { ServedResource } from '../../../src/http/operations/served-resource.js';
import { PACKAGE_FOLDER } from '../../../src/program/package-folder.js';
import { listen } from '../../../src/runtime/http-listener.js';
import type { KeyReader } from '../../../src/source/keys/key-reader.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { silentLog } from '../silent-log.js';
import { readDemoConfig, startDemoRepositories } from './demo-repositories.js';

/** The gateway of `npm start` over its sample repositories, all on free ports. */
export interface DemoGateway {
  /** Without a trailing slash. */
  readonly origin: string;
  /** The configuration as its file has it. */
  readonly config: Config;
  readonly samples: RunningSamples;
  readonly app: App;
  readonly servedResources: readonly ServedResource[];
  close(): Promise<void>;
}

/** What a test may change of the demo. */
export interface DemoOptions {
  /** Default: none. */
  readonly publicUrl?: string;
  /** Default: none; pages have no script and no style sheet. */
  readonly explorerAssets?: ExplorerAssets;
  /** In milliseconds since 1970; default: after the last date of the sample data. */
  readonly now?: number;
  /** Codes of repositories that cannot be reached; default: none. */
  readonly down?: readonly string[];
}

/** Starts the demo at a fixed time, when all its sample data are in the past. Without `keyReader`, it serves no keyrings. */
export async function startDemo(
  keyReader?: KeyReader,
  { publicUrl, explorerAssets, now = Date.UTC(2026, 10, 20), down }: DemoOptions = {},
): Promise<DemoGateway> {
  const { config: demoConfig, samples } = await startDemoRepositories(PACKAGE_FOLDER, down);
  const config = { ...demoConfig, server: { ...demoConfig.server, publicUrl } };
  const wire = createUndiciTransport('rollcall');
  const clock = { now: () => now };
  const workers: LevelWorkers = keyReader === undefined ? {} : { keyReader };
  const app = createApp(config, {
    transport: wire.transport,
    clock,
    log: silentLog,
    version: '0.0.0',
    explorerAssets,
    workers: { public: workers, members: workers },
  });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await Promise.all([wire.close(), samples.close()]);
  };
  return { origin, config: readDemoConfig(PACKAGE_FOLDER), samples, app, servedResources: app.servedResources, close };
}
