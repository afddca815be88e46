import fc from 'fast-check';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { DocumentNode } from '../../src/model/document-node.js';
import { renderYaml } from '../../src/render/yaml.js';
import { anyHostileRecord } from '../support/generators/hostile-values.js';

const yaml = (document: DocumentNode): string => [...renderYaml(document)].join('');

describe('YAML', () => {
  test('indents by two spaces, also lists, and folds at 80 columns', () => {
    const record = new Map<string, DocumentNode>([
      ['short-team-name', 'NO'],
      ['website', ['https://example.org/', 'a: b']],
      ['constituency-description', 'word '.repeat(16).trim()],
      ['establishment', '1993'],
      ['country-code', 'NO'],
    ]);
    expect(
      yaml(
        new Map<string, DocumentNode>([
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
    ['an empty list', [], '[]\n'],
    ['a record without properties', new Map(), '{}\n'],
    ['a list of lists', [[1, []], [[true]]], '- - 1\n  - []\n- - - true\n'],
    [
      'empty values',
      new Map<string, DocumentNode>([
        ['a', []],
        ['b', new Map()],
      ]),
      'a: []\nb: {}\n',
    ],
  ])('writes %s', (_, document: DocumentNode, text) => {
    expect(yaml(document)).toBe(text);
  });

  test('is at most 80 columns wide where a text has single spaces, whatever the text and its key contain', () => {
    const plain = ['word', 'a', 'Überschrift', '(fax)', '2014-01-01', '#', 'key:', "it's", '-', "''"];
    const escaped = ['\r\n', 'a\r\nb', '\t', 'C:\\', '"', '\u00a0', 'x\ud800', '\u0007'];
    const indented = ['', '\n', 'line\n', '\n\n'];
    const anyWords = fc.constantFrom(plain, [...plain, ...escaped], [...plain, ...indented]).chain((words) => {
      return fc.array(fc.constantFrom(...words), { minLength: 8, maxLength: 60 }).map((parts) => parts.join(' '));
    });
    const anyName = fc.constantFrom(
      'a',
      'constituency-description',
      "it's: a",
      '\u00a0',
      'two\nlines',
      `'${'k'.repeat(1_030)}`,
    );
    fc.assert(
      fc.property(anyWords, anyName, (words, name) => {
        const record = new Map<string, DocumentNode>([
          [name, words],
          ['list', [words, [words]]],
        ]);
        const text = yaml(new Map<string, DocumentNode>([['data', [record, words]]]));
        const keys = /^ *(?:- )*(?:\? )?(?:[^ :"]+: |'(?:[^']|'')+'|"\S+")/;
        const wide = text.split('\n').filter((line) => line.length > 80 && /\S \S/.test(line.replace(keys, '')));
        expect(wide).toEqual([]);
        expect(load(text, { schema: CORE_SCHEMA })).toEqual({
          data: [
            { [name]: words.toWellFormed(), list: [words.toWellFormed(), [words.toWellFormed()]] },
            words.toWellFormed(),
          ],
        });
      }),
      { numRuns: 200 },
    );
  });

  test('writes a text that needs escapes in double quotes, folded at single spaces only', () => {
    const text = `14 Harbour Street, 3rd floor\r\nRiverside Business Park, "C:\\ " and two  spaces, at the end too  `;
    expect(yaml(new Map([['postal-address', text]]))).toBe(
      [
        'postal-address: "14 Harbour Street, 3rd floor\\r\\nRiverside Business Park, \\"C:\\\\',
        '  \\" and two  spaces, at the end too  "',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['an alias of the library', ['*\u0001', 'a *\u0001', '*\u0001\r\n', '*v', 'v']],
    ['a document end', ['...', 'a\n...\n', 'a\n\n', '...\n\n']],
  ])('preserves texts that look like %s', (_, texts) => {
    const document = new Map<string, DocumentNode>([['data', [new Map(texts.map((text) => [text, text])), ...texts]]]);
    const expected = { data: [Object.fromEntries(texts.map((text) => [text, text])), ...texts] };
    expect(load(yaml(document), { schema: CORE_SCHEMA })).toEqual(expected);
  });

  test.each(['1.1', '1.2'] as const)('is read by YAML %s as the original texts, also at the top level', (version) => {
    const texts = ['--- x', '... x', '---', '.', '-.', '+._', 'e5', 'E12', '.e3', ' a\n ', 'a\n  ', '_', '-', ''];
    const document = new Map(texts.map((text) => [text, text]));
    expect(parse(yaml(document), { version })).toEqual(Object.fromEntries(document));
  });

  test('writes a record in a list like a record alone', () => {
    fc.assert(
      fc.property(fc.array(anyHostileRecord, { minLength: 1, maxLength: 5 }), (records) => {
        expect(yaml(records)).toBe(records.map((record) => yaml([record])).join(''));
      }),
      { numRuns: 50 },
    );
  });

  test('distinguishes names that differ only in lone surrogates', () => {
    const record = new Map([
      ['a\ud800', '1'],
      ['a\udfff', '2'],
      ['a\ufffd', '3'],
    ]);
    expect(Object.values(load(yaml(record), { schema: CORE_SCHEMA }) as object)).toEqual(['1', '2', '3']);
  });

  test('writes texts and names of two million characters', () => {
    const long = 'Ж "\u0085'.repeat(500_000);
    const text = yaml([[new Map([[long, long]])], new Map([[long, 'word '.repeat(30)]]), new Map([[long, [1, true]]])]);
    expect(load(text, { schema: CORE_SCHEMA })).toEqual([
      [{ [long]: long }],
      { [long]: 'word '.repeat(30) },
      { [long]: [1, true] },
    ]);
    expect(text).not.toContain('\u0085');
  });

  test('writes no anchor for a value that occurs twice', () => {
    const list = ['a', 'b'];
    expect(yaml([list, list])).toBe('- - a\n  - b\n- - a\n  - b\n');
  });
});
