import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVia, writeVia } from '../../src/wire/via.js';

describe('readVia', () => {
  test.each([
    ['1.1 rollcall-example', ['rollcall-example']],
    ['1.0 fred, 1.1 p.example.net', ['fred', 'p.example.net']],
    ['HTTP/1.1 proxy.example.org:8080', ['proxy.example.org:8080']],
    ['1.1 a (Apache/1.1), 1.1 b(squid)', ['a', 'b']],
    ['1.1 a (one, 1.1 two), 1.1 b', ['a', 'b']],
    [' 1.1\ta ,,  2   b  c ', ['a', 'b']],
    ['1.1', []],
    ['', []],
    [undefined, []],
  ])('reads the names of "%s"', (field, names) => {
    expect(readVia(field)).toEqual(names);
  });

  test('reads names behind any number of open brackets, which are no name', () => {
    expect(readVia(`1.1 ${'('.repeat(30_000)}, 1.1 b`)).toEqual(['b']);
  });

  test('reads no name that would be unsafe or too long to repeat, and no more than 32', () => {
    expect(readVia(`1.1 <script>, 1.1 a"b, 1.1 ${'a'.repeat(65)}, 1.1 ${'a'.repeat(64)}`)).toEqual(['a'.repeat(64)]);
    expect(readVia(Array.from({ length: 1000 }, (_, at) => `1.1 hop-${at}`).join(', '))).toHaveLength(32);
  });

  test('reads back what was written', () => {
    const names = fc.array(fc.stringMatching(/^[\w!#$%&'*+.^`|~-]+$/));
    fc.assert(
      fc.property(names, (written) => {
        expect(readVia(writeVia(written))).toEqual(written);
      }),
    );
  });
});

describe('writeVia', () => {
  test('writes the names in their order, as gateways of HTTP/1.1', () => {
    expect(writeVia(new Set(['below', 'rollcall-example']))).toBe('1.1 below, 1.1 rollcall-example');
  });
});
