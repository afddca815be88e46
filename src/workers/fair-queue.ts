interface Owner {
  readonly waiting: (() => Promise<void>)[];
  /** Milliseconds of the owner's works, or the level of the others where that is more. */
  usedTime: number;
}

/**
 * Runs works one at a time. The next one is the first of the owner whose works have taken the least time, so an owner
 * with many or slow works delays the others by one work at most. An owner that returns after a pause begins at the
 * level of the others. Works of one owner run in their order.
 */
export class FairQueue {
  private readonly owners = new Map<string, Owner>();
  /** Used time of the owner whose work started last. */
  private level = 0;
  private isRunning = false;

  run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const { waiting } = this.admit(owner);
    const result = new Promise<T>((resolve, reject) => waiting.push(() => work().then(resolve, reject)));
    if (!this.isRunning) void this.runAll();
    return result;
  }

  private admit(name: string): Owner {
    const owner = this.owners.get(name) ?? { waiting: [], usedTime: 0 };
    this.owners.set(name, owner);
    if (owner.waiting.length === 0) owner.usedTime = Math.max(owner.usedTime, this.level);
    return owner;
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    for (let next = this.findNext(); next !== undefined; next = this.findNext()) {
      this.level = next.usedTime;
      const from = performance.now();
      await next.waiting.shift()?.();
      next.usedTime += performance.now() - from;
    }
    // Nothing is left to share. Clients may be any number of owners.
    this.owners.clear();
    this.level = 0;
    this.isRunning = false;
  }

  private findNext(): Owner | undefined {
    let next: Owner | undefined;
    for (const [name, owner] of this.owners) {
      const isWaiting = owner.waiting.length > 0;
      if (isWaiting && (next === undefined || owner.usedTime < next.usedTime)) next = owner;
      // It would return at the level of the others, as if it were new.
      if (!isWaiting && owner.usedTime <= this.level) this.owners.delete(name);
    }
    return next;
  }
}
