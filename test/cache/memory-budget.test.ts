import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { CacheLevel } from '../../src/cache/cache-level.js';

interface Named {
  readonly name: string;
}

function put(level: CacheLevel<Named>, name: string, bytes: number): boolean {
  return level.put(`public ${name}`, { name }, bytes);
}

function cachedNames(level: CacheLevel<Named>, names: string): string {
  return Array.from(names)
    .filter((name) => level.get(`public ${name}`) !== undefined)
    .join('');
}

describe('MemoryBudget', () => {
  test('evicts from the first level until it is empty, and only then from the next', () => {
    const budget = new MemoryBudget(10);
    const [first, second] = [budget.addLevel<Named>(), budget.addLevel<Named>()];
    for (const name of ['a', 'b']) put(first, name, 2);
    for (const name of ['x', 'y']) put(second, name, 3);
    put(second, 'z', 4);
    expect([cachedNames(first, 'ab'), cachedNames(second, 'xyz')]).toEqual(['', 'xyz']);
    put(second, 'w', 1);
    expect(cachedNames(second, 'wxyz')).toBe('wyz');
  });

  test('rejects an entry that would evict from a later level, and changes nothing', () => {
    const budget = new MemoryBudget(10);
    const [first, second] = [budget.addLevel<Named>(), budget.addLevel<Named>()];
    put(second, 'x', 7);
    put(first, 'a', 2);
    expect(put(first, 'b', 4)).toBe(false);
    expect([cachedNames(first, 'ab'), cachedNames(second, 'x')]).toEqual(['a', 'x']);
  });

  test('reports a replaced value, of equal or other size, but not a value stored again', () => {
    const dropped: string[] = [];
    const level = new MemoryBudget(10).addLevel<Named>(({ name }) => dropped.push(name));
    const [first, second, third] = ['first', 'second', 'third'].map((name) => ({ name }));
    if (first === undefined || second === undefined || third === undefined) throw new Error('three are needed');
    level.put('public a', first, 4);
    level.put('public a', first, 4);
    expect(dropped).toEqual([]);
    level.put('public a', second, 4);
    expect([dropped, level.get('public a')?.name, level.bytes]).toEqual([['first'], 'second', 4]);
    level.put('public a', third, 5);
    expect([dropped, level.get('public a')?.name, level.bytes]).toEqual([['first', 'second'], 'third', 5]);
  });

  test('marks an entry replaced with equal size as most recently used', () => {
    const level = new MemoryBudget(10).addLevel<Named>();
    for (const name of ['a', 'b']) put(level, name, 4);
    put(level, 'a', 4);
    put(level, 'c', 4);
    expect(cachedNames(level, 'abc')).toBe('ac');
  });

  test('updates the size of a value stored again', () => {
    const budget = new MemoryBudget(10);
    const level = budget.addLevel<Named>();
    const value = { name: 'a' };
    for (const bytes of [2, 8, 3]) level.put('public a', value, bytes);
    expect(level.bytes).toBe(3);
  });

  test('reports every dropped value once, and not a value stored again', () => {
    const dropped: string[] = [];
    const budget = new MemoryBudget(10);
    const level = budget.addLevel<Named>(({ name }) => dropped.push(name));
    const value = { name: 'a' };
    level.put('public a', value, 2);
    level.put('public a', value, 4);
    expect(dropped).toEqual([]);
    level.put('public a', { name: 'other a' }, 4);
    expect(dropped).toEqual(['a']);
    put(level, 'b', 7);
    expect(dropped).toEqual(['a', 'other a']);
    level.removeWhere(({ name }) => name === 'b');
    expect(dropped).toEqual(['a', 'other a', 'b']);
    expect(level.bytes).toBe(0);
  });

  test('reports a value as dropped when it becomes larger than the budget', () => {
    const dropped: string[] = [];
    const level = new MemoryBudget(10).addLevel<Named>(({ name }) => dropped.push(name));
    const value = { name: 'a' };
    level.put('public a', value, 2);
    expect(level.put('public a', value, 11)).toBe(false);
    expect(dropped).toEqual(['a']);
  });

  test('never exceeds its bytes, and never evicts from a level for an earlier one', () => {
    const puts = fc.array(fc.record({ level: fc.nat(2), key: fc.nat(9), bytes: fc.integer({ min: 1, max: 40 }) }));
    fc.assert(
      fc.property(puts, (all) => {
        const budget = new MemoryBudget(100);
        const levels = [budget.addLevel<Named>(), budget.addLevel<Named>(), budget.addLevel<Named>()];
        for (const { level, key, bytes } of all) {
          const before = levels.map((one) => one.bytes);
          const replaced = levels[level]?.get(`public ${key}`) !== undefined;
          levels[level]?.put(`public ${key}`, { name: 'any' }, bytes);
          const after = levels.map((one) => one.bytes);
          expect(after.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(100);
          expect(after.slice(level + 1)).toEqual(before.slice(level + 1));
          if (!replaced && after[level] !== undefined && after[level] < (before[level] ?? 0)) {
            expect(after.slice(0, level)).toEqual(after.slice(0, level).map(() => 0));
          }
        }
      }),
    );
  });
});
