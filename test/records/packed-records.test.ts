import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RecordRow } from '../../src/model/record.js';
import { listStoredProperties, findPropertyPosition } from '../../src/model/resource.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { Scalar, PropertyValue } from '../../src/model/property-value.js';
import { RecordPacker, withExtraProperties } from '../../src/records/packed-records.js';
import { anyUtf16 } from '../support/generators/any-text.js';
import { packRecord } from '../support/unit/pack-records.js';

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  anyUtf16,
  fc.constantFrom('Łódź', 'é', '\0', '', 'a', 0, -1, 1.5, Number.MAX_SAFE_INTEGER, true, false),
);
const value: fc.Arbitrary<PropertyValue> = fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 4 }));

const NAMES = ['note', '__proto__', '-one-x', ''];

const firstNamed = ({ extraProperties }: RecordRow, name: string): PropertyValue | undefined =>
  extraProperties.find(([one]) => one === name)?.[1];

/** Rows with many absent values, as in real records. */
function rows(resource: Resource): fc.Arbitrary<RecordRow[]> {
  const { length } = listStoredProperties(resource);
  const values = fc.array(fc.option(value, { nil: undefined }), { minLength: length, maxLength: length });
  const extraProperties = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 4 });
  return fc.array(fc.record({ values, extraProperties }), { maxLength: 12 });
}

function packed(
  resource: Resource,
  all: readonly RecordRow[],
  idOf: (at: number) => string = () => '',
): RecordPacker['records'] {
  const packer = new RecordPacker(resource);
  all.forEach((row, at) => {
    packer.add(row, idOf(at));
  });
  return packer.records;
}

const rowOf = ({ values, extraProperties }: RecordRow): RecordRow => ({
  values,
  extraProperties,
});

describe('packed records', () => {
  it('return the packed values by position and name', () => {
    fc.assert(
      fc.property(rows(directoryTeams), (all) => {
        const records = packed(directoryTeams, all);
        expect(records.map(rowOf)).toEqual(all);
        expect(records.map(({ extraNames: names }) => names)).toEqual(
          all.map(({ extraProperties }) => extraProperties.map(([name]) => name)),
        );
        for (const name of NAMES)
          expect(records.map((record) => record.extraValue(name))).toEqual(all.map((row) => firstNamed(row, name)));
        const one = listStoredProperties(directoryTeams).map((_, position) =>
          records.map((record) => record.valueAt(position)),
        );
        expect(one).toEqual(
          listStoredProperties(directoryTeams).map((_, position) => all.map(({ values }) => values[position])),
        );
      }),
    );
  });

  it('are split into sheets of fewer than 20,000 properties, which another thread can receive one at a time', () => {
    const packer = new RecordPacker(directoryTeams);
    const extraProperties = Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 'v'] as const);
    for (let nth = 0; nth < 100; nth += 1) packer.add({ values: [], extraProperties });
    expect(Math.max(...packer.sheets.map(({ extraNames: names }) => names.length))).toBeLessThan(20_000);
    expect(packer.records).toHaveLength(100);
  });

  it('return the packed values of 1,000 records', () => {
    const empty = listStoredProperties(directoryTeams).map(() => undefined);
    const all = Array.from({ length: 1_000 }, (_, at): RecordRow => {
      const extraProperties = at % 3 === 0 ? [['nth', at] as const] : [];
      return { values: [`team ${at}`, ...empty.slice(1)], extraProperties };
    });
    expect(packed(directoryTeams, all).map(rowOf)).toEqual(all);
  });

  it('return undefined for a position that the resource does not have', () => {
    const [one, other] = packed(
      directoryTeams,
      [
        { values: ['a'], extraProperties: [['x', 'y']] },
        { values: ['b'], extraProperties: [] },
      ],
      String,
    );
    expect([one?.valueAt(-1), other?.valueAt(-1)]).toEqual([undefined, undefined]);
  });

  it('return their assigned id in the id property of the resource, and the sent value before', () => {
    const shown = findPropertyPosition(dataTeams, 'id');
    const values = listStoredProperties(dataTeams).map((_, position) => (position === shown ? 'own' : undefined));
    const record = packRecord(dataTeams, { values });
    const readId = (): unknown => [record.valueAt(shown), record.values[shown], record.id];
    expect(readId()).toEqual(['own', 'own', '']);
    record.id = 'one.own';
    expect(readId()).toEqual(['one.own', 'one.own', 'one.own']);
    const anew = record.withoutId();
    expect([anew.id, anew.valueAt(shown), record.id]).toEqual(['', 'own', 'one.own']);
  });

  it('can be extended with extra properties', () => {
    const record = packRecord(directoryTeams, { id: 'a.b', values: ['a'], extraProperties: [['x', 1]] });
    const more = withExtraProperties(record, [['y', ['z']]]);
    expect(more.extraProperties).toEqual([
      ['x', 1],
      ['y', ['z']],
    ]);
    expect([more.extraNames, more.extraValue('y'), more.extraValue('z')]).toEqual([['x', 'y'], ['z'], undefined]);
    expect([more.id, more.valueAt(0), more.values, record.extraProperties]).toEqual([
      'a.b',
      'a',
      record.values,
      [['x', 1]],
    ]);
  });
});
