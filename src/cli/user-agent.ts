import type { Config } from '../config/config.js';
import { serializeUserAgent } from '../headers/user-agent.js';
import { readVersion } from './version.js';

/** For requests to sources (operation 2.3.12). Rejects as `readVersion` does. */
export async function readUserAgent({ server }: Config): Promise<string> {
  return serializeUserAgent((await readVersion()).version, server.publicUrl);
}
