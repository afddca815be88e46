/** A response waited for requests to its sources (decisions 7.15). */
export interface SourceWait {
  /** `miss`: nothing usable was cached for some source. `stale`: cached data had expired. */
  readonly reason: 'miss' | 'stale';
  /** All that the response waited for was already in progress for another request. */
  readonly collapsed: boolean;
}

/** Label of metrics (operation 3.4) and field of the access log (operation 5.2). */
export type CacheResult = 'hit' | SourceWait['reason'];

/** `miss` if any wait is a miss, collapsed only if every wait is; undefined for no waits. */
export function combineWaits(waits: readonly SourceWait[]): SourceWait | undefined {
  if (waits.length === 0) return undefined;
  return {
    reason: waits.some(({ reason }) => reason === 'miss') ? 'miss' : 'stale',
    collapsed: waits.every(({ collapsed }) => collapsed),
  };
}
