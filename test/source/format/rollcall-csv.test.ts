import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../../../src/model/document-node.js';
import { renderCsv } from '../../../src/render/csv.js';
import { splitListCell } from '../../../src/source/format/rollcall-csv.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { anyUtf16 } from '../../support/generators/any-text.js';
import { hostileNames, hostileTexts } from '../../support/generators/hostile-values.js';
import { readBody } from './read-body.js';

type Row = Readonly<Record<string, string>>;
const read = (text: string | Buffer): readonly Row[] =>
  readBody(text, { format: 'rollcall-csv' }).value as readonly Row[];

const ARMOR = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZcHkHhY=\n=njUN\n-----END PGP PUBLIC KEY BLOCK-----';

/** What CSV cannot carry is replaced (decisions 3.11). */
const carried = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd');

const text = fc.oneof(anyUtf16, fc.constantFrom(...hostileTexts, ARMOR)).map(carried);
const pair = fc.tuple(text, text).map((parts) => parts.join(''));
const name = fc.oneof(anyUtf16, fc.constantFrom(...hostileNames, 'pgp-key')).map(carried);
/** A list of one empty text is written like an empty list. */
const list = fc
  .array(fc.oneof(text, pair), { maxLength: 4 })
  .filter((items) => items.join('') !== '' || items.length !== 1);

const table = fc
  .uniqueArray(name, { minLength: 1, maxLength: 5 })
  // A mark at the beginning of the file is no text.
  .filter(([first = '']) => !first.startsWith('\ufeff'))
  .chain((columns) =>
    fc.record({
      columns: fc.constant(columns),
      rows: fc.array(fc.tuple(...columns.map(() => fc.oneof(text, pair, list))), { minLength: 1, maxLength: 4 }),
    }),
  );

function render(columns: readonly string[], rows: readonly (readonly DocumentNode[])[]): string {
  const maps = rows.map((row) => new Map(row.map((value, at) => [columns[at] ?? '', value])));
  return [...renderCsv({ name: 'teams', columns, rows: maps, metadata: new Map() })].join('');
}

describe('CSV that Rollcall wrote', () => {
  it('gives exactly the texts and lists that Rollcall had', () => {
    fc.assert(
      boundShrinking(
        fc.property(table, ({ columns, rows }) => {
          const found = read(render(columns, rows));
          expect(found).toHaveLength(rows.length);
          for (const [at, row] of rows.entries()) {
            const cells = columns.map((column) => found[at]?.[column] ?? 'no cell');
            expect(cells.map((cell, column) => (Array.isArray(row[column]) ? splitListCell(cell) : cell))).toEqual(row);
          }
        }),
      ),
      { numRuns: generatedRuns({ usual: 200, long: 20_000 }) },
    );
  });

  it.each([
    ['a row that is cut off', 'a,b\r\n1,2\r\n3'],
    ['a row that is too long', 'a,b\r\n1,2,3\r\n'],
    ['bytes that are not UTF-8', Buffer.from('a,b\r\n\xfc,2\r\n', 'latin1')],
    ['UTF-16', Buffer.from('\ufeffa\r\nb\r\n', 'utf16le')],
    ['the same name twice', 'a,a\r\n1,2\r\n'],
    ['an HTML page', '<html>\n<head><title>Log in, please</title></head>\n'],
  ])('does not have %s', (_, body) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ reason: 'body' }) as Error);
  });

  it('may have lost its CR and may have got a byte order mark', () => {
    expect(read("\ufeffa,b\n'=1, 2 \n")).toEqual([{ a: '=1', b: ' 2 ' }]);
  });
});

describe('a cell with a list', () => {
  it.each([
    ['', []],
    ['a', ['a']],
    ['a|b', ['a', 'b']],
    ['|', ['', '']],
    ['a\\|b|c', ['a|b', 'c']],
    ['a\\\\|b', ['a\\', 'b']],
    ['a\\\\\\|b', ['a\\|b']],
    ['C:\\x|b\\\\', ['C:\\x', 'b\\']],
    ['a\\\\b', ['a\\\\b']],
  ])('%j is split into %j', (cell, items) => {
    expect(splitListCell(cell)).toEqual(items);
  });

  it('of a megabyte is split in one pass', () => {
    expect(splitListCell('\\'.repeat(2 ** 20))).toEqual(['\\'.repeat(2 ** 19)]);
    expect(splitListCell('a|'.repeat(2 ** 19))).toHaveLength(2 ** 19 + 1);
    expect(splitListCell('\\a'.repeat(2 ** 19))).toEqual(['\\a'.repeat(2 ** 19)]);
  });
});
