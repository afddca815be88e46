import { describe, expect, test } from 'vitest';
import type { ExtraProperty, StoredRecord } from '../../src/model/record.js';
import { listStoredProperties } from '../../src/model/resource.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { PropertyValue } from '../../src/model/property-value.js';
import { createProjector } from '../../src/projection/record-projector.js';
import { packRecord } from '../support/pack-records.js';

function record(values: Readonly<Record<string, PropertyValue>>, further: readonly ExtraProperty[] = []): StoredRecord {
  const all = listStoredProperties(directoryTeams).map(({ name }) => values[name]);
  return packRecord(directoryTeams, { id: 'first.a', values: all, extraProperties: further });
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

function shown(from: StoredRecord, fields?: readonly string[]): unknown[] {
  return [...createProjector(directoryTeams, fields)(from)];
}

describe('projector', () => {
  test('shows the table, then further properties as they were sent, then last-modified', () => {
    expect(shown(full)).toEqual([
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

  test('shows every property of the table in its order', () => {
    const names = listStoredProperties(directoryTeams).map(({ name }) => name);
    const everything = record(Object.fromEntries(names.map((name) => [name, `of ${name}`])));
    expect(shown(everything)).toEqual(names.map((name) => [name, `of ${name}`]));
  });

  test('shows the fields asked for in the record’s own order, whatever the order in which they were asked for', () => {
    expect(shown(full, ['last-modified', 'alpha', 'email', '-first-member-type', 'short-team-name'])).toEqual([
      ['short-team-name', 'A'],
      ['email', 'a@example.org'],
      ['-first-member-type', 'Full Member'],
      ['alpha', ['x', 'y']],
      ['last-modified', '2015-06-03T14:05:27+00:00'],
    ]);
  });

  test('leaves out what the record does not have, and what was not asked for', () => {
    expect(shown(full, ['host', 'email'])).toEqual([['email', 'a@example.org']]);
    expect(shown(full, ['host'])).toEqual([]);
    expect(shown(full, [])).toEqual([]);
    expect(shown(record({}))).toEqual([]);
  });

  test('shows values that are false or zero', () => {
    const odd = record({}, [
      ['no', false],
      ['zero', 0],
    ]);
    expect(shown(odd)).toEqual([
      ['no', false],
      ['zero', 0],
    ]);
  });

  test('does not show the id', () => {
    expect(JSON.stringify(shown(full))).not.toContain('first.a');
  });
});
