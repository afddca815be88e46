import type { ConnectionLimits } from '../../src/http/server.js';

/** The limits of the public port by default, in milliseconds. */
export const LIMITS: ConnectionLimits = {
  connections: 10_000,
  headerTimeout: 15_000,
  requestTimeout: 30_000,
  writeTimeout: 30_000,
};
