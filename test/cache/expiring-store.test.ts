import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { ExpiringStore } from '../../src/cache/expiring-store.js';
import type { ExpiringEntry } from '../../src/cache/expiring-store.js';

function storeOf(memory: number): ExpiringStore<string> {
  return new ExpiringStore(new MemoryBudget(memory).addLevel());
}

function entryOf(value: string, dropAt = 1000): ExpiringEntry<string> {
  return { value, storedAt: 0, staleAt: dropAt / 2, waitAt: dropAt / 2, unusableAt: dropAt };
}

function values(store: ExpiringStore<string>, keys: string): string {
  return Array.from(keys)
    .filter((key) => store.get(`public ${key}`, 0) !== undefined)
    .join('');
}

describe('ExpiringStore', () => {
  test('returns an entry, fresh or stale, before its drop time and not from it on', () => {
    const store = storeOf(10);
    const entry = entryOf('a', 1000);
    store.put('public a', entry, 1);
    expect(store.get('public a', 999)).toBe(entry);
    expect(store.get('public a', 1000)).toBeUndefined();
    expect(store.get('public a', 1001)).toBeUndefined();
  });

  test('returns an entry from the future as stale after the clock was set back', () => {
    const store = storeOf(10);
    store.put('public a', { value: 'a', storedAt: 500, staleAt: 600, waitAt: 800, unusableAt: 1000 }, 1);
    expect(store.get('public a', 499)).toMatchObject({ value: 'a', staleAt: 499, waitAt: 499, unusableAt: 1000 });
    expect(store.get('public a', 500)).toMatchObject({ staleAt: 600, waitAt: 800 });
  });

  test('evicts an entry that was only peeked at as if it had not been read', () => {
    const store = storeOf(3);
    for (const value of 'abc') store.put(`public ${value}`, entryOf(value), 1);
    store.get('public b', 0);
    expect(store.peek('public a', 0)?.value).toBe('a');
    expect(store.peek('public a', 1000)).toBeUndefined();
    store.put('public d', entryOf('d'), 1);
    expect(values(store, 'abcd')).toBe('bcd');
  });

  test('returns undefined for an unknown key', () => {
    expect(storeOf(10).get('public a', 0)).toBeUndefined();
  });

  test('replaces the entry of a key', () => {
    const store = storeOf(10);
    store.put('public a', entryOf('old'), 4);
    store.put('public a', entryOf('new'), 4);
    expect(store.get('public a', 0)?.value).toBe('new');
  });

  test('stores up to the memory limit, and evicts for one byte more', () => {
    const store = storeOf(10);
    expect(store.put('public a', entryOf('a'), 6)).toBe(true);
    expect(store.put('public b', entryOf('b'), 4)).toBe(true);
    expect(values(store, 'ab')).toBe('ab');
    expect(store.put('public c', entryOf('c'), 1)).toBe(true);
    expect(values(store, 'abc')).toBe('bc');
  });

  test('counts only the new size when an entry is replaced', () => {
    const store = storeOf(10);
    store.put('public a', entryOf('a'), 4);
    for (let times = 0; times < 5; times += 1) store.put('public b', entryOf('b'), 6);
    expect(values(store, 'ab')).toBe('ab');
  });

  test('evicts the least recently used entry first', () => {
    const store = storeOf(3);
    for (const key of ['a', 'b', 'c']) store.put(`public ${key}`, entryOf(key), 1);
    store.get('public a', 0);
    store.put('public d', entryOf('d'), 1);
    expect(values(store, 'abcd')).toBe('acd');
  });

  test('rejects an entry larger than the memory limit, and keeps the others', () => {
    const store = storeOf(10);
    store.put('public a', entryOf('a'), 5);
    expect(store.put('public b', entryOf('b'), 11)).toBe(false);
    expect(values(store, 'ab')).toBe('a');
  });

  test('drops the old value when its replacement is too large', () => {
    const store = storeOf(10);
    store.put('public a', entryOf('old'), 5);
    expect(store.put('public a', entryOf('new'), 11)).toBe(false);
    expect(store.get('public a', 0)).toBeUndefined();
  });

  test('counts an empty entry as one byte, and rounds sizes up', () => {
    const store = storeOf(2);
    for (const key of ['a', 'b', 'c']) store.put(`public ${key}`, entryOf(key), 0);
    expect(values(store, 'abc')).toBe('bc');
    store.put('public d', entryOf('d'), 1.5);
    expect(values(store, 'bcd')).toBe('d');
  });
});
