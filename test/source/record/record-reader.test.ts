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
  otherCodes: ['harbour', 'first-aid', 'ti'],
  isAggregate: false,
  otherSourceNames: ['Harbour Register', 'TI'],
};
const meta: Provenance = { ...first, sourceName: 'Meta', isAggregate: true };

/** When records are read here. */
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

function further({ draft }: Read): Record<string, unknown> {
  return Object.fromEntries(draft?.extraProperties ?? []);
}

/** A named record with these properties beside its name; JSON text, so that any name can be an own one. */
function named(json: string): unknown {
  return JSON.parse(`{"short-team-name":"A",${json}}`);
}

describe('what is a record', () => {
  test.each([['text'], [7], [true], [null], [[]], [[{ 'short-team-name': 'A' }]]])(
    '%j is none, and is counted',
    (raw) => {
      expect(read(raw)).toEqual({ draft: undefined, findings: { 'not-a-record (record)': 1 } });
    },
  );

  test.each([{}, { email: 'a@example.org' }, { 'short-team-name': ' ', 'official-team-name': [] }, { team: 'A' }])(
    '%j, without any name, is none, and is counted',
    (raw) => {
      expect(read(raw).draft).toBeUndefined();
      expect(read(raw).findings).toMatchObject({ 'no-name (record)': 1 });
    },
  );

  test('either name is enough', () => {
    expect(value(read({ 'official-team-name': 'A team' }), 'official-team-name')).toBe('A team');
    expect(value(read({ 'short-team-name': 'A' }), 'short-team-name')).toBe('A');
  });

  test('its values stand where the table has them, whatever the order in which they came', () => {
    const { draft } = read({ 'last-modified': '2015-06-03T14:05:27+00:00', website: ['a'], 'short-team-name': 'A' });
    const row = listStoredProperties(directoryTeams).map(({ name }) => name);
    expect(draft?.values).toHaveLength(row.length);
    expect(draft?.values[row.indexOf('short-team-name')]).toBe('A');
    expect(draft?.values[row.indexOf('website')]).toEqual(['a']);
    expect(draft?.values[row.indexOf('last-modified')]).toBe('2015-06-03T14:05:27+00:00');
  });

  test('its oddities are counted by rule and field', () => {
    const { findings } = read({ 'short-team-name': ' A', website: 'a', 'country-code': 'uk', '-first-x': ' b' });
    expect(findings).toEqual({
      'white-space short-team-name': 1,
      'scalar-for-list website': 1,
      'not-a-url website': 1,
      'country-form country-code': 1,
      'white-space -first-x': 1,
    });
  });
});

test('values that are not what their property says are kept as they are, and counted', () => {
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
  const shown = ['short-team-name', 'email', 'enckeys', 'website', 'last-modified'] as const;
  for (const property of shown) expect(value({ draft, findings }, property)).toEqual(raw[property]);
  expect(further({ draft, findings })).toMatchObject({ '-first-member-type': 'Gold' });
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
  test('is stamped from the registration, whatever the source says', () => {
    expect(value(read({ 'short-team-name': 'A' }), 'source-name')).toBe('FIRST.Org');
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Harbour Register' }), 'source-name')).toBe('FIRST.Org');
  });

  test('is kept of an aggregate, and stamped where it says none', () => {
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Elsewhere' }, meta), 'source-name')).toBe('Elsewhere');
    expect(value(read({ 'short-team-name': 'A', 'source-name': 'Meta' }, meta), 'source-name')).toBe('Meta');
    expect(value(read({ 'short-team-name': 'A', 'source-name': '' }, meta), 'source-name')).toBe('Meta');
  });

  test.each(['Harbour Register', 'harbour REGISTER', 'ti', 'TI ', 'TI\u0000', '\u0007 T\u200bI'])(
    'drops and counts an aggregate’s record of %j, a source that speaks for itself',
    (sourceName) => {
      const { draft, findings } = read({ 'short-team-name': 'A', 'source-name': sourceName }, meta);
      expect(draft).toBeUndefined();
      expect(findings).toMatchObject({ 'registered-source source-name': 1 });
    },
  );
});

