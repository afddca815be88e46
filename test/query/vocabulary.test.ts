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

describe('isKnownProperty', () => {
  test.each([...listStoredProperties(directoryTeams).map(({ name }) => name)])(
    'accepts %s, a property of the table',
    (name) => {
      expect(isKnownProperty(vocabulary, name)).toBe(true);
    },
  );

  test.each(['-first-member-type', '-first-x', '-a-b-c', '-a-x', '-a-b'])(
    'accepts %s, which begins with a registered code',
    (name) => {
      expect(isKnownProperty(vocabulary, name)).toBe(true);
    },
  );

  test('accepts a property that a registration names', () => {
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
  ])('rejects "%s"', (name) => {
    expect(isKnownProperty(vocabulary, name)).toBe(false);
  });

  test.each(['Short-Team-Name', 'ACCREDITATION', '__proto__', 'constructor', 'toString'])(
    'rejects %s, because names are case-sensitive',
    (name) => {
      expect(isKnownProperty(vocabulary, name)).toBe(false);
      expect(isKnownProperty(withAggregate, name)).toBe(false);
    },
  );

  test('accepts a property of any code where an aggregate is registered', () => {
    expect(isKnownProperty(withAggregate, '-second-member-type')).toBe(true);
    expect(
      ['-', '-second', '-second-', '-2nd-x', 'second-x'].filter((name) => isKnownProperty(withAggregate, name)),
    ).toEqual([]);
  });
});

describe('isRegisteredProperty', () => {
  test('accepts properties of the table and of registrations, but none that only an aggregate may have', () => {
    const names = ['email', '-first-x', 'accreditation', '-second-x'];
    expect(names.filter((name) => isRegisteredProperty(withAggregate, name))).toEqual([
      'email',
      '-first-x',
      'accreditation',
    ]);
  });
});

describe('isKnownSourceName', () => {
  test.each(['FIRST.Org', 'first.org', 'asgard register', 'ÅSGÅRD REGISTER'])('accepts %s', (name) => {
    expect(isKnownSourceName(vocabulary, name)).toBe(true);
  });

  test.each(['FIRST', 'first', 'FIRST.Org ', ''])('rejects "%s", which no registered source has', (name) => {
    expect(isKnownSourceName(vocabulary, name)).toBe(false);
  });

  test('accepts any name where an aggregate is registered', () => {
    expect(isKnownSourceName(withAggregate, 'somebody')).toBe(true);
  });
});

describe('listProperties', () => {
  test('lists each property once, also one of the table that a registration names for the other interface', () => {
    expect(listProperties({ ...vocabulary, properties: ['accreditation', 'email', 'accreditation'] })).toEqual(
      listProperties(vocabulary),
    );
  });

  test('lists the properties of the table and of registrations', () => {
    expect(listProperties(vocabulary)).toEqual([
      ...listStoredProperties(directoryTeams).map(({ name }) => name),
      'accreditation',
    ]);
  });
});
