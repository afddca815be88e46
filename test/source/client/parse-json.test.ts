import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/source/client/parse-json.js';

describe('parseJson', () => {
  it('returns the same value as JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, pretty) => {
        const text = JSON.stringify(value, null, pretty ? 1 : 0);
        expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['"A"', '"é"', '"Łódź 東京 🙂"'])('reads %s in UTF-8', (text) => {
    expect(parseJson(Buffer.from(text))).toBe(JSON.parse(text));
  });

  it('skips a byte order mark at the beginning', () => {
    expect(parseJson(Buffer.from('\uFEFF[1]'))).toEqual([1]);
  });

  it.each([
    ['an empty text', ''],
    ['a comma at the end', '[1,2,]'],
    ['an unfinished list', '[1,2'],
    ['text behind the list', '[1,2] [3]'],
    ['a byte order mark within it', '[\uFEFF1,2]'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xe9, 0x22])],
    ['a text cut within a character', Buffer.from('"é').subarray(0, 2)],
  ])('throws a failure with reason body for %s', (_what, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ reason: 'body' }));
  });
});
