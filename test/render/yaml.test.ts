import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import type { Node } from '../../src/model/document.js';
import { yamlPieces } from '../../src/render/yaml.js';
import { yamlText } from '../../src/text/yaml.js';
import { anyRecord, nastyTexts } from '../support/nasty.js';

const yaml = (document: Node): string => [...yamlPieces(document)].join('');

describe('YAML', () => {
  test('indents by two, lists below their key too, and folds at 80 columns', () => {
    const record = new Map<string, Node>([
      ['short-team-name', 'NO'],
      ['website', ['https://example.org/', 'a: b']],
      ['constituency-description', 'word '.repeat(16).trim()],
      ['establishment', '1993'],
      ['country-code', 'NO'],
    ]);
    expect(
      yaml(
        new Map<string, Node>([
          ['total', 1],
          ['data', [record]],
        ]),
      ),
    ).toBe(
      [
        'total: 1',
        'data:',
        "  - short-team-name: 'NO'",
        '    website:',
        '      - https://example.org/',
        "      - 'a: b'",
        '    constituency-description: >-',
        '      word word word word word word word word word word word word word word word',
        '      word',
        "    establishment: '1993'",
        "    country-code: 'NO'",
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['nothing', [], '[]\n'],
    ['no properties', new Map(), '{}\n'],
    ['a list of lists', [[1, []], [[true]]], '- - 1\n  - []\n- - - true\n'],
    [
      'empty values',
      new Map<string, Node>([
        ['a', []],
        ['b', new Map()],
      ]),
      'a: []\nb: {}\n',
    ],
  ])('writes %s', (_, document: Node, text) => {
    expect(yaml(document)).toBe(text);
  });

  test('is no wider than 80 columns where a text has spaces, whatever stands before it', () => {
    const words = fc.array(
      fc.constantFrom('word', 'a', 'Überschrift', '(fax)', '2014-01-01', '#', 'key:', "it's", '-'),
      {
        minLength: 8,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(words, fc.constantFrom('a', 'constituency-description'), (parts, name) => {
        const text = yaml(
          new Map<string, Node>([
            [
              'data',
              [
                new Map<string, Node>([
                  [name, [parts.join(' ')]],
                  ['b', parts.join(' ')],
                ]),
              ],
            ],
          ]),
        );
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
      }),
    );
  });

  test('writes what is written without the library as the library would', () => {
    const texts = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ maxLength: 30 }));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!/[\ud800-\udfff]/u.test(text));
        expect(yaml(new Map([['key', text]]))).toBe(`key: ${yamlText(text, { indent: 0, column: 5 })}\n`);
      }),
      { numRuns: 2000 },
    );
  });

  test('is one piece for each record, and each record is the same by itself', () => {
    fc.assert(
      fc.property(fc.array(anyRecord, { minLength: 1, maxLength: 5 }), (records) => {
        expect([...yamlPieces(records)]).toEqual(records.map((record) => yaml([record])));
      }),
      { numRuns: 50 },
    );
  });

  test('has no key twice, even where what told them apart cannot be written', () => {
    const record = new Map([
      ['a\ud800', '1'],
      ['a\udfff', '2'],
      ['a\ufffd', '3'],
    ]);
    expect(Object.values(load(yaml(record), { schema: CORE_SCHEMA }) as object)).toEqual(['1', '2', '3']);
  });

  test('writes texts and names of any length', () => {
    const long = 'Ж "\u0085'.repeat(500_000);
    const text = yaml(new Map([[long, long]]));
    expect(load(text, { schema: CORE_SCHEMA })).toEqual({ [long]: long });
    expect(text).not.toContain('\u0085');
  });

  test('writes no anchor for a value that is there twice', () => {
    const list = ['a', 'b'];
    expect(yaml([list, list])).toBe('- - a\n  - b\n- - a\n  - b\n');
  });
});
