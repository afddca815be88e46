import { CacheLevel } from './cache-level.js';
import type { EvictableLevel } from './cache-level.js';

/**
 * One limit in bytes for several levels (decisions 7.16), which are evicted in the order in which they were added, and
 * each by its least recently used entries. An entry never evicts entries of a later level than its own.
 */
export class MemoryBudget {
  private readonly levels: EvictableLevel[] = [];

  /** In bytes. */
  constructor(private readonly capacity: number) {}

  /** Evicted after all levels added before. `onRemove` is called for each value that is no longer cached. */
  addLevel<T extends object>(onRemove: (value: T) => void = () => undefined): CacheLevel<T> {
    const level: CacheLevel<T> = new CacheLevel<T>(this.capacity, {
      makeRoom: (bytes) => this.makeRoom(level, bytes),
      onRemove,
    });
    this.levels.push(level);
    return level;
  }

  /** Returns false, and evicts nothing, if later levels leave too little room. */
  private makeRoom(level: EvictableLevel, bytes: number): boolean {
    const evictable = this.levels.slice(0, this.levels.indexOf(level) + 1);
    const otherBytes = this.levels.slice(evictable.length).reduce((sum, { bytes }) => sum + bytes, 0);
    if (otherBytes + bytes > this.capacity) return false;
    let usedBytes = this.levels.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const other of evictable)
      while (usedBytes + bytes > this.capacity && other.bytes > 0) usedBytes -= other.evictOne();
    return true;
  }
}
