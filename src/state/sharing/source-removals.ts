import type { ObservedList, SharedMemory } from './shared-memory.js';

interface SourceRemovalsOptions {
  readonly memory: SharedMemory;
  readonly name: string;
  readonly onRemoved: () => void;
}

/** Follows the removals of one source from the shared memory that operators request (operation 3.5.3). */
export class SourceRemovals implements ObservedList {
  /** Undefined: this instance has followed no removal. */
  private last: number | undefined;
  /** By the monotonic clock. Earlier removals do not concern this instance. */
  private createdAt: number;
  private following: Promise<void> = Promise.resolve();
  private followed = 0;

  constructor(private readonly options: SourceRemovalsOptions) {
    this.createdAt = options.memory.monotonic();
  }

  /** What was read or fetched before the last of these removals is void. */
  get count(): number {
    return this.followed;
  }

  /** Resolves when all known removals are followed. Never rejects. */
  get settled(): Promise<void> {
    return this.following;
  }

  /** Removes the source in all other instances. Returns false where the memory does not answer. Never rejects. */
  async remove(): Promise<boolean> {
    const { memory, name } = this.options;
    try {
      const number = await memory.store.remove(name);
      this.last = Math.max(this.last ?? 0, number);
      this.followed += 1;
      return true;
    } catch {
      return false;
    }
  }

  /** Continues after an earlier configuration, whose snapshots this one gets. */
  continueFrom(earlier: SourceRemovals): void {
    this.last = earlier.last;
    this.createdAt = earlier.createdAt;
  }

  noteChange(dueAt: number): void {
    const { agreement } = this.options.memory;
    const change = agreement.expect(dueAt);
    this.following = this.follow()
      .catch(() => undefined)
      .finally(() => {
        agreement.resolve(change);
      });
  }

  noteReport(): void {
    // The report that arrives names the source if it was removed meanwhile.
  }

  private async follow(): Promise<void> {
    const { memory, name, onRemoved } = this.options;
    const number = await memory.retryUntilClosed(name, () => memory.store.lastChange(name));
    // Numbers follow the time of the memory in microseconds.
    if (number <= (this.last ?? memory.time.earliestAt(this.createdAt) * 1_000)) return;
    this.last = number;
    this.followed += 1;
    onRemoved();
  }
}
