import { describe, expect, test } from 'vitest';
import { Budget } from '../../src/hold/budget.js';
import type { Level } from '../../src/hold/budget.js';
import { HeldTexts, Texts } from '../../src/hold/texts.js';

interface Other {
  readonly name: string;
}

const MEMORY = 256 * 1024;

function levels(): { readonly texts: HeldTexts; readonly level: Level<Texts>; readonly later: Level<Other> } {
  const budget = new Budget(MEMORY);
  const level = budget.level<Texts>();
  return { texts: new HeldTexts(level), level, later: budget.level<Other>() };
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text);
}

/** Things with a text of so many bytes each, kept. */
function fill(texts: Texts, count: number, length: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const thing = {};
    texts.keep(thing, bytes(String(at % 10).repeat(length)));
    return thing;
  });
}

describe('Texts', () => {
  test('gives each thing its own text, whatever was kept before and after it', () => {
    const texts = new Texts('teams');
    const things = Array.from({ length: 2_000 }, (_, at) => ({ at, text: `${at} é `.repeat(at % 90) }));
    for (const thing of things) {
      const text = bytes(thing.text);
      const kept = texts.keep(thing, text);
      // What was handed in is copied: it may be memory that others write in.
      text.fill(0);
      expect(Buffer.from(kept).toString()).toBe(thing.text);
    }
    for (const thing of things) expect(Buffer.from(texts.get(thing) ?? []).toString()).toBe(thing.text);
    expect(texts.get({})).toBeUndefined();
  });

  test('takes at least the bytes of its texts, and not many times those of short ones', () => {
    const texts = new Texts('teams');
    fill(texts, 1_000, 500);
    expect(texts.bytes).toBeGreaterThan(500_000);
    expect(texts.bytes).toBeLessThan(1_000_000);
    expect(new Texts('teams').bytes).toBeLessThan(8_192);
  });
});

describe('HeldTexts', () => {
  test('holds the texts of each way apart, and those of one way together', () => {
    const { texts } = levels();
    const thing = {};
    texts.of('a', 'teams').keep(thing, bytes('as a'));
    expect(Buffer.from(texts.of('a', 'teams').get(thing) ?? []).toString()).toBe('as a');
    expect(texts.of('b', 'teams').get(thing)).toBeUndefined();
  });

  test('counts what they have grown to', () => {
    const { texts, level } = levels();
    fill(texts.of('a', 'teams'), 100, 500);
    expect(level.bytes).toBeGreaterThan(50_000);
    expect(texts.of('a', 'teams').bytes - level.bytes).toBeLessThan(64 * 1024);
  });

  test('gives way to what is held on a later level, and the way that was asked for longest ago first', () => {
    const { texts, later } = levels();
    const [first] = fill(texts.of('a', 'teams'), 100, 500);
    const [second] = fill(texts.of('b', 'teams'), 100, 500);
    texts.of('a', 'teams');
    later.put('x', { name: 'x' }, MEMORY - 100_000);
    expect(texts.of('a', 'teams').get(first ?? {})).toBeDefined();
    expect(texts.of('b', 'teams').get(second ?? {})).toBeUndefined();
  });

  test('keeps for who asked what there is no room for, and holds it for nobody else', () => {
    const { texts, level, later } = levels();
    later.put('x', { name: 'x' }, MEMORY - 20_000);
    const mine = texts.of('a', 'teams');
    const [first] = fill(mine, 100, 500);
    expect(mine.get(first ?? {})).toBeDefined();
    expect(later.get('x')).toBeDefined();
    expect(level.bytes).toBeLessThan(20_000);
    expect(texts.of('a', 'teams').get(first ?? {})).toBeUndefined();
    expect(fill(mine, 100, 500)).toHaveLength(100);
    expect(texts.of('a', 'teams')).not.toBe(mine);
  });

  test('lets go of what is part of one path, and of nothing else', () => {
    const { texts } = levels();
    const thing = {};
    for (const path of ['teams', 'news']) texts.of(path, path).keep(thing, bytes(path));
    texts.drop('teams');
    expect(texts.of('teams', 'teams').get(thing)).toBeUndefined();
    expect(texts.of('news', 'news').get(thing)).toBeDefined();
  });
});
