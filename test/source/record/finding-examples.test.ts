import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FindingExampleCollector, createFindingExample } from '../../../src/source/record/finding-examples.js';
import { FindingCounter } from '../../../src/source/record/findings.js';
import { anyUtf16 } from '../../support/generators/any-text.js';

const NAMES = ['team', 'team-full'];

describe('an example of a finding', () => {
  it.each([
    [{ team: 'Anchor', id: 'a' }, 'Anchor'],
    [{ team: '', 'team-full': 'Anchor CERT' }, 'Anchor CERT'],
    [{ id: 7 }, '7'],
    [{ team: ['x'] }, ''],
    ['no object', ''],
    [null, ''],
  ])('names the record by its name, or its id: %j', (raw, record) => {
    expect(createFindingExample(raw, 'email', NAMES).record).toBe(record);
  });

  it.each([
    [{ email: 'x' }, 'x'],
    [{ email: null }, 'null'],
    [{ email: ['a', 'b', 1, true, null, 'f'] }, '["a", "b", 1, true, null, …]'],
    [{ email: [] }, '[]'],
    [{}, ''],
  ])('has the value as received: %j', (raw, value) => {
    expect(createFindingExample(raw, 'email', NAMES).value).toBe(value);
  });

  it('reads no inherited property', () => {
    expect(createFindingExample({}, 'constructor', NAMES).value).toBe('');
  });

  it('is short for any value, and has no hidden character', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: false, key: anyUtf16, maxDepth: 4 }), (value) => {
        const example = createFindingExample({ team: value, email: value }, 'email', NAMES);
        for (const text of [example.record, example.value]) {
          // Each of 100 characters may become a name such as [U+202E].
          expect(text.length).toBeLessThanOrEqual(1_001);
          expect(text).not.toMatch(/[\u202a-\u202e]|(?![\t\n\r])\p{Cc}/u);
        }
      }),
    );
  });

  it('is as short for a value that is nested too deep for JSON.stringify', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(createFindingExample({ email: nested }, 'email', NAMES).value).toBe('[[[…]]]');
  });
});

describe('examples of findings', () => {
  const subject = { createExample: (field: string) => ({ record: 'a', value: field }) };

  it('are created for the first three findings of a kind only', () => {
    let created = 0;
    const counter = new FindingCounter();
    const counting = {
      createExample: () => {
        created += 1;
        return { record: '', value: '' };
      },
    };
    for (let at = 0; at < 1_000; at += 1) counter.add('email', 'not-an-email', counting);
    expect(created).toBe(3);
    expect(counter.findings.get('not-an-email email')).toBe(1_000);
  });

  it('of fields beyond the limit are those of the rule', () => {
    const counter = new FindingCounter();
    for (let at = 0; at < 1_000; at += 1) counter.add(`field-${at}`, 'unsafe-name', subject);
    expect(counter.findings.size).toBe(201);
    expect(counter.examples?.get('unsafe-name (other fields)')).toHaveLength(3);
    expect(counter.examples?.size).toBe(201);
  });

  it('of several pages are at most three of each kind, and at most 200 kinds', () => {
    const collector = new FindingExampleCollector();
    collector.addAll(undefined);
    for (let at = 0; at < 1_000; at += 1) {
      const example = { record: `team-${at}`, value: '' };
      collector.addAll(
        new Map([
          ['not-an-email email', [example]],
          [`bare-fax field-${at}`, [example]],
        ]),
      );
    }
    expect(collector.examples.get('not-an-email email')?.map(({ record }) => record)).toEqual([
      'team-0',
      'team-1',
      'team-2',
    ]);
    expect(collector.examples.size).toBe(200);
  });
});
