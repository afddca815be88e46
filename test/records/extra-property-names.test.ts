import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExtraProperty } from '../../src/model/record.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import { listExtraNamesOfMatches } from '../../src/records/query-record-set.js';
import { firstSource } from '../support/gateway/first-source.js';
import { packRecords } from '../support/unit/pack-records.js';

const NAME = directoryTeams.properties.findIndex(({ name }) => name === 'host');

/** A record set with the given hosts and extra properties. */
function recordSetOf(records: readonly { readonly host: string; readonly names: readonly string[] }[]): RecordSet {
  const rows = records.map(({ host, names }, at) => {
    const values = directoryTeams.properties.map((_, position) => (position === NAME ? host : undefined));
    return { id: `a.${at}`, values, extraProperties: names.map((name): ExtraProperty => [name, 'x']) };
  });
  return new RecordSet(directoryTeams, firstSource, packRecords(directoryTeams, rows));
}

const record = fc.record({
  host: fc.constantFrom('one', 'two'),
  names: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', '-x-y', '__proto__'), { maxLength: 3 }),
});

describe('listExtraNamesOfMatches', () => {
  it('returns the extra property names of the matching records only', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(record), async (records) => {
        const set = recordSetOf(records);
        for (const value of ['one', 'two', 'three']) {
          const where = [{ kind: 'equals', properties: ['host'], value } as const];
          const matches = records.filter(({ host }) => host === value);
          expect([...(await listExtraNamesOfMatches(set, where))].sort()).toEqual(
            [...new Set(matches.flatMap(({ names }) => names))].sort(),
          );
        }
        expect(new Set(await listExtraNamesOfMatches(set, []))).toEqual(new Set(records.flatMap(({ names }) => names)));
      }),
    );
  });

  it('computes the names of a complete record set once', async () => {
    const set = recordSetOf([{ host: 'one', names: ['a'] }]);
    const [one, two] = await Promise.all([1, 2].map(() => listExtraNamesOfMatches(set, [])));
    expect(one).toBe(two);
  });
});
