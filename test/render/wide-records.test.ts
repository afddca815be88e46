import { stringify } from 'csv-stringify/sync';
import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { formats } from '../../src/render/formats.js';
import type { RenderInput } from '../../src/render/render-input.js';
import { splitLongText } from '../../src/render/chunked-text-output.js';
import { readByNode } from '../support/formats/format-readers.js';
import { readWorkbook } from '../support/formats/workbook-reader.js';

/** Characters of one piece at most: a slice of a long text, each of its characters escaped, and what was pending before it. */
const LONGEST = 64 * 1024;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** A text whose slices end at every place of what it repeats. */
const TEXT = 'say "no", \u{1f600}|\r\n<&>\t\u00e9'.repeat(5_000);

const record: ReadonlyMap<string, DocumentNode> = new Map<string, DocumentNode>([
  ['short-team-name', 'Wide'],
  ['host', range(5_000).map((at) => `yes: ${at}, "|`)],
  ['constituency-description', TEXT],
  ...range(500).map((at): [string, DocumentNode] => [`k${at}`, `=v${at}`]),
]);

const columns = [...record.keys(), ...range(5_000).map((at) => `absent${at}`)];

/** Lazy, as an answer is: what is rendered is read once. */
const rendering = (): RenderInput => ({
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
  test.each(['json', 'yaml', 'xml', 'csv'])('is written as %s in pieces, none of which is long', async (name) => {
    const pieces = await piecesOf(name);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(LONGEST);
  });

  test('is the same JSON as JSON.stringify writes', async () => {
    const plain = Object.fromEntries(record);
    expect((await piecesOf('json')).join('')).toBe(JSON.stringify({ data: [plain, plain] }, null, 4));
  });

  test.each(['yaml', 'xml'] as const)('is read back whole from %s', async (format) => {
    const [read] = readByNode([{ format, body: Buffer.from((await piecesOf(format)).join('')) }]);
    const map = [...record].map(([name, value]) => [name, typeof value === 'object' ? items : value]);
    const whole = { map: [['data', [{ map }, { map }]]] };
    expect(read).toEqual(format === 'xml' ? { root: 'data', value: whole } : whole);
  });

  test('is the same CSV as the library writes of whole rows', async () => {
    const cell = (value: DocumentNode | undefined): string => {
      if (typeof value === 'object') return items.map((item) => item.replaceAll('|', '\\|')).join('|');
      return value === undefined ? '' : String(value).replace(/^=/, "'=");
    };
    const row = columns.map((column) => cell(record.get(column)));
    const rows = stringify([columns, row, row], { record_delimiter: '\r\n', quote_record_delimiter: true });
    expect((await piecesOf('csv')).join('') === rows).toBe(true);
  });

  test('is written as a workbook with turns of the event loop in between', async () => {
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

test('a long text is cut between characters', () => {
  for (const odd of ['', 'x']) {
    const slices = [...splitLongText(odd + '\u{1f600}'.repeat(20_000))];
    expect(slices.length).toBeGreaterThan(1);
    expect(slices.every((slice) => slice.isWellFormed())).toBe(true);
    expect(slices.join('')).toBe(odd + '\u{1f600}'.repeat(20_000));
  }
});
