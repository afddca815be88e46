import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { formats } from '../../src/render/formats.js';
import { createRenderInput } from '../../src/render/render-input.js';
import type { RenderInput } from '../../src/render/render-input.js';
import { splitLongText } from '../../src/render/chunked-text-output.js';
import { readByNode } from '../support/formats/format-readers.js';
import { readWorkbook } from '../support/formats/workbook-reader.js';

/** Maximum characters of one piece: a slice of a long text with every character escaped, and the pending text before it. */
const MAX_PIECE_LENGTH = 64 * 1024;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** A long text whose slices end at every position of the repeated part. */
const TEXT = 'say "no", \u{1f600}|\r\n<&>\t\u00e9'.repeat(5_000);

const record: ReadonlyMap<string, DocumentNode> = new Map<string, DocumentNode>([
  ['short-team-name', 'Wide'],
  ['host', range(5_000).map((at) => `yes: ${at}, "|`)],
  ['constituency-description', TEXT],
  ...range(500).map((at): [string, DocumentNode] => [`k${at}`, `=v${at}`]),
]);

const columns = [...record.keys(), ...range(5_000).map((at) => `absent${at}`)];

/** A lazy input, as for a response: it can be read only once. */
const rendering = (): RenderInput =>
  createRenderInput({
    document: new Map<string, DocumentNode>([['data', [record, record].values()]]),
    table: { name: 'teams', columns, rows: [record, record].values(), metadata: new Map() },
  });

async function piecesOf(name: string): Promise<readonly string[]> {
  const output = await formats.find((format) => format.name === name)?.render(rendering(), { pretty: true });
  if (output === undefined || output instanceof Uint8Array) throw new Error(`${name} is no text`);
  return [...output].map(String);
}

const items = [...(record.get('host') as readonly string[])];

describe('a wide record', () => {
  test.each(['json', 'yaml', 'xml', 'csv'])('is written as %s in short pieces', async (name) => {
    const pieces = await piecesOf(name);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(MAX_PIECE_LENGTH);
  });

  test('has the same JSON as JSON.stringify writes', async () => {
    const plain = Object.fromEntries(record);
    expect((await piecesOf('json')).join('')).toBe(JSON.stringify({ data: [plain, plain] }, null, 4));
  });

  test.each(['yaml', 'xml'] as const)('is read back complete from %s', async (format) => {
    const [read] = readByNode([{ format, body: Buffer.from((await piecesOf(format)).join('')) }]);
    const map = [...record].map(([name, value]) => [name, typeof value === 'object' ? items : value]);
    const complete = { map: [['data', [{ map }, { map }]]] };
    expect(read).toEqual(format === 'xml' ? { root: 'data', value: complete } : complete);
  });

  test('has the same CSV as csv-stringify writes', async () => {
    const cell = (value: DocumentNode | undefined): string => {
      if (typeof value === 'object') return items.map((item) => item.replaceAll('|', '\\|')).join('|');
      return value === undefined ? '' : String(value).replace(/^=/, "'=");
    };
    const row = columns.map((column) => cell(record.get(column)));
    const rows = stringify([columns, row, row], { record_delimiter: '\r\n', quote_record_delimiter: true });
    expect((await piecesOf('csv')).join('') === rows).toBe(true);
  });

  test('is written as a workbook in several turns of the event loop', async () => {
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const bytes = await formats.find(({ name }) => name === 'xlsx')?.render(rendering(), { pretty: true });
    clearImmediate(next);
    const [sheet] = bytes instanceof Uint8Array ? readWorkbook(Buffer.from(bytes)) : [];
    expect(turns).toBeGreaterThan(2);
    expect(sheet?.rows.length).toBe(3);
  });
});

test('splitLongText never splits a surrogate pair', () => {
  for (const prefix of ['', 'x']) {
    const slices = [...splitLongText(prefix + '\u{1f600}'.repeat(20_000))];
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
    expect(slices.join('')).toBe(prefix + '\u{1f600}'.repeat(20_000));
  }
});
