import type { ConnectionLimitOptions } from '../../../src/http/server/public-server.js';

/** Default connection limits of the public port. */
export const DEFAULT_CONNECTION_LIMITS: ConnectionLimitOptions = { connections: 10_000 };
