import { heapify, siftDown } from './heap.js';
import type { Compare } from './heap.js';

/**
 * Keeps the first `size` of the items it is offered, in any order: a heap whose root is the last of those kept. Offering n items
 * costs n comparisons and little more, however many are kept.
 */
export class First<T> {
  private readonly kept: T[] = [];
  private readonly lastFirst: Compare<T>;

  constructor(
    private readonly size: number,
    private readonly compare: Compare<T>,
  ) {
    this.lastFirst = (a, b) => compare(b, a);
  }

  /** Takes the item when it comes before one of those kept, or while there is room. */
  offer(item: T): void {
    if (this.kept.length < this.size) {
      this.kept.push(item);
      if (this.kept.length === this.size) heapify(this.kept, this.lastFirst);
      return;
    }
    const last = this.kept[0];
    if (last === undefined || this.compare(item, last) >= 0) return;
    this.kept[0] = item;
    siftDown(this.kept, 0, this.lastFirst);
  }

  /** The items kept, in order. */
  inOrder(): T[] {
    return [...this.kept].sort(this.compare);
  }
}
