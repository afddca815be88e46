import { describe, expect, test } from 'vitest';
import type { DraftRecord, ExtraProperty } from '../../../src/model/record.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { ExtraPropertyFilter } from '../../../src/source/record/extra-property-filter.js';
import type { DrainResult } from '../../../src/source/record/drain-result.js';
import { packRecords } from '../../support/pack-records.js';

const names = new ExtraPropertyFilter(dataTeams, ['duty-officer']);

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);
const others = (count: number, from = 0): ExtraProperty[] => range(count).map((at) => [`k${from + at}`, at]);
const ofRepository = (count: number): ExtraProperty[] => range(count).map((at) => [`-one-p${at}`, at]);

function drained(all: readonly (readonly ExtraProperty[])[]): DrainResult<DraftRecord> {
  const records = packRecords(
    dataTeams,
    all.map((further) => ({ extraProperties: further })),
  );
  return { records, receivedCount: records.length, bytes: 0, findings: new Map() };
}

const namesOf = ({ records }: DrainResult<DraftRecord>): readonly (readonly string[])[] =>
  records.map((one) => one.extraNames);

describe('the further properties of one record', () => {
  test('are kept, in their order, up to 200', () => {
    expect(names.filterRecord(others(200))).toEqual(others(200));
    expect(names.filterRecord(others(18_000))).toEqual(others(200));
  });

  test('are kept behind any number of others where a registration, the table or a code of a source names them', () => {
    const known: ExtraProperty[] = [
      ['duty-officer', 'x'],
      ['pgp-key', 'y'],
      ['-one-member-type', 'z'],
    ];
    expect(names.filterRecord([...others(18_000), ...known])).toEqual([...others(200), ...known]);
    expect(names.filterRecord([...ofRepository(300), ...others(300)])).toEqual([...ofRepository(200), ...others(200)]);
  });
});

describe('the further properties of all records of a source', () => {
  test('have the first thousand names, and a finding counts the records that lost a property', async () => {
    const all = drained([others(600), others(600, 400), others(600, 600), [['duty-officer', 'x'], ...ofRepository(5)]]);
    const kept = await names.filterSource(all);
    expect(namesOf(kept)).toEqual([
      others(600).map(([name]) => name),
      others(600, 400).map(([name]) => name),
      others(400, 600).map(([name]) => name),
      ['duty-officer', ...ofRepository(5).map(([name]) => name)],
    ]);
    expect([...kept.findings]).toEqual([['too-many-properties (source)', 1]]);
    expect(kept.records[2]?.extraValue('k999')).toBe(399);
    expect(kept.records[2]?.extraValue('k1000')).toBeUndefined();
  });

  test('are the same records where there are no more', async () => {
    const all = drained([others(200), others(200, 800)]);
    expect(await names.filterSource(all)).toBe(all);
  });

  test('stay the same in a front that reaches further', async () => {
    const all = [others(700), ofRepository(700), others(700, 600), ofRepository(1_500), others(100, 5_000)];
    const whole = namesOf(await names.filterSource(drained(all)));
    for (const first of range(all.length))
      expect(namesOf(await names.filterSource(drained(all.slice(0, first))))).toEqual(whole.slice(0, first));
  });
});
