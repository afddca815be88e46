import { type ConfigIssue } from './yaml/config-error.js';
import { type ConfigNode, nodeAt } from './yaml/config-node.js';
import { readField } from './located-value.js';
import { cacheFields } from './schema/cache-schema.js';

/** Settings that need a shared memory (operation 2.5.4). */
export function checkSharedMemory(root: ConfigNode): ConfigIssue[] {
  if (nodeAt(root, ['cache', 'redis']) !== undefined) return [];
  const keys = readField(root, ['cache', 'redis-key'], cacheFields.redisKey).filter(({ value }) => value !== undefined);
  return keys.map(({ path, offset }) => ({ path, offset, message: 'requires cache.redis' }));
}
