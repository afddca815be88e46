import { readFileSync } from 'node:fs';
import type { Config, SourceConfig } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { startSamples } from '../../../src/demo/start-sample-repositories.js';
import type { RunningSamples, SampleAddresses } from '../../../src/demo/start-sample-repositories.js';

/** The sample repositories of the demo, on free ports. */
export interface RunningDemo {
  /** The configuration of the demo, with the addresses of the repositories. */
  readonly config: Config;
  readonly samples: RunningSamples;
}

/** Parses `config/demo.yaml`. `root` is the folder of the project. */
export function readDemoConfig(root: URL): Config {
  const parsed = parseConfig(readFileSync(new URL('config/demo.yaml', root), 'utf8'), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

/** Where nothing listens. */
const REFUSING = { directory: 'http://127.0.0.1:9', data: 'http://127.0.0.1:9' };

/** Starts the sample repositories of the demo. `root` is the folder of the project; those that are down refuse connections. */
export async function startDemoRepositories(root: URL, down: readonly string[] = []): Promise<RunningDemo> {
  const config = readDemoConfig(root);
  const ports = new Map([...config.samples.keys()].map((name) => [name, 0]));
  const samples = await startSamples(ports, new URL('config/demo/', root));
  const sources = config.sources.map((source) =>
    relocate(source, down.includes(source.code) ? REFUSING : samples.addresses.get(source.code)),
  );
  return { config: { ...config, sources }, samples };
}

/** The registration of a sample with the addresses at which it was started. */
function relocate(source: SourceConfig, addresses: SampleAddresses = {}): SourceConfig {
  const { document: url = '', feeds = [], ...interfaces } = addresses;
  const { origin } = source;
  if (origin.kind === 'document') return { ...source, origin: { ...origin, document: { ...origin.document, url } } };
  if (origin.kind !== 'feed') return { ...source, origin: { ...origin, ...interfaces } };
  const relocated = origin.feeds.map(({ url: registered, title }, at) => ({ url: feeds[at] ?? registered, title }));
  return { ...source, origin: { ...origin, feeds: relocated } };
}
