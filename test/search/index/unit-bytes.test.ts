import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  countUnitBytes,
  readUnit,
  sizeOfUnit,
  toUnitBytes,
  writeUnitBytes,
} from '../../../src/search/index/unit-bytes.js';

const text = fc.string({
  unit: fc.constantFrom('\u0001', 'a', '\u007f', '\u0080', '\u07ff', '\u0800', '\uffff', '\u{1f600}'),
});

function read(bytes: Uint8Array): string {
  const units: number[] = [];
  for (let at = 0; at < bytes.length; at += sizeOfUnit(bytes[at] ?? 0)) units.push(readUnit(bytes, at));
  return String.fromCharCode(...units);
}

it('are read as they were written', () => {
  const property = fc.property(text, (written) => {
    const bytes = toUnitBytes(written);
    expect(read(bytes)).toBe(written);
    expect([bytes.length, writeUnitBytes(written, new Uint8Array(99), 0)]).toEqual([
      countUnitBytes(written),
      bytes.length,
    ]);
  });
  fc.assert(property, { numRuns: 500 });
});

it('are in the order of the code units of their texts', () => {
  const property = fc.property(text, text, (one, other) => {
    const order = Buffer.compare(toUnitBytes(one), toUnitBytes(other));
    expect(order).toBe(one === other ? 0 : one < other ? -1 : 1);
  });
  fc.assert(property, { numRuns: 500 });
});

it('are those of UTF-8, except for characters of two code units', () => {
  expect(Buffer.from(toUnitBytes('a\u00fc\u65e5'))).toEqual(Buffer.from('a\u00fc\u65e5'));
  expect(countUnitBytes('\u{1f600}')).toBe(6);
});
