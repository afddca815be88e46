import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findNearestName } from '../../src/text/nearest-name.js';

const known = ['fields', 'limit', 'offset', 'sort', 'page-size', 'q'];

describe('findNearestName', () => {
  test.each([
    ['limt', 'limit'],
    ['srot', 'sort'],
    ['LIMIT', 'limit'],
    ['page_size', 'page-size'],
    ['pageSize', 'page-size'],
    ['ofset', 'offset'],
    ['qq', 'q'],
  ])('suggests for %s the name %s', (name, meant) => {
    expect(findNearestName(name, known)).toBe(meant);
  });

  test.each(['x', '', 'country', 'li', 'sizeable', '__proto__'])('suggests nothing for "%s"', (name) => {
    expect(findNearestName(name, known)).toBeUndefined();
  });

  test('prefers the fewest edits, and the first of equally near names', () => {
    expect(findNearestName('hosts', ['post', 'host', 'posts'])).toBe('host');
    expect(findNearestName('bost', ['cost', 'host'])).toBe('cost');
  });

  test('suggests nothing for a name much longer than all known ones', () => {
    expect(findNearestName('limit'.repeat(2000), known)).toBeUndefined();
  });

  test('suggests a known name for itself', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z-]{2,12}$/), { minLength: 1 }), (names) => {
        for (const name of names) expect(findNearestName(name, names)).toBe(name);
      }),
    );
  });
});
