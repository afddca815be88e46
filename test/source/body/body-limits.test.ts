import { describe, expect, it } from 'vitest';
import { requireBoundedJson, requireBoundedRecords } from '../../../src/source/body/body-limits.js';

const tooLarge = expect.objectContaining({ reason: 'size' }) as Error;

/** A text of some length that repeats something. */
const repeated = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

describe('the values of one body', () => {
  const check = (text: string) => (): void => {
    requireBoundedJson(Buffer.from(text));
  };

  it('are a million at most', () => {
    expect(check(`[${'0,'.repeat(999_998)}0]`)).not.toThrow();
    expect(check(`[${'0,'.repeat(1_000_000)}0]`)).toThrow(tooLarge);
  });

  it('are one for each eight bytes at most where that is more', () => {
    const size = 16 * 2 ** 20;
    expect(check(`[${repeated('{"email":12345678},', size)}{}]`)).not.toThrow();
    expect(check(`[${repeated('{},', size)}{}]`)).toThrow(tooLarge);
    expect(check(`[${repeated('[],', size)}[]]`)).toThrow(tooLarge);
  });

  it.each(['"1"', '"\\u0031"', '"1" '])('have 20,000 names at most that are numbers, as %s', (name) => {
    const named = (count: number): string => `[{${Array.from({ length: count }, () => `${name}:0`).join()}}]`;
    expect(check(named(20_000))).not.toThrow();
    expect(check(named(20_001))).toThrow(tooLarge);
  });

  it.each(['{"24x7":0}', '{"a":"1"}', '"1"'])(
    'may be as often as one likes %s, which is no name that is a number',
    (value) => {
      expect(check(`[${`${value},`.repeat(30_000)}0]`)).not.toThrow();
    },
  );

  it('do not include what stands in a text', () => {
    const text = JSON.stringify('[,{"\\'.repeat(300_000));
    expect(check(`[${text},${text}]`)).not.toThrow();
  });

  it.each(['[', '{"a":', '[{"a":'])('are nested 20,000 deep at most: %s', (begin) => {
    expect(check(begin.repeat(10_000))).not.toThrow();
    expect(check(begin.repeat(20_001))).toThrow(tooLarge);
  });

  it('may be nested as often as one likes side by side', () => {
    expect(check(`[${'[[]],'.repeat(100_000)}0]`)).not.toThrow();
  });
});

describe('the records of one body', () => {
  const check = (records: readonly unknown[]) => (): void => {
    requireBoundedRecords(records);
  };

  it('are a million at most', () => {
    expect(check(Array.from({ length: 1_000_000 }, () => 0))).not.toThrow();
    expect(check(Array.from({ length: 1_000_001 }, () => 0))).toThrow(tooLarge);
  });

  it.each([
    ['a list', (count: number) => Array.from({ length: count }, () => 0)],
    ['properties', (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))],
    ['lists', (count: number) => [Array.from({ length: Math.floor((count - 1) / 2) }, () => [])]],
  ])('have 20,000 values each at most, in %s', (_what, values) => {
    expect(check([1, values(20_000), null, values(20_000)])).not.toThrow();
    expect(check([1, null, values(20_001)])).toThrow(tooLarge);
  });
});
