import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RecordRow } from '../../../src/model/record.js';
import { listStoredProperties, findPropertyPosition } from '../../../src/model/resource.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { FindingCounter } from '../../../src/source/record/findings.js';
import { readingTime } from '../../../src/source/record/read-value.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import type { Provenance } from '../../../src/source/record/record-reader.js';

const first: Provenance = {
  sourceName: 'FIRST.Org',
  sourceNumber: 1,
  codes: ['first', 'old'],
  registeredCodes: ['harbour', 'first-aid', 'ti'],
  isAggregate: false,
  otherSourceNames: ['Harbour Register', 'TI'],
};
const meta: Provenance = { ...first, sourceName: 'Meta', isAggregate: true };

/** Time of reading in these tests. */
const NOW = readingTime(Date.UTC(2026, 5, 1, 12));

interface Read {
  readonly draft: RecordRow | undefined;
  readonly findings: Record<string, number>;
}

function read(raw: unknown, provenance: Provenance = first): Read {
  const counter = new FindingCounter();
  const reader = new RecordReader(directoryTeams, provenance);
  return { draft: reader.read(raw, counter, NOW), findings: Object.fromEntries(counter.findings) };
}

function value({ draft }: Read, property: string): unknown {
  return draft?.values[findPropertyPosition(directoryTeams, property)];
}

function extrasOf({ draft }: Read): Record<string, unknown> {
  return Object.fromEntries(draft?.extraProperties ?? []);
}

/** A record with a name and the given properties, as JSON text so that `__proto__` becomes an own property. */
function named(json: string): unknown {
  return JSON.parse(`{"short-team-name":"A",${json}}`);
}

describe('acceptance of records', () => {
  test.each([['text'], [7], [true], [null], [[]], [[{ 'short-team-name': 'A' }]]])(
    'drops and counts %j, which is not an object',
    (raw) => {
      expect(read(raw)).toEqual({ draft: undefined, findings: { 'not-a-record (record)': 1 } });
    },
  );

  test.each([{}, { email: 'a@example.org' }, { 'short-team-name': ' ', 'official-team-name': [] }, { team: 'A' }])(
    'drops and counts %j, which has no name',
    (raw) => {
      expect(read(raw).draft).toBeUndefined();
      expect(read(raw).findings).toMatchObject({ 'no-name (record)': 1 });
    },
  );

  test('accepts a record with either of its names', () => {
    expect(value(read({ 'official-team-name': 'A team' }), 'official-team-name')).toBe('A team');
    expect(value(read({ 'short-team-name': 'A' }), 'short-team-name')).toBe('A');
  });

  test('stores values in the order of the table, whatever order they were sent in', () => {
    const { draft } = read({ 'last-modified': '2015-06-03T14:05:27+00:00', website: ['a'], 'short-team-name': 'A' });
    const row = listStoredProperties(directoryTeams).map(({ name }) => name);
    expect(draft?.values).toHaveLength(row.length);
    expect(draft?.values[row.indexOf('short-team-name')]).toBe('A');
    expect(draft?.values[row.indexOf('website')]).toEqual(['a']);
    expect(draft?.values[row.indexOf('last-modified')]).toBe('2015-06-03T14:05:27+00:00');
  });

  test('counts findings by rule and field', () => {
    const { findings } = read({ 'short-team-name': ' A', website: 'a', 'country-code': 'uk', '-first-x': ' b' });
    expect(findings).toEqual({
      'white-space short-team-name': 1,
      'not-a-url website': 1,
      'country-form country-code': 1,
      'white-space -first-x': 1,
    });
  });
});

test('values that do not fit their property are kept unchanged, and counted', () => {
  const raw = {
    'short-team-name': 'x'.repeat(51),
    email: 'on request',
    enckeys: ['0xABCDEF01', 'none'],
    website: ['https://example.org/', 'www.example.org', 'javascript:alert(1)'],
    '-first-member-type': 'Gold',
    '-first-member-type-note': 'Silver',
    'last-modified': '2027-01-01T00:00:00+00:00',
  };
  const { draft, findings } = read(raw);
  const checked = ['short-team-name', 'email', 'enckeys', 'website', 'last-modified'] as const;
  for (const property of checked) expect(value({ draft, findings }, property)).toEqual(raw[property]);
  expect(extrasOf({ draft, findings })).toMatchObject({ '-first-member-type': 'Gold' });
  expect(findings).toEqual({
    'long-name short-team-name': 1,
    'not-an-email email': 1,
    'not-a-key enckeys': 1,
    'not-a-url website': 1,
    'unsafe-url website': 1,
    'unknown-member-type -first-member-type': 1,
    'future-date last-modified': 1,
  });
});

describe('source-name', () => {
  test('is set from the registration, whatever the source sends', () => {
    expect(value(read({ 'short-team-name': 'A' }), 'source-name')).toBe('FIRST.Org');
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Harbour Register' }), 'source-name')).toBe('FIRST.Org');
  });

  test('is kept from an aggregate, and set where it sends none', () => {
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Elsewhere' }, meta), 'source-name')).toBe('Elsewhere');
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Meta' }, meta), 'source-name')).toBe('Meta');
    expect(value(read({ 'short-team-name': 'A', 'source-name': '' }, meta), 'source-name')).toBe('Meta');
  });

  test.each(['Harbour Register', 'harbour REGISTER', 'ti', 'TI ', 'TI\u0000', '\u0007 T\u200bI'])(
    'drops and counts a record of an aggregate from %j, which is registered itself',
    (sourceName) => {
      const { draft, findings } = read({ 'short-team-name': 'A', 'source-name': sourceName }, meta);
      expect(draft).toBeUndefined();
      expect(findings).toMatchObject({ 'registered-source source-name': 1 });
    },
  );
});

