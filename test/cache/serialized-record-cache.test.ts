import { describe, expect, test } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import type { CacheLevel } from '../../src/cache/cache-level.js';
import { SerializedRecordCache, SerializedRecords } from '../../src/cache/serialized-record-cache.js';

interface Other {
  readonly name: string;
}

const MEMORY = 256 * 1024;

function levels(): {
  readonly texts: SerializedRecordCache;
  readonly level: CacheLevel<SerializedRecords>;
  readonly later: CacheLevel<Other>;
} {
  const budget = new MemoryBudget(MEMORY);
  const level = budget.addLevel<SerializedRecords>();
  return { texts: new SerializedRecordCache(level), level, later: budget.addLevel<Other>() };
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

/** Stores the given number of keys with a serialization of the given length each. */
function fill(texts: SerializedRecords, count: number, length: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const record = {};
    texts.store(record, bytes(String(at % 10).repeat(length)));
    return record;
  });
}

describe('SerializedRecords', () => {
  test('returns the bytes of each key, whatever was stored before and after', () => {
    const texts = new SerializedRecords('teams');
    const records = Array.from({ length: 2_000 }, (_, at) => ({ at, text: `${at} é `.repeat(at % 90) }));
    for (const record of records) {
      const text = bytes(record.text);
      const kept = texts.store(record, text);
      // The bytes are copied, because the caller may reuse its memory.
      text.fill(0);
      expect(Buffer.from(kept).toString()).toBe(record.text);
    }
    for (const record of records) expect(Buffer.from(texts.get(record) ?? []).toString()).toBe(record.text);
    expect(texts.get({})).toBeUndefined();
  });

  test('reports at least the stored bytes, and less than twice as many for short texts', () => {
    const texts = new SerializedRecords('teams');
    fill(texts, 1_000, 500);
    expect(texts.bytes).toBeGreaterThan(500_000);
    expect(texts.bytes).toBeLessThan(1_000_000);
    expect(new SerializedRecords('teams').bytes).toBeLessThan(8_192);
  });
});

describe('SerializedRecordCache', () => {
  test('separates the serializations of different keys, and shares those of one key', () => {
    const { texts } = levels();
    const record = {};
    texts.getOrCreate('public a', 'teams').store(record, bytes('as a'));
    expect(Buffer.from(texts.getOrCreate('public a', 'teams').get(record) ?? []).toString()).toBe('as a');
    expect(texts.getOrCreate('public b', 'teams').get(record)).toBeUndefined();
  });

  test('counts the bytes of growing serializations', () => {
    const { texts, level } = levels();
    fill(texts.getOrCreate('public a', 'teams'), 100, 500);
    expect(level.bytes).toBeGreaterThan(50_000);
    expect(texts.getOrCreate('public a', 'teams').bytes - level.bytes).toBeLessThan(64 * 1024);
  });

  test('is evicted for a later level, the least recently used key first', () => {
    const { texts, later } = levels();
    const [first] = fill(texts.getOrCreate('public a', 'teams'), 100, 500);
    const [second] = fill(texts.getOrCreate('public b', 'teams'), 100, 500);
    texts.getOrCreate('public a', 'teams');
    later.put('public x', { name: 'x' }, MEMORY - 100_000);
    expect(texts.getOrCreate('public a', 'teams').get(first ?? {})).toBeDefined();
    expect(texts.getOrCreate('public b', 'teams').get(second ?? {})).toBeUndefined();
  });

  test('keeps serializations that do not fit for the caller, but does not cache them', () => {
    const { texts, level, later } = levels();
    later.put('public x', { name: 'x' }, MEMORY - 20_000);
    const callerOwned = texts.getOrCreate('public a', 'teams');
    const [first] = fill(callerOwned, 100, 500);
    expect(callerOwned.get(first ?? {})).toBeDefined();
    expect(later.get('public x')).toBeDefined();
    expect(level.bytes).toBeLessThan(20_000);
    expect(texts.getOrCreate('public a', 'teams').get(first ?? {})).toBeUndefined();
    expect(fill(callerOwned, 100, 500)).toHaveLength(100);
    expect(texts.getOrCreate('public a', 'teams')).not.toBe(callerOwned);
  });

  test('drops the serializations of one group only', () => {
    const { texts } = levels();
    const record = {};
    for (const path of ['teams', 'news']) texts.getOrCreate(`public ${path}`, path).store(record, bytes(path));
    texts.dropGroup('teams');
    expect(texts.getOrCreate('public teams', 'teams').get(record)).toBeUndefined();
    expect(texts.getOrCreate('public news', 'news').get(record)).toBeDefined();
  });
});
