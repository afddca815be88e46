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

/** Things with a text of so many bytes each, kept. */
function fill(texts: SerializedRecords, count: number, length: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const thing = {};
    texts.store(thing, bytes(String(at % 10).repeat(length)));
    return thing;
  });
}

describe('Texts', () => {
  test('gives each thing its own text, whatever was kept before and after it', () => {
    const texts = new SerializedRecords('teams');
    const things = Array.from({ length: 2_000 }, (_, at) => ({ at, text: `${at} é `.repeat(at % 90) }));
    for (const thing of things) {
      const text = bytes(thing.text);
      const kept = texts.store(thing, text);
      // What was handed in is copied: it may be memory that others write in.
      text.fill(0);
      expect(Buffer.from(kept).toString()).toBe(thing.text);
    }
    for (const thing of things) expect(Buffer.from(texts.get(thing) ?? []).toString()).toBe(thing.text);
    expect(texts.get({})).toBeUndefined();
  });

  test('takes at least the bytes of its texts, and not many times those of short ones', () => {
    const texts = new SerializedRecords('teams');
    fill(texts, 1_000, 500);
    expect(texts.bytes).toBeGreaterThan(500_000);
    expect(texts.bytes).toBeLessThan(1_000_000);
    expect(new SerializedRecords('teams').bytes).toBeLessThan(8_192);
  });
});

describe('HeldTexts', () => {
  test('holds the texts of each way apart, and those of one way together', () => {
    const { texts } = levels();
    const thing = {};
    texts.getOrCreate('a', 'teams').store(thing, bytes('as a'));
    expect(Buffer.from(texts.getOrCreate('a', 'teams').get(thing) ?? []).toString()).toBe('as a');
    expect(texts.getOrCreate('b', 'teams').get(thing)).toBeUndefined();
  });

  test('counts what they have grown to', () => {
    const { texts, level } = levels();
    fill(texts.getOrCreate('a', 'teams'), 100, 500);
    expect(level.bytes).toBeGreaterThan(50_000);
    expect(texts.getOrCreate('a', 'teams').bytes - level.bytes).toBeLessThan(64 * 1024);
  });

  test('gives way to what is held on a later level, and the way that was asked for longest ago first', () => {
    const { texts, later } = levels();
    const [first] = fill(texts.getOrCreate('a', 'teams'), 100, 500);
    const [second] = fill(texts.getOrCreate('b', 'teams'), 100, 500);
    texts.getOrCreate('a', 'teams');
    later.put('x', { name: 'x' }, MEMORY - 100_000);
    expect(texts.getOrCreate('a', 'teams').get(first ?? {})).toBeDefined();
    expect(texts.getOrCreate('b', 'teams').get(second ?? {})).toBeUndefined();
  });

  test('keeps for who asked what there is no room for, and holds it for nobody else', () => {
    const { texts, level, later } = levels();
    later.put('x', { name: 'x' }, MEMORY - 20_000);
    const mine = texts.getOrCreate('a', 'teams');
    const [first] = fill(mine, 100, 500);
    expect(mine.get(first ?? {})).toBeDefined();
    expect(later.get('x')).toBeDefined();
    expect(level.bytes).toBeLessThan(20_000);
    expect(texts.getOrCreate('a', 'teams').get(first ?? {})).toBeUndefined();
    expect(fill(mine, 100, 500)).toHaveLength(100);
    expect(texts.getOrCreate('a', 'teams')).not.toBe(mine);
  });

  test('lets go of what is part of one path, and of nothing else', () => {
    const { texts } = levels();
    const thing = {};
    for (const path of ['teams', 'news']) texts.getOrCreate(path, path).store(thing, bytes(path));
    texts.dropGroup('teams');
    expect(texts.getOrCreate('teams', 'teams').get(thing)).toBeUndefined();
    expect(texts.getOrCreate('news', 'news').get(thing)).toBeDefined();
  });
});
