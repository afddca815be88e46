/** Negative, zero or positive, as in `Array.prototype.sort`. */
export type Compare<T> = (a: T, b: T) => number;

/** Restores a binary heap, with the first item by `compare` at its root, after the item at `at` was replaced. */
export function siftDown<T>(heap: T[], at: number, compare: Compare<T>): void {
  const item = heap[at];
  if (item === undefined) return;
  let hole = at;
  for (;;) {
    const child = findFirstChild(heap, hole, compare);
    const value = heap[child];
    if (value === undefined || compare(value, item) >= 0) break;
    heap[hole] = value;
    hole = child;
  }
  heap[hole] = item;
}

function findFirstChild<T>(heap: readonly T[], parent: number, compare: Compare<T>): number {
  const left = 2 * parent + 1;
  const [a, b] = [heap[left], heap[left + 1]];
  return a !== undefined && b !== undefined && compare(b, a) < 0 ? left + 1 : left;
}

/** Turns the array in place into a binary heap with the first item by `compare` at its root. */
export function heapify<T>(items: T[], compare: Compare<T>): void {
  for (let at = (items.length >> 1) - 1; at >= 0; at -= 1) siftDown(items, at, compare);
}
