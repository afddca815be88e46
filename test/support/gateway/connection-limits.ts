import type { ConnectionLimitOptions } from '../../../src/http/server/public-server.js';

/** Default connection limits of the public port; timeouts in milliseconds. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimitOptions = {
  connections: 10_000,
  headerTimeout: 15_000,
  requestTimeout: 30_000,
  writeTimeout: 30_000,
};
