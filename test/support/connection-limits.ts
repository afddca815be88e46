import type { ConnectionLimitOptions } from '../../src/http/server/public-server.js';

/** The limits of the public port by default, in milliseconds. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimitOptions = {
  connections: 10_000,
  headerTimeout: 15_000,
  requestTimeout: 30_000,
  writeTimeout: 30_000,
};