describe('further properties', () => {
  test('are kept in the order in which they were sent', () => {
    const { draft } = read(named('"zeta":1,"alpha":"b","-first-x":"c","mid":["d"]'));
    expect(draft?.extraProperties).toEqual([
      ['zeta', 1],
      ['alpha', 'b'],
      ['-first-x', 'c'],
      ['mid', ['d']],
    ]);
  });

  test('are left out where they are empty', () => {
    const result = read(named('"a":null,"b":"","c":[],"d":{},"e":[""]'));
    expect(further(result)).toEqual({});
    expect(result.findings).toEqual({});
  });

  test.each(['-first-member-type', '-old-id', '-first-x-y', '-old-'])(
    '%s is kept: the code is its own, or none',
    (name) => {
      expect(further(read({ 'short-team-name': 'A', [name]: 'x' }))).toEqual({ [name]: 'x' });
    },
  );

  test.each(['-harbour-member-type', '-ti-level', '-nobody-x', '-firstly-x', '-fir-x'])(
    '%s is dropped and counted: the code is not its own',
    (name) => {
      const result = read({ 'short-team-name': 'A', [name]: 'x' });
      expect(further(result)).toEqual({});
      expect(result.findings).toEqual({ [`foreign-property ${name}`]: 1 });
    },
  );

  test('the longest registered code that a name begins with is the one that it means', () => {
    expect(further(read({ 'short-team-name': 'A', '-first-aid-kit': 'x', '-first-aid': 'y' }))).toEqual({
      '-first-aid': 'y',
    });
    const aid: Provenance = { ...first, codes: ['first-aid'], otherCodes: ['first'] };
    expect(further(read({ 'short-team-name': 'A', '-first-aid-kit': 'x', '-first-x': 'y' }, aid))).toEqual({
      '-first-aid-kit': 'x',
    });
  });

  test('a prefix that two sources share is of both', () => {
    const sharing: Provenance = { ...first, otherCodes: ['harbour', 'old'] };
    expect(further(read({ 'short-team-name': 'A', '-old-id': 'x' }, sharing))).toEqual({ '-old-id': 'x' });
  });

  test('those of every code are kept of an aggregate', () => {
    const raw = { 'short-team-name': 'A', '-harbour-x': 'a', '-nobody-x': 'b' };
    expect(further(read(raw, meta))).toEqual({ '-harbour-x': 'a', '-nobody-x': 'b' });
  });
});

describe('hostile records', () => {
  test('names that mean something to JavaScript are dropped and counted, and change nothing', () => {
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

  test('a name that is hidden behind __proto__ names nothing', () => {
    const raw: unknown = JSON.parse('{"__proto__":{"short-team-name":"A"}}');
    expect(read(raw).draft).toBeUndefined();
  });

  test('nothing of what was parsed is kept but its scalars', () => {
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

  test('a record with 200,000 names is read, and its findings stay few', () => {
    const names = Array.from({ length: 200_000 }, (_, at) => `"-x${at}-y":1`);
    const { draft, findings } = read(named(names.join(',')));
    expect(draft?.extraProperties).toEqual([]);
    expect(Object.keys(findings)).toHaveLength(201);
    expect(Object.values(findings).reduce((sum, times) => sum + times, 0)).toBe(200_000);
  });

  test('values nested 10,000 deep are no reason to fail', () => {
    const lists = '['.repeat(10_000) + ']'.repeat(10_000);
    const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const result = read(
      named(`"host":${lists},"website":[${objects}],"country-code":${objects},"x":${lists},"email":"a"`),
    );
    expect(value(result, 'email')).toBe('a');
    expect(value(result, 'short-team-name')).toBe('A');
  });

  test('anything that JSON can say is read or refused, and never throws', () => {
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
