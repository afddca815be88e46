import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearestName } from '../../src/text/nearest-name.js';

const known = ['fields', 'limit', 'offset', 'sort', 'page-size', 'q'];

describe('nearest', () => {
  test.each([
    ['limt', 'limit'],
    ['srot', 'sort'],
    ['LIMIT', 'limit'],
    ['page_size', 'page-size'],
    ['pageSize', 'page-size'],
    ['ofset', 'offset'],
    ['qq', 'q'],
  ])('takes %s for %s', (name, meant) => {
    expect(findNearestName(name, known)).toBe(meant);
  });

  test.each(['x', '', 'country', 'li', 'sizeable', '__proto__'])('finds nothing near to "%s"', (name) => {
    expect(findNearestName(name, known)).toBeUndefined();
  });

  test('prefers the fewest edits, and of equally near names the first', () => {
    expect(findNearestName('hosts', ['post', 'host', 'posts'])).toBe('host');
    expect(findNearestName('bost', ['cost', 'host'])).toBe('cost');
  });

  test('finds nothing for a name much longer than every known one', () => {
    expect(findNearestName('limit'.repeat(2000), known)).toBeUndefined();
  });

  test('takes every known name for itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z-]{2,12}$/), { minLength: 1 }), (names) => {
        for (const name of names) expect(findNearestName(name, names)).toBe(name);
      }),
    );
  });
});
