import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createApp } from '../../../src/app.js';
import type { Config, SourceConfig } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { startSamples } from '../../../src/demo/start-sample-repositories.js';
import type { RunningSamples, SampleAddresses } from '../../../src/demo/start-sample-repositories.js';
import type { ServedResource } from '../../../src/http/served-resource.js';
import { listen } from '../../../src/runtime/http-listener.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { silentLog } from '../silent-log.js';

/** The gateway of `npm start` over its sample repositories, all on free ports. */
export interface DemoGateway {
  /** Without a trailing slash. */
  readonly origin: string;
  /** The configuration as its file has it. */
  readonly config: Config;
  readonly samples: RunningSamples;
  readonly servedResources: readonly ServedResource[];
  close(): Promise<void>;
}

/** Parses `config/demo.yaml`. */
export function readDemoConfig(): Config {
  const text = readFileSync(new URL('../../../config/demo.yaml', import.meta.url), 'utf8');
  const parsed = parseConfig(text, {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

/** Starts the demo at a fixed time, when all its sample data are in the past. */
export async function startDemo(): Promise<DemoGateway> {
  const config = readDemoConfig();
  const samples = await startSamples(new Map([...config.samples.keys()].map((name) => [name, 0])));
  const sources = config.sources.map((source) => relocate(source, samples.addresses.get(source.code)));
  const wire = createUndiciTransport();
  const clock = { now: () => Date.UTC(2026, 10, 20) };
  const app = createApp({ ...config, sources }, { transport: wire.transport, clock, log: silentLog, version: '0.0.0' });
  const server = createServer(app.listener);
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await Promise.all([wire.close(), samples.close()]);
  };
  return { origin, config, samples, servedResources: app.servedResources, close };
}

/** The registration of a sample with the addresses at which it was started. */
function relocate(source: SourceConfig, { document: url = '', ...interfaces }: SampleAddresses = {}): SourceConfig {
  return { ...source, ...interfaces, document: source.document && { ...source.document, url } };
}
