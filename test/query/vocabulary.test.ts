import { describe, expect, test } from 'vitest';
import { listStoredProperties } from '../../src/model/resource.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import {
  isKnownProperty,
  isKnownSourceName,
  listProperties,
  isRegisteredProperty,
} from '../../src/query/vocabulary.js';
import type { Vocabulary } from '../../src/query/vocabulary.js';

const vocabulary: Vocabulary = {
  resource: directoryTeams,
  sourceNames: ['FIRST.Org', 'Åsgård Register'],
  codes: ['first', 'a', 'a-b'],
  properties: ['accreditation'],
  aggregate: false,
};

const withAggregate: Vocabulary = { ...vocabulary, aggregate: true };

describe('knowsProperty', () => {
  test.each([...listStoredProperties(directoryTeams).map(({ name }) => name)])('knows %s, of the table', (name) => {
    expect(isKnownProperty(vocabulary, name)).toBe(true);
  });

  test.each(['-first-member-type', '-first-x', '-a-b-c', '-a-x', '-a-b'])(
    'knows %s, which begins with a registered code',
    (name) => {
      expect(isKnownProperty(vocabulary, name)).toBe(true);
    },
  );

  test('knows what registrations name', () => {
    expect(isKnownProperty(vocabulary, 'accreditation')).toBe(true);
  });

  test.each([
    '',
    '-',
    '-first',
    '-first-',
    '-firstly-x',
    'first-member-type',
    '-second-member-type',
    '-FIRST-x',
    '--first-x',
  ])('does not know "%s"', (name) => {
    expect(isKnownProperty(vocabulary, name)).toBe(false);
  });

  test.each(['Short-Team-Name', 'ACCREDITATION', '__proto__', 'constructor', 'toString'])(
    'does not know %s, for names are exact',
    (name) => {
      expect(isKnownProperty(vocabulary, name)).toBe(false);
      expect(isKnownProperty(withAggregate, name)).toBe(false);
    },
  );

  test('knows a property of any code where an aggregate is registered, for any may be behind it', () => {
    expect(isKnownProperty(withAggregate, '-second-member-type')).toBe(true);
    expect(
      ['-', '-second', '-second-', '-2nd-x', 'second-x'].filter((name) => isKnownProperty(withAggregate, name)),
    ).toEqual([]);
  });
});

describe('namesProperty', () => {
  test('knows what the table and registrations name, and nothing that may only be behind an aggregate', () => {
    const names = ['email', '-first-x', 'accreditation', '-second-x'];
    expect(names.filter((name) => isRegisteredProperty(withAggregate, name))).toEqual([
      'email',
      '-first-x',
      'accreditation',
    ]);
  });
});

describe('knowsSourceName', () => {
  test.each(['FIRST.Org', 'first.org', 'asgard register', 'ÅSGÅRD REGISTER'])('knows %s', (name) => {
    expect(isKnownSourceName(vocabulary, name)).toBe(true);
  });

  test.each(['FIRST', 'first', 'FIRST.Org ', ''])('does not know "%s", which no registered source has', (name) => {
    expect(isKnownSourceName(vocabulary, name)).toBe(false);
  });

  test('knows any where an aggregate is registered', () => {
    expect(isKnownSourceName(withAggregate, 'somebody')).toBe(true);
  });
});

describe('listedProperties', () => {
  test('names each property once, also one of the table that a registration names for the other interface', () => {
    expect(listProperties({ ...vocabulary, properties: ['accreditation', 'email', 'accreditation'] })).toEqual(
      listProperties(vocabulary),
    );
  });

  test('lists the table and what registrations name', () => {
    expect(listProperties(vocabulary)).toEqual([
      ...listStoredProperties(directoryTeams).map(({ name }) => name),
      'accreditation',
    ]);
  });
});
