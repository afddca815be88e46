import { createHash } from 'node:crypto';
import { fingerprintConfig } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import { parseRedisAddress } from '../../lists/store/redis/redis-address.js';

const NAME_DIGITS = 16;

/**
 * The same for all instances of a gateway with `cache.redis` and without `server.name` (operation 2.3.4); undefined
 * without `cache.redis`. The configuration is part of it: other gateways have other sources.
 */
export function nameSharedGateway(config: Config): string | undefined {
  const { redis } = config.cache;
  if (redis === undefined) return undefined;
  // Not the credentials: the name is public, and anybody could test guesses with it.
  const { host, port, database } = parseRedisAddress(redis);
  const hash = createHash('sha256').update(JSON.stringify([host, port, database, fingerprintConfig(config)]));
  return `rollcall-${hash.digest('hex').slice(0, NAME_DIGITS)}`;
}
