import { formatAdminAddress } from '../admin/server/admin-address.js';
import type { Config } from '../config/config.js';
import { createUndiciTransport } from '../source/client/transport/http-transport.js';
import { getErrorMessage } from '../text/get-error-message.js';
import { loadConfigOrReport } from './load-config-or-report.js';
import { readUserAgent } from './version.js';

interface StatusOptions {
  readonly file: string;
  readonly json: boolean;
}

const EXIT_UNREACHABLE = 2;

/** Milliseconds. The report is made from memory. */
const TIMEOUT = 10_000;

/** Bytes: a thousand sources with all their lists have a few megabytes. */
const MAX_REPORT = 256 * 1024 * 1024;

/**
 * Prints `/sources` of the server with this configuration (operation 1.14). Returns the exit code: 0 if it answered, 1
 * if the configuration has errors, 2 if no server answers on its admin port.
 */
export async function printStatus({ file, json }: StatusOptions): Promise<number> {
  const config = (await loadConfigOrReport(file))?.config;
  if (config === undefined) return 1;
  const address = `${formatAdminAddress(config.admin)}/sources?format=${json ? 'json' : 'text'}`;
  try {
    process.stdout.write(await read(address, config));
    return 0;
  } catch (error) {
    const port = config.admin.port === 0 ? ': admin.port is 0, so that only its log names the port' : '';
    process.stderr.write(`rollcall: no server answers at ${address} (admin.port)${port}: ${getErrorMessage(error)}\n`);
    return EXIT_UNREACHABLE;
  }
}

async function read(address: string, config: Config): Promise<Buffer> {
  const client = createUndiciTransport(await readUserAgent(config));
  try {
    const reply = await client.transport({ url: new URL(address), headers: {} }, AbortSignal.timeout(TIMEOUT));
    const body = await reply.readBytes(MAX_REPORT);
    if (reply.status !== 200) throw new Error(`another server answers, with status ${reply.status}`);
    return body;
  } finally {
    await client.close();
  }
}
