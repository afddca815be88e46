import { heapify, siftDown } from './heap.js';
import type { Compare } from './heap.js';

interface StreamHead<T> {
  value: T;
  readonly rest: Iterator<T>;
}

/** Merges ordered streams lazily: each is read one item ahead. The order of equal items is unspecified. */
export function* kWayMerge<T>(streams: Iterable<Iterable<T>>, compare: Compare<T>): Generator<T, void, undefined> {
  const byValue: Compare<StreamHead<T>> = (a, b) => compare(a.value, b.value);
  const heads = openStreams(streams);
  heapify(heads, byValue);
  for (let first = heads[0]; first !== undefined; first = heads[0]) {
    yield first.value;
    advanceHead(heads, first);
    siftDown(heads, 0, byValue);
  }
}

function openStreams<T>(streams: Iterable<Iterable<T>>): StreamHead<T>[] {
  const heads: StreamHead<T>[] = [];
  for (const stream of streams) {
    const rest = stream[Symbol.iterator]();
    const next = rest.next();
    if (next.done !== true) heads.push({ value: next.value, rest });
  }
  return heads;
}

/** Replaces the root by the next item of its stream, or by the last head of the heap if the stream has ended. */
function advanceHead<T>(heads: StreamHead<T>[], first: StreamHead<T>): void {
  const next = first.rest.next();
  if (next.done !== true) {
    first.value = next.value;
    return;
  }
  const last = heads.pop();
  if (last !== undefined && heads.length > 0) heads[0] = last;
}
