import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/model/record.js';
import { columnsOf, positionOf } from '../../src/model/resource.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { Scalar, Value } from '../../src/model/value.js';
import { Packer, withFurther } from '../../src/records/packed.js';
import { anyUtf16 } from '../support/any-text.js';
import { recordOf } from '../support/records.js';

const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  anyUtf16,
  fc.constantFrom('Łódź', 'é', '\0', '', 'a', 0, -1, 1.5, Number.MAX_SAFE_INTEGER, true, false),
);
const value: fc.Arbitrary<Value> = fc.oneof(scalar, fc.array(scalar, { minLength: 1, maxLength: 4 }));

const NAMES = ['note', '__proto__', '-one-x', ''];

const firstNamed = ({ further }: Row, name: string): Value | undefined => further.find(([one]) => one === name)?.[1];

/** What a record says, most of it nothing, as it is with real ones. */
function rows(resource: Resource): fc.Arbitrary<Row[]> {
  const { length } = columnsOf(resource);
  const values = fc.array(fc.option(value, { nil: undefined }), { minLength: length, maxLength: length });
  const further = fc.array(fc.tuple(fc.constantFrom(...NAMES), value), { maxLength: 4 });
  return fc.array(fc.record({ values, further }), { maxLength: 12 });
}

function packed(resource: Resource, all: readonly Row[], idOf: (at: number) => string = () => ''): Packer['records'] {
  const packer = new Packer(resource);
  all.forEach((row, at) => {
    packer.add(row, idOf(at));
  });
  return packer.records;
}

const rowOf = ({ values, further }: Row): Row => ({ values, further });

describe('packed records', () => {
  it('say what was packed, each in its place', () => {
    fc.assert(
      fc.property(rows(directoryTeams), (all) => {
        const records = packed(directoryTeams, all);
        expect(records.map(rowOf)).toEqual(all);
        expect(records.map(({ names }) => names)).toEqual(all.map(({ further }) => further.map(([name]) => name)));
        for (const name of NAMES)
          expect(records.map((record) => record.named(name))).toEqual(all.map((row) => firstNamed(row, name)));
        const one = columnsOf(directoryTeams).map((_, position) => records.map((record) => record.value(position)));
        expect(one).toEqual(columnsOf(directoryTeams).map((_, position) => all.map(({ values }) => values[position])));
      }),
    );
  });

  it('stand on sheets of few properties, which can be taken over from another thread one at a time', () => {
    const packer = new Packer(directoryTeams);
    const further = Array.from({ length: 1_000 }, (_, at) => [`k${at}`, 'v'] as const);
    for (let nth = 0; nth < 100; nth += 1) packer.add({ values: [], further });
    expect(Math.max(...packer.sheets.map(({ names }) => names.length))).toBeLessThan(20_000);
    expect(packer.records).toHaveLength(100);
  });

  it('do so however many there are', () => {
    const empty = columnsOf(directoryTeams).map(() => undefined);
    const all = Array.from({ length: 1_000 }, (_, at): Row => {
      const further = at % 3 === 0 ? [['nth', at] as const] : [];
      return { values: [`team ${at}`, ...empty.slice(1)], further };
    });
    expect(packed(directoryTeams, all).map(rowOf)).toEqual(all);
  });

  it('have nothing where a resource has no place for it', () => {
    const [one, other] = packed(
      directoryTeams,
      [
        { values: ['a'], further: [['x', 'y']] },
        { values: ['b'], further: [] },
      ],
      String,
    );
    expect([one?.value(-1), other?.value(-1)]).toEqual([undefined, undefined]);
  });

  it('show their id where the resource does, once they have one, and what came until then', () => {
    const shown = positionOf(dataTeams, 'id');
    const values = columnsOf(dataTeams).map((_, position) => (position === shown ? 'own' : undefined));
    const record = recordOf(dataTeams, { values });
    const seen = (): unknown => [record.value(shown), record.values[shown], record.id];
    expect(seen()).toEqual(['own', 'own', '']);
    record.id = 'one.own';
    expect(seen()).toEqual(['one.own', 'one.own', 'one.own']);
    const anew = record.anew();
    expect([anew.id, anew.value(shown), record.id]).toEqual(['', 'own', 'one.own']);
  });

  it('may be given further properties', () => {
    const record = recordOf(directoryTeams, { id: 'a.b', values: ['a'], further: [['x', 1]] });
    const more = withFurther(record, [['y', ['z']]]);
    expect(more.further).toEqual([
      ['x', 1],
      ['y', ['z']],
    ]);
    expect([more.names, more.named('y'), more.named('z')]).toEqual([['x', 'y'], ['z'], undefined]);
    expect([more.id, more.value(0), more.values, record.further]).toEqual(['a.b', 'a', record.values, [['x', 1]]]);
  });
});
