import { CacheLevel } from './cache-level.js';
import type { EvictableLevel } from './cache-level.js';

/**
 * One bound in bytes over several levels. When room is needed the levels give way in the order in which they were added, all of the first
 * before anything of the second; within a level the least recently used goes first. Nothing gives way to what is on a level before its own.
 */
export class MemoryBudget {
  private readonly levels: EvictableLevel[] = [];

  private isHalfFull = false;

  /** `memory` is in bytes. `filled` is told when more than half of it comes to be taken, and when that is over. */
  constructor(
    private readonly capacity: number,
    private readonly onHalfFullChange: (isHalfFull: boolean) => void = () => undefined,
  ) {}

  /** Adds a level, which gives way after those that were added before it. `gone` is told of what is held no longer. */
  addLevel<T extends object>(gone: (value: T) => void = () => undefined): CacheLevel<T> {
    const level: CacheLevel<T> = new CacheLevel<T>(this.capacity, {
      makeRoom: (bytes) => this.makeRoom(level, bytes),
      onRemove: gone,
    });
    this.levels.push(level);
    return level;
  }

  /** Makes room for so many bytes more on a level, if that can be done. */
  private makeRoom(level: EvictableLevel, bytes: number): boolean {
    const yielding = this.levels.slice(0, this.levels.indexOf(level) + 1);
    const staying = this.levels.slice(yielding.length).reduce((sum, { bytes }) => sum + bytes, 0);
    if (staying + bytes > this.capacity) return false;
    let held = this.levels.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const other of yielding) while (held + bytes > this.capacity && other.bytes > 0) held -= other.evictOne();
    this.reportFill(held + bytes);
    return true;
  }

  private reportFill(held: number): void {
    const isHalfFull = held > this.capacity / 2;
    if (isHalfFull === this.isHalfFull) return;
    this.isHalfFull = isHalfFull;
    this.onHalfFullChange(isHalfFull);
  }
}
