import { describe, expect, it } from 'vitest';
import { requireBoundedJson, requireBoundedRecords } from '../../../src/source/format/body-limits.js';

const tooLarge = expect.objectContaining({ reason: 'size' }) as Error;

/** Repeats a piece of text up to the given length. */
const repeated = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));

describe('limits on the JSON of a body', () => {
  const check = (text: string) => (): void => {
    requireBoundedJson(Buffer.from(text));
  };

  it('allow a million values', () => {
    expect(check(`[${'0,'.repeat(999_998)}0]`)).not.toThrow();
    expect(check(`[${'0,'.repeat(1_000_000)}0]`)).toThrow(tooLarge);
  });

  it('allow one value for every eight bytes where that is more', () => {
    const size = 16 * 2 ** 20;
    expect(check(`[${repeated('{"email":12345678},', size)}{}]`)).not.toThrow();
    expect(check(`[${repeated('{},', size)}{}]`)).toThrow(tooLarge);
    expect(check(`[${repeated('[],', size)}[]]`)).toThrow(tooLarge);
  });

  it.each(['"1"', '"\\u0031"', '"1" '])('allow 20,000 names that are numbers, such as %s', (name) => {
    const named = (count: number): string => `[{${Array.from({ length: count }, () => `${name}:0`).join()}}]`;
    expect(check(named(20_000))).not.toThrow();
    expect(check(named(20_001))).toThrow(tooLarge);
  });

  it.each(['{"24x7":0}', '{"a":"1"}', '"1"'])('do not count %s as a name that is a number', (value) => {
    expect(check(`[${`${value},`.repeat(30_000)}0]`)).not.toThrow();
  });

  it('ignore JSON syntax inside a string', () => {
    const text = JSON.stringify('[,{"\\'.repeat(300_000));
    expect(check(`[${text},${text}]`)).not.toThrow();
  });

  it.each(['[', '{"a":', '[{"a":'])('allow nesting up to a depth of 20,000: %s', (begin) => {
    expect(check(begin.repeat(10_000))).not.toThrow();
    expect(check(begin.repeat(20_001))).toThrow(tooLarge);
  });

  it('allow any number of nested lists side by side', () => {
    expect(check(`[${'[[]],'.repeat(100_000)}0]`)).not.toThrow();
  });
});

describe('limits on the records of a body', () => {
  const check = (records: readonly unknown[]) => (): void => {
    requireBoundedRecords(records);
  };

  it('allow a million records', () => {
    expect(check(Array.from({ length: 1_000_000 }, () => 0))).not.toThrow();
    expect(check(Array.from({ length: 1_000_001 }, () => 0))).toThrow(tooLarge);
  });

  it.each([
    ['a list', (count: number) => Array.from({ length: count }, () => 0)],
    ['properties', (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 0]))],
    ['lists', (count: number) => [Array.from({ length: Math.floor((count - 1) / 2) }, () => [])]],
  ])('allow 20,000 values for each record, in %s', (_what, values) => {
    expect(check([1, values(20_000), null, values(20_000)])).not.toThrow();
    expect(check([1, null, values(20_001)])).toThrow(tooLarge);
  });
});