describe('extra properties', () => {
  test('are kept in the order in which they were sent', () => {
    const { draft } = read(named('"zeta":1,"alpha":"b","-first-x":"c","mid":["d"]'));
    expect(draft?.extraProperties).toEqual([
      ['zeta', 1],
      ['alpha', 'b'],
      ['-first-x', 'c'],
      ['mid', ['d']],
    ]);
  });

  test('are dropped where they are empty', () => {
    const result = read(named('"a":null,"b":"","c":[],"d":{},"e":[""]'));
    expect(extrasOf(result)).toEqual({});
    expect(result.findings).toEqual({});
  });

  test.each(['-first-member-type', '-old-id', '-first-x-y', '-old-'])(
    'keep %s, whose prefix belongs to the source',
    (name) => {
      expect(extrasOf(read({ 'short-team-name': 'A', [name]: 'x' }))).toEqual({ [name]: 'x' });
    },
  );

  test.each(['-harbour-member-type', '-ti-level', '-nobody-x', '-firstly-x', '-fir-x'])(
    'drop and count %s, whose prefix does not belong to the source',
    (name) => {
      const result = read({ 'short-team-name': 'A', [name]: 'x' });
      expect(extrasOf(result)).toEqual({});
      expect(result.findings).toEqual({ [`foreign-property ${name}`]: 1 });
    },
  );

  test('belong to the longest registered code that their name begins with', () => {
    expect(extrasOf(read({ 'short-team-name': 'A', '-first-aid-kit': 'x', '-first-aid': 'y' }))).toEqual({
      '-first-aid': 'y',
    });
    const aid: Provenance = { ...first, codes: ['first-aid'], registeredCodes: ['first'] };
    expect(extrasOf(read({ 'short-team-name': 'A', '-first-aid-kit': 'x', '-first-x': 'y' }, aid))).toEqual({
      '-first-aid-kit': 'x',
    });
  });

  test('with a prefix that two sources share belong to both', () => {
    const sharing: Provenance = { ...first, registeredCodes: ['harbour', 'old'] };
    expect(extrasOf(read({ 'short-team-name': 'A', '-old-id': 'x' }, sharing))).toEqual({ '-old-id': 'x' });
  });

  test('of any code are kept from an aggregate', () => {
    const raw = { 'short-team-name': 'A', '-harbour-x': 'a', '-nobody-x': 'b' };
    expect(extrasOf(read(raw, meta))).toEqual({ '-harbour-x': 'a', '-nobody-x': 'b' });
  });
});

describe('hostile records', () => {
  test('lose names with a meaning in JavaScript, which are counted and change no prototype', () => {
    const raw = named(
      '"__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},"prototype":1,"":2',
    );
    for (const provenance of [first, meta]) {
      const result = read(raw, provenance);
      expect(result.draft?.extraProperties).toEqual([]);
      expect(result.findings).toEqual({ 'unsafe-name (unsafe)': 4 });
    }
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('have no name where it is inside __proto__', () => {
    const raw: unknown = JSON.parse('{"__proto__":{"short-team-name":"A"}}');
    expect(read(raw).draft).toBeUndefined();
  });

  test('leave none of their parsed objects and lists in the result', () => {
    const objects = new Set<unknown>();
    const collect = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      objects.add(node);
      Object.values(node).forEach(collect);
    };
    const raw = { 'short-team-name': ['A'], website: ['a', 'b'], '-first-list': ['c', 1], more: { d: ['e'] } };
    collect(raw);
    const { draft } = read(raw);
    const kept = [
      draft?.values,
      draft?.extraProperties,
      ...(draft?.values ?? []),
      ...(draft?.extraProperties.flat() ?? []),
    ];
    expect(kept.filter((node) => objects.has(node))).toEqual([]);
    raw.website.push('later');
    raw['-first-list'].push('later');
    expect(JSON.stringify(draft)).not.toContain('later');
  });

  test('with 200,000 names are read with a bounded number of findings', () => {
    const names = Array.from({ length: 200_000 }, (_, at) => `"-x${at}-y":1`);
    const { draft, findings } = read(named(names.join(',')));
    expect(draft?.extraProperties).toEqual([]);
    expect(Object.keys(findings)).toHaveLength(201);
    expect(Object.values(findings).reduce((sum, times) => sum + times, 0)).toBe(200_000);
  });

  test('with values nested 10,000 deep are read', () => {
    const lists = '['.repeat(10_000) + ']'.repeat(10_000);
    const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const result = read(
      named(`"host":${lists},"website":[${objects}],"country-code":${objects},"x":${lists},"email":"a"`),
    );
    expect(value(result, 'email')).toBe('a');
    expect(value(result, 'short-team-name')).toBe('A');
  });

  test('of any JSON are read or dropped without an exception', () => {
    const names = fc.constantFrom(
      ...listStoredProperties(directoryTeams).map(({ name }) => name),
      '__proto__',
      '-first-x',
      '-ti-x',
      'y',
    );
    const nearRecords = fc.dictionary(names, fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), nearRecords), fc.constantFrom(first, meta), (raw, provenance) => {
        const { draft } = read(raw, provenance);
        if (draft !== undefined) expect(draft.values).toHaveLength(listStoredProperties(directoryTeams).length);
      }),
      { numRuns: 300 },
    );
  });
});
