import type { Config, SourceConfig } from '../config/config.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import type { Transport } from '../source/client/http-client-types.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { readUserAgent } from './version.js';

interface ExaminedSource {
  readonly source: SourceConfig;
  readonly config: Config;
  readonly transport: Transport;
}

/** Returns the exit code of `examine`; 1 where the configuration has errors, or no source has the code. */
export async function examineSource(
  file: string,
  code: string,
  examine: (examined: ExaminedSource) => Promise<number>,
): Promise<number> {
  const config = (await loadConfigOrReport(file))?.config;
  if (config === undefined) return 1;
  const source = config.sources.find((one) => one.code === code);
  if (source === undefined) {
    const known = config.sources.map((one) => one.code).join(', ');
    process.stderr.write(`rollcall: no source ${code}; known: ${known}\n`);
    return 1;
  }
  const client = createUndiciTransport(await readUserAgent(config));
  try {
    return await examine({ source, config, transport: client.transport });
  } finally {
    await client.close();
  }
}
