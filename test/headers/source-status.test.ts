import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSourceStates, serializeSourceStatus } from '../../src/headers/source-status.js';

/** Source-Status (RFC 9651; decisions 6.2). */
describe('serializeSourceStatus', () => {
  test('writes the structured list of the specification', () => {
    const field = serializeSourceStatus([
      { code: 'first', parameters: { state: 'fresh', records: 879, age: 12 } },
      { code: 'ti', parameters: { state: 'failed', reason: 'timeout' } },
    ]);
    expect(field).toBe('first;state=fresh;records=879;age=12, ti;state=failed;reason=timeout');
  });

  test('writes a shared member as *', () => {
    const field = serializeSourceStatus([{ code: '*', parameters: { state: 'fresh', sources: 87, records: 9120 } }]);
    expect(field).toBe('*;state=fresh;sources=87;records=9120');
  });

  test('writes every code that a source can have', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z][a-z0-9-]*$/), (code) => {
        expect(serializeSourceStatus([{ code, parameters: { state: 'fresh' } }])).toBe(`${code};state=fresh`);
      }),
    );
  });
});

describe('parseSourceStates', () => {
  test('restores the states that were written', () => {
    const states = ['fresh', 'stale', 'partial', 'failed', 'suspended', 'inconsistent', 'excluded'];
    const members = states.map((state) => ({
      code: `of-${state}`,
      parameters: { state, reason: 'status', status: 401, missing: 'short-team-name', records: 1 },
    }));
    expect(parseSourceStates(serializeSourceStatus(members))).toEqual(states);
  });

  test.each([
    ['first;state=fresh,ti;state=failed', ['fresh', 'failed']],
    ['"FIRST.Org";state="stale"', ['stale']],
    ['(a b);state=partial', ['partial']],
    ['first;records=1', ['']],
    ['first;state', ['true']],
    ['first;state=failed;state=fresh', ['fresh']],
    ['first;state=12', ['12']],
    ['', []],
  ])('reads %s', (field, states) => {
    expect(parseSourceStates(field)).toEqual(states);
  });

  test.each(['first;', 'first;state=', ',', 'first;state=fresh,', '(', '<html>', '\u0000', 'é', 'a=b=c', '"'])(
    'returns an unknown state for %j, which is not a valid list',
    (field) => {
      expect(parseSourceStates(field)).toEqual(['unreadable']);
    },
  );

  test('never fails', () => {
    const near = fc.stringMatching(/^[a-z*"();=,?:@%0-9. -]*$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (field) => {
        for (const state of parseSourceStates(field)) expect(state).toBeTypeOf('string');
      }),
      { numRuns: 1000 },
    );
  });
});
