import { describe, expect, it } from 'vitest';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { listStoredProperties } from '../../../src/model/resource.js';
import type { PropertyValue } from '../../../src/model/property-value.js';
import type { Resource } from '../../../src/model/resource.js';
import { RecordSet } from '../../../src/records/record-set.js';
import { collectTexts, createPropertyLister } from '../../../src/search/index/field-texts.js';
import type { SearchedProperty } from '../../../src/search/index/field-texts.js';
import { SEARCH_FIELDS } from '../../../src/search/index/terms.js';
import { packRecords } from '../../support/unit/pack-records.js';

function listOf(
  resource: Resource,
  known: Readonly<Record<string, PropertyValue>>,
  further: Readonly<Record<string, PropertyValue>> = {},
): readonly SearchedProperty[] {
  const values = listStoredProperties(resource).map(({ name }) => known[name]);
  const packed = packRecords(resource, [{ id: 'a', values, extraProperties: Object.entries(further) }]);
  const [record] = new RecordSet(resource, { sourceNumber: 1 }, packed).records;
  if (record === undefined) throw new Error('no record');
  return createPropertyLister(resource)(record);
}

describe('searched properties', () => {
  it('have the names of countries that people type', () => {
    const [country] = listOf(directoryTeams, { 'country-code': 'GB' });
    expect(country?.items).toEqual(['GB', 'United Kingdom', 'UK', 'Great Britain']);
    const [other] = listOf(directoryTeams, { 'country-code': 'CH' });
    expect(other?.items).toEqual(['CH', 'Switzerland', 'Schweiz', 'Suisse', 'Schwiiz', 'Svizzera']);
  });

  it('are those of the table and all further ones, in the order of the record', () => {
    const known = {
      'short-team-name': 'Acorn',
      'country-code': 'NO',
      establishment: '1999',
      'last-modified': '2026-01-01',
    };
    expect(listOf(directoryTeams, known, { '-one-note': ['a', 'b'] })).toEqual([
      { name: 'short-team-name', field: 'short-name', items: ['Acorn'] },
      { name: 'country-code', field: 'place', items: ['NO', 'Norway', 'Norge', 'Noreg'] },
      { name: '-one-note', field: 'other', items: ['a', 'b'] },
    ]);
  });

  it('have numbers of autonomous systems with AS', () => {
    const items = listOf(directoryTeams, {}, { '-one-asn': ['64500', 'AS1'], 'as-numbers': '7', basn: '64500' });
    expect(items.map((one) => one.items)).toEqual([['AS64500', 'AS1'], ['AS7'], ['64500']]);
  });

  it('have keys only as keys, whatever a source calls them, and never the armor', () => {
    const further = { 'pgp-id': '0x1', '-one-PGP-note': 'secret', 'pgp-key': '-----BEGIN', '(pgp-fingerprint)': 'AA' };
    expect(listOf(dataTeams, { team: 'A' }, further).map(({ name, field }) => [name, field])).toEqual([
      ['id', 'other'],
      ['team', 'short-name'],
      ['pgp-id', 'key'],
      ['-one-PGP-note', 'key'],
      ['pgp-key', 'key'],
    ]);
  });

  it('have at most 131,072 characters of each field, and say where there are more', () => {
    const long = 'x'.repeat(16_000);
    const found = listOf(
      directoryTeams,
      {},
      { one: Array.from({ length: 8 }, () => long), two: [long, long], three: 'y' },
    );
    expect(found.map(({ items }) => items.reduce((sum, { length }) => sum + length, 0))).toEqual([128_000, 3_064, 0]);
    expect(collectTexts(found).map(({ length }) => length)).toContain(131_072);
    expect(found.map(({ isCut }) => isCut)).toEqual([undefined, true, true]);
    const many = listOf(directoryTeams, {}, { one: Array.from({ length: 200_000 }, () => 'x') });
    expect([many[0]?.isCut, many[0]?.items.length]).toEqual([true, 65_536]);
  });

  it('are divided where a text is long, between words if it has any', () => {
    const words = Array.from({ length: 4_000 }, (_, at) => `word${at}`).join(' ');
    const [divided] = listOf(directoryTeams, {}, { one: words });
    expect(divided?.items.map(({ length }) => length).every((length) => length <= 16_384)).toBe(true);
    expect(divided?.items.flatMap((item) => item.trim().split(' '))).toEqual(words.split(' '));
    expect(divided).not.toHaveProperty('isCut');
    expect(listOf(directoryTeams, {}, { one: 'x'.repeat(20_000) })[0]?.items).toEqual([
      'x'.repeat(16_384),
      'x'.repeat(3_616),
    ]);
    // Of a text beyond ASCII, each character may be folded to many.
    const folded = listOf(directoryTeams, {}, { one: '\ufdfa'.repeat(9_000) })[0]?.items.map((one) =>
      one.normalize('NFKD'),
    );
    expect(Math.max(...(folded ?? []).map(({ length }) => length))).toBe(18 * 4_096);
  });
});

it('collects the texts of a record by field, an item a line', () => {
  const texts = collectTexts([
    { name: 'a', field: 'other', items: ['1', '2'] },
    { name: 'b', field: 'short-name', items: ['Acorn'] },
    { name: 'c', field: 'other', items: ['3'] },
  ]);
  expect(texts).toHaveLength(SEARCH_FIELDS.length);
  expect([texts[SEARCH_FIELDS.indexOf('short-name')], texts[SEARCH_FIELDS.indexOf('other')]]).toEqual([
    'Acorn',
    '1\n2\n3',
  ]);
});

it('collects a name with a line break as one name, and addresses with line breaks as several', () => {
  const texts = collectTexts([
    { name: 'a', field: 'official-name', items: ['Foo\nBar', 'Baz'] },
    { name: 'b', field: 'phone', items: ['+47 1\n+47 2'] },
  ]);
  expect([texts[SEARCH_FIELDS.indexOf('official-name')], texts[SEARCH_FIELDS.indexOf('phone')]]).toEqual([
    'Foo Bar\nBaz',
    '+47 1\n+47 2',
  ]);
});
