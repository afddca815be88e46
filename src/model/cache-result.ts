/** That an answer had to wait for its sources. */
export interface SourceWait {
  /** `miss`: for some source nothing usable was held; `stale`: what was held was past its time. */
  readonly reason: 'miss' | 'stale';
  /** Whether all that was waited for had been under way for somebody else. */
  readonly collapsed: boolean;
}

/** How an answer came by what its sources gave: from what was held, or why not. */
export type CacheResult = 'hit' | SourceWait['reason'];

/** All that one answer waited for, as one: the worse reason, and collapsed only when everything was. Undefined for nothing. */
export function combineWaits(waits: readonly SourceWait[]): SourceWait | undefined {
  if (waits.length === 0) return undefined;
  return {
    reason: waits.some(({ reason: why }) => why === 'miss') ? 'miss' : 'stale',
    collapsed: waits.every(({ collapsed }) => collapsed),
  };
}
