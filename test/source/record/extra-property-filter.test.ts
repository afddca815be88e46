import { describe, expect, test } from 'vitest';
import type { DraftRecord, ExtraProperty } from '../../../src/model/record.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { ExtraPropertyFilter } from '../../../src/source/record/extra-property-filter.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { packRecords } from '../../support/unit/pack-records.js';

const names = new ExtraPropertyFilter(dataTeams, ['duty-officer']);

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);
const extraPropertiesOf = (count: number, from = 0): ExtraProperty[] => range(count).map((at) => [`k${from + at}`, at]);
const repositoryPropertiesOf = (count: number): ExtraProperty[] => range(count).map((at) => [`-one-p${at}`, at]);

function drained(all: readonly (readonly ExtraProperty[])[]): DrainResult<DraftRecord> {
  const records = packRecords(
    dataTeams,
    all.map((extraProperties) => ({ extraProperties })),
  );
  return { records, receivedCount: records.length, bytes: 0, findings: new Map() };
}

const namesOf = ({ records }: DrainResult<DraftRecord>): readonly (readonly string[])[] =>
  records.map((one) => one.extraNames);

describe('extra properties of one record', () => {
  test('are kept, in their order, up to 200', () => {
    expect(names.filterRecord(extraPropertiesOf(200))).toEqual(extraPropertiesOf(200));
    expect(names.filterRecord(extraPropertiesOf(18_000))).toEqual(extraPropertiesOf(200));
  });

  test('are kept behind any number of others where the registration, the table or a code prefix of the source names them', () => {
    const known: ExtraProperty[] = [
      ['duty-officer', 'x'],
      ['pgp-key', 'y'],
      ['-one-member-type', 'z'],
    ];
    expect(names.filterRecord([...extraPropertiesOf(18_000), ...known])).toEqual([...extraPropertiesOf(200), ...known]);
    expect(names.filterRecord([...repositoryPropertiesOf(300), ...extraPropertiesOf(300)])).toEqual([
      ...repositoryPropertiesOf(200),
      ...extraPropertiesOf(200),
    ]);
  });
});

describe('extra properties of all records of a source', () => {
  test('are limited to the first thousand names, and a finding counts the records that lost a property', async () => {
    const all = drained([
      extraPropertiesOf(600),
      extraPropertiesOf(600, 400),
      extraPropertiesOf(600, 600),
      [['duty-officer', 'x'], ...repositoryPropertiesOf(5)],
    ]);
    const filtered = await names.filterSource(all);
    expect(namesOf(filtered)).toEqual([
      extraPropertiesOf(600).map(([name]) => name),
      extraPropertiesOf(600, 400).map(([name]) => name),
      extraPropertiesOf(400, 600).map(([name]) => name),
      ['duty-officer', ...repositoryPropertiesOf(5).map(([name]) => name)],
    ]);
    expect([...filtered.findings]).toEqual([['too-many-properties (source)', 1]]);
    expect(filtered.records[2]?.extraValue('k999')).toBe(399);
    expect(filtered.records[2]?.extraValue('k1000')).toBeUndefined();
  });

  test('are unchanged, with the same result object, where there are no more names', async () => {
    const all = drained([extraPropertiesOf(200), extraPropertiesOf(200, 800)]);
    expect(await names.filterSource(all)).toBe(all);
  });

  test('stay the same for the first records when more records are read', async () => {
    const all = [
      extraPropertiesOf(700),
      repositoryPropertiesOf(700),
      extraPropertiesOf(700, 600),
      repositoryPropertiesOf(1_500),
      extraPropertiesOf(100, 5_000),
    ];
    const whole = namesOf(await names.filterSource(drained(all)));
    for (const first of range(all.length))
      expect(namesOf(await names.filterSource(drained(all.slice(0, first))))).toEqual(whole.slice(0, first));
  });
});
