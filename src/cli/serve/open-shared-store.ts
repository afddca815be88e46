import type { RateLimitStore } from '../../access/request-counters.js';
import type { SharedStore } from '../../lists/store/redis/shared-store.js';
export function openSharedStore(
  _cache: object,
  _context: object,
): Promise<{ store: SharedStore; rateLimitStore: RateLimitStore; close(): Promise<void> }> {
  throw new Error('stub');
}
