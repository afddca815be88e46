import { describe, expect, test } from 'vitest';
import type { ExtraProperty, StoredRecord } from '../../src/model/record.js';
import { listStoredProperties } from '../../src/model/resource.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { PropertyValue } from '../../src/model/property-value.js';
import { createProjector } from '../../src/projection/record-projector.js';
import { packRecord } from '../support/unit/pack-records.js';

function record(
  values: Readonly<Record<string, PropertyValue>>,
  extraProperties: readonly ExtraProperty[] = [],
): StoredRecord {
  const all = listStoredProperties(directoryTeams).map(({ name }) => values[name]);
  return packRecord(directoryTeams, { id: 'first.a', values: all, extraProperties: extraProperties });
}

const full = record(
  {
    'last-modified': '2015-06-03T14:05:27+00:00',
    'source-name': 'FIRST.Org',
    email: 'a@example.org',
    website: ['https://a.example.org/'],
    'short-team-name': 'A',
  },
  [
    ['zeta', 1],
    ['-first-member-type', 'Full Member'],
    ['7', true],
    ['alpha', ['x', 'y']],
  ],
);

function projected(from: StoredRecord, fields?: readonly string[]): unknown[] {
  return [...createProjector(directoryTeams, 'public', fields)(from)];
}

describe('createProjector', () => {
  test('returns the properties of the table, then extra properties as sent, then last-modified', () => {
    expect(projected(full)).toEqual([
      ['short-team-name', 'A'],
      ['website', ['https://a.example.org/']],
      ['email', 'a@example.org'],
      ['source-name', 'FIRST.Org'],
      ['zeta', 1],
      ['-first-member-type', 'Full Member'],
      ['7', true],
      ['alpha', ['x', 'y']],
      ['last-modified', '2015-06-03T14:05:27+00:00'],
    ]);
  });

  test('returns every property of the table in its order', () => {
    const names = listStoredProperties(directoryTeams).map(({ name }) => name);
    const everything = record(Object.fromEntries(names.map((name) => [name, `of ${name}`])));
    expect(projected(everything)).toEqual(names.map((name) => [name, `of ${name}`]));
  });

  test('returns the requested fields in the order of the record', () => {
    expect(projected(full, ['last-modified', 'alpha', 'email', '-first-member-type', 'short-team-name'])).toEqual([
      ['short-team-name', 'A'],
      ['email', 'a@example.org'],
      ['-first-member-type', 'Full Member'],
      ['alpha', ['x', 'y']],
      ['last-modified', '2015-06-03T14:05:27+00:00'],
    ]);
  });

  test('omits absent properties and fields that were not requested', () => {
    expect(projected(full, ['host', 'email'])).toEqual([['email', 'a@example.org']]);
    expect(projected(full, ['host'])).toEqual([]);
    expect(projected(full, [])).toEqual([]);
    expect(projected(record({}))).toEqual([]);
  });

  test('returns values that are false or zero', () => {
    const odd = record({}, [
      ['no', false],
      ['zero', 0],
    ]);
    expect(projected(odd)).toEqual([
      ['no', false],
      ['zero', 0],
    ]);
  });

  test('does not return the id', () => {
    expect(JSON.stringify(projected(full))).not.toContain('first.a');
  });
});
