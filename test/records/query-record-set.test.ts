import { describe, expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { Predicate } from '../../src/model/query.js';
import { findPropertyPosition } from '../../src/model/resource.js';
import type { PropertyValue } from '../../src/model/property-value.js';
import { RecordSet } from '../../src/records/record-set.js';
import { queryRecordSet } from '../../src/records/query-record-set.js';
import { hashText } from '../../src/text/fnv-hash.js';
import { firstSource } from '../support/gateway/first-source.js';
import { packRecords } from '../support/unit/pack-records.js';

/** Teams with the given values of one property. */
function teamsWith(property: string, values: readonly (PropertyValue | undefined)[]): RecordSet {
  const position = findPropertyPosition(directoryTeams, property);
  const records = values.map((value, nth) => ({
    id: String(nth),
    values: directoryTeams.properties.map((_, at) => (at === position ? value : undefined)),
  }));
  return new RecordSet(directoryTeams, firstSource, packRecords(directoryTeams, records));
}

async function found(set: RecordSet, where: readonly Predicate[]): Promise<readonly number[]> {
  const { total, positions: places } = await queryRecordSet(set, {
    predicates: where,
    order: [directoryTeams.defaultSort],
  });
  const positions = [...places].map(({ index: at }) => at).sort((a, b) => a - b);
  expect(positions).toHaveLength(total);
  return positions;
}

const wordsOf = (...words: string[]): Predicate => ({ kind: 'words', words });

const countries = (...codes: string[]): Predicate => ({
  kind: 'countries',
  properties: ['country-code', 'additional-country-code'],
  codes: new Set(codes),
});

const equals = (value: string): Predicate => ({ kind: 'equals', properties: ['host', 'other-communication'], value });

describe('queryRecordSet', () => {
  it('finds the same words in the first search and in later ones', async () => {
    const set = teamsWith('host', ['Harbour of Porto', 'Lighthouse', undefined, 'Old Harbour', '京 harbour, Porto']);
    for (let times = 0; times < 3; times += 1) {
      expect(await found(set, [wordsOf('harbour')])).toEqual([0, 3, 4]);
      expect(await found(set, [wordsOf('harbour', 'porto')])).toEqual([0, 4]);
      expect(await found(set, [wordsOf('京')])).toEqual([4]);
      expect(await found(set, [wordsOf('submarine')])).toEqual([]);
    }
  });

  it('finds a word in a list with an item too long to be folded, in one property and in all', async () => {
    const set = teamsWith('host', [['x'.repeat(300_000), 'Harbour'], 'x', ['Harbour', 'x'.repeat(300_000)]]);
    expect(await found(set, [wordsOf('harbour')])).toEqual([0, 2]);
    expect(await found(set, [{ kind: 'words', words: ['harbour'], properties: ['host'] }])).toEqual([0, 2]);
  });

  it('finds a record by each of its countries, once', async () => {
    const set = teamsWith('additional-country-code', [['PT', 'BR', 'PT'], 'BR', undefined, ['XYZ', 'DE'], 'PT']);
    expect(await found(set, [countries('PT')])).toEqual([0, 4]);
    expect(await found(set, [countries('PT', 'BR')])).toEqual([0, 1, 4]);
    expect(await found(set, [countries('FR')])).toEqual([]);
  });

  it('finds records with an item equal to the folded text, and no others with the same hash', async () => {
    expect(hashText('altarage')).toBe(hashText('zinke'));
    const set = teamsWith('host', ['Zinke', 'altarage', ['ALTARAGE', 'zinkė', 'zinke'], undefined, [], 'zinke 2', 5]);
    expect(await found(set, [equals('zinke')])).toEqual([0, 2]);
    expect(await found(set, [equals('altarage')])).toEqual([1, 2]);
    expect(await found(set, [equals('5')])).toEqual([6]);
    expect(await found(set, [equals('harbour')])).toEqual([]);
  });

  it('reads a record once, however many of its items are equal', async () => {
    const set = teamsWith('host', [Array.from({ length: 60_000 }, () => 'a'), 'zebra']);
    expect(await found(set, [equals('a'), wordsOf('zebra')])).toEqual([]);
  });

  it('compares the items of a record that have 65,536 characters together', async () => {
    const set = teamsWith('host', [
      ['x'.repeat(65_535), 'a', 'b'],
      ['x'.repeat(70_000), 'b'],
    ]);
    expect(await found(set, [equals('a')])).toEqual([0]);
    expect(await found(set, [equals('b')])).toEqual([]);
  });

  it('finds records that match all predicates, whichever is the most selective', async () => {
    const set = teamsWith('country-code', ['PT', 'BR', 'PT', 'PT']);
    await found(set, [wordsOf('pt')]);
    expect(await found(set, [wordsOf('pt'), countries('PT', 'BR')])).toEqual([0, 2, 3]);
    expect(await found(set, [countries('BR'), wordsOf('pt')])).toEqual([]);
    expect(await found(set, [countries('PT'), countries('BR', 'PT'), wordsOf('pt')])).toEqual([0, 2, 3]);
  });
});
