import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ExpiringStore } from '../../src/cache/expiring-store.js';
import type { ExpiringEntry } from '../../src/cache/expiring-store.js';

function storeOf(memory: number): ExpiringStore<string> {
  return new ExpiringStore(new MemoryBudget(memory).addLevel());
}

function held(value: string, dropAt = 1000): ExpiringEntry<string> {
  return { value, storedAt: 0, staleAt: dropAt / 2, waitAt: dropAt / 2, unusableAt: dropAt };
}

function values(store: ExpiringStore<string>, keys: string): string {
  return Array.from(keys)
    .filter((key) => store.get(key, 0) !== undefined)
    .join('');
}

describe('HeldStore', () => {
  test('gives what is held, fresh or stale, until the instant at which it is dropped, and not at it', () => {
    const store = storeOf(10);
    const entry = held('a', 1000);
    store.put('a', entry, 1);
    expect(store.get('a', 999)).toBe(entry);
    expect(store.get('a', 1000)).toBeUndefined();
    expect(store.get('a', 1001)).toBeUndefined();
  });

  test('gives nothing as fresh that was held later than now, for the clock was set back', () => {
    const store = storeOf(10);
    store.put('a', { value: 'a', storedAt: 500, staleAt: 600, waitAt: 800, unusableAt: 1000 }, 1);
    expect(store.get('a', 499)).toMatchObject({ value: 'a', staleAt: 499, waitAt: 499, unusableAt: 1000 });
    expect(store.get('a', 500)).toMatchObject({ staleAt: 600, waitAt: 800 });
  });

  test('gives nothing that was never held', () => {
    expect(storeOf(10).get('a', 0)).toBeUndefined();
  });

  test('replaces what was held under the key', () => {
    const store = storeOf(10);
    store.put('a', held('old'), 4);
    store.put('a', held('new'), 4);
    expect(store.get('a', 0)?.value).toBe('new');
  });

  test('holds as many bytes as it may, and no byte more', () => {
    const store = storeOf(10);
    expect(store.put('a', held('a'), 6)).toBe(true);
    expect(store.put('b', held('b'), 4)).toBe(true);
    expect(values(store, 'ab')).toBe('ab');
    expect(store.put('c', held('c'), 1)).toBe(true);
    expect(values(store, 'abc')).toBe('bc');
  });

  test('counts what replaces an entry instead of it, not beside it', () => {
    const store = storeOf(10);
    store.put('a', held('a'), 4);
    for (let times = 0; times < 5; times += 1) store.put('b', held('b'), 6);
    expect(values(store, 'ab')).toBe('ab');
  });

  test('lets go first of what was not asked for the longest', () => {
    const store = storeOf(3);
    for (const key of ['a', 'b', 'c']) store.put(key, held(key), 1);
    store.get('a', 0);
    store.put('d', held('d'), 1);
    expect(values(store, 'abcd')).toBe('acd');
  });

  test('does not keep an entry larger than all that it may hold, says so, and leaves the others alone', () => {
    const store = storeOf(10);
    store.put('a', held('a'), 5);
    expect(store.put('b', held('b'), 11)).toBe(false);
    expect(values(store, 'ab')).toBe('a');
  });

  test('gives nothing rather than the old value, when the new one is too large to be kept', () => {
    const store = storeOf(10);
    store.put('a', held('old'), 5);
    expect(store.put('a', held('new'), 11)).toBe(false);
    expect(store.get('a', 0)).toBeUndefined();
  });

  test('counts an entry without size as one byte, and a part of a byte as a whole one', () => {
    const store = storeOf(2);
    for (const key of ['a', 'b', 'c']) store.put(key, held(key), 0);
    expect(values(store, 'abc')).toBe('bc');
    store.put('d', held('d'), 1.5);
    expect(values(store, 'bcd')).toBe('d');
  });
});
