import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePrefer } from '../../src/headers/prefer.js';

/** Prefer (RFC 7240; decisions 6.5). */
describe('parsePrefer', () => {
  test.each<[string, Record<string, string>]>([
    ['', {}],
    [' , ,', {}],
    ['private', { private: '' }],
    ['PRIVATE', { private: '' }],
    ['private=""', { private: '' }],
    ['private = yes', { private: 'yes' }],
    ['handling=strict, private', { handling: 'strict', private: '' }],
    ['handling="Strict";private', { handling: 'Strict' }],
    ['respond-async; wait=1 , wait=20', { 'respond-async': '', wait: '20' }],
    ['handling=lenient, handling=strict', { handling: 'lenient' }],
    ['note="a, private; b", strict', { note: 'a, private; b', strict: '' }],
    ['note=a;why="x, private", b', { note: 'a', b: '' }],
    ['note="quoted \\", private"', { note: 'quoted \\' }],
    ['note="open, private', { note: '' }],
    ['=private', {}],
  ])('reads %j', (field, preferences) => {
    expect(Object.fromEntries(parsePrefer(field))).toEqual(preferences);
  });

  test('reads any text without an empty name', () => {
    const field = fc.string({ unit: fc.constantFrom('"', ',', '\\', ';', '=', ' ', 'a'), maxLength: 2_000 });
    fc.assert(fc.property(field, (text) => [...parsePrefer(text).keys()].every((name) => name !== '')));
  });

  test('finds a preference among any others', () => {
    const token = fc.stringMatching(/^[a-z]{1,8}$/).filter((name) => name !== 'private');
    const other = fc.tuple(token, fc.string()).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    fc.assert(
      fc.property(fc.array(other), fc.array(other), (before, behind) => {
        expect(parsePrefer([...before, 'private', ...behind].join(', ')).has('private')).toBe(true);
      }),
    );
  });
});
