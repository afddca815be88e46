/** Describes that a response waited for requests to its sources (decisions 7.15). */
export interface SourceWait {
  /** `miss`: nothing usable was cached for some source. `stale`: cached data had expired. */
  readonly reason: 'miss' | 'stale';
  /** Whether everything that the response waited for was already in progress for another request. */
  readonly collapsed: boolean;
}

/** How the cache served a response: label of metrics (operation 3.4) and field of the access log (operation 5.2). */
export type CacheResult = 'hit' | SourceWait['reason'];

/**
 * Combines the waits of one response: `miss` if any wait is a miss, and collapsed only if every wait is. Returns
 * undefined for no waits.
 */
export function combineWaits(waits: readonly SourceWait[]): SourceWait | undefined {
  if (waits.length === 0) return undefined;
  return {
    reason: waits.some(({ reason }) => reason === 'miss') ? 'miss' : 'stale',
    collapsed: waits.every(({ collapsed }) => collapsed),
  };
}
