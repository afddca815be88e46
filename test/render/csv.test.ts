import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { renderCsv } from '../../src/render/csv.js';
import { parseRollcallCsv } from '../../src/source/format/rollcall-csv.js';

function csv(columns: readonly string[], ...rows: (readonly [string, DocumentNode][])[]): string {
  return [...renderCsv({ name: 'teams', columns, rows: rows.map((row) => new Map(row)), metadata: new Map() })].join(
    '',
  );
}

/** The CSV text of a cell with this value. */
const cell = (value: DocumentNode): string => csv(['a', 'b'], [['a', value]]).slice('a,b\r\n'.length, -',\r\n'.length);

describe('CSV', () => {
  test('has a header line, CR LF, the columns in order, and empty cells for missing properties', () => {
    expect(csv(['b', 'a'], [['a', 1]], [['b', true], ['c', 'x']])).toBe('b,a\r\n,1\r\ntrue,\r\n'); // prettier-ignore
    expect(csv(['a', 'b'])).toBe('a,b\r\n');
  });

  test.each([
    [['a', 'b'], 'a|b'],
    [['a|b', 'c'], 'a\\|b|c'],
    [['a\\', 'b'], 'a\\\\|b'],
    [['a\\|b'], 'a\\\\\\|b'],
    [['C:\\x', 'b'], 'C:\\x|b'],
    ['a|b\\', 'a|b\\'],
  ])('writes %j as %s', (value: DocumentNode, text) => {
    expect(cell(value)).toBe(text);
  });

  test.each([
    ...['=1', '@a', '\t', '\r', '+a', '-a', '+', '-', '+1+1', '-1|-2', '+47 22 (fax)', "'=1", "''-1"],
    ...[
      '＝1',
      '＋1',
      '－1',
      '＠a',
      '﹦1',
      "'＝1",
      ' =1',
      '\n=1',
      '\u00a0+1',
      '\u200b=1',
      '\ufeff\u202e＝1',
      "'\u200b-1",
    ],
    ...['\u3164=1', '\ufe0f@a', '\u{e0020}=1'],
  ])('guards %j with an apostrophe, which the format rollcall-csv removes', (value) => {
    expect(cell(value).replaceAll('"', '')).toBe(`'${value}`);
    expect(parseRollcallCsv(Buffer.from(csv(['a', 'b'], [['a', value]])))).toEqual([{ a: value, b: '' }]);
  });

  test.each([
    '-1',
    '+1.5',
    '-1.5e-3',
    '+47 22 00 00 00',
    '+1 (234) 56.78/9-0',
    '-1-2',
    "'a",
    "'\u200ba",
    ' a=1',
    'a=1',
    'あ＝1',
    '1-1',
  ])('does not guard %j', (value) => {
    expect(cell(value)).toBe(value);
  });

  const ARMOR = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZcHkHhY=\n=njUN\n-----END PGP PUBLIC KEY BLOCK-----';

  test('does not guard a complete armored key in the column pgp-key', () => {
    expect(csv(['pgp-key'], [['pgp-key', ARMOR]])).toBe(`pgp-key\r\n"${ARMOR}"\r\n`);
  });

  test.each([
    ['pgp-key', "-----BEGIN PGP+cmd|' /C calc'!A0"],
    ['pgp-key', `${ARMOR}+1`],
    ['host', ARMOR],
  ])('guards an incomplete armored key, and armor in another column: %s %j', (column, value) => {
    expect(csv([column, 'z'], [[column, value]]).replaceAll('"', '')).toBe(`${column},z\r\n'${value},\r\n`);
  });

  test('guards column names, except a hyphen followed by letters and hyphens', () => {
    expect(csv(['-first-member-type', '=1', '-a+b', '@a', '+a'])).toBe("-first-member-type,'=1,'-a+b,'@a,'+a\r\n");
  });

  test.each(['a,b', 'a"b', 'a\nb', 'a\rb', 'a\r\nb'])('quotes %j', (value) => {
    expect(cell(value)).toBe(`"${value.replaceAll('"', '""')}"`);
  });

  test('writes U+FFFD for NUL and for lone surrogates', () => {
    expect(cell('\0\ud800\u{1f600}')).toBe('\ufffd\ufffd\u{1f600}');
  });

  test('quotes the empty cell of a row in a table of one column', () => {
    expect(csv(['a'], [['b', 'x']], [['a', 'y']])).toBe('a\r\n""\r\ny\r\n');
  });
});
