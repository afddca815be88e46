import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMapNode } from '../../src/model/document-node.js';
import type { DocumentNode } from '../../src/model/document-node.js';
import { dataInterface, directoryInterface } from '../../src/model/api-interface.js';
import type { ApiInterface } from '../../src/model/api-interface.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { buildEnvelope, buildErrorEnvelope, buildErrorTable } from '../../src/render/envelope.js';
import type { EnvelopeFacts } from '../../src/render/envelope.js';
import { formats } from '../../src/render/formats.js';
import { GUARDED } from '../../src/render/formula-guard.js';
import { createRenderInput } from '../../src/render/render-input.js';
import type { RenderInput, Table } from '../../src/render/render-input.js';
import type { Format } from '../../src/render/formats.js';
import { anyHostileRecord, hostileNames, hostileTexts } from '../support/generators/hostile-values.js';
import type { FormatReader, RenderedDocument } from '../support/formats/format-readers.js';

/** A record as it is rendered. */
export type Row = ReadonlyMap<string, DocumentNode>;

/** Records with all texts and names that some format or reader could misread. */
export const hostile: readonly Row[] = [
  ...hostileTexts.map((text) => new Map<string, DocumentNode>([['host', text]])),
  ...hostileTexts.map((text) => new Map<string, DocumentNode>([['phone-numbers', [text, 'b', text]]])),
  ...hostileNames.map((name) => new Map<string, DocumentNode>([[name, 'value']])),
  new Map<string, DocumentNode>(hostileTexts.map((text, at) => [`p${at}`, text])),
];

/** Documents of every form of response, whose lists are generators like those of the gateway. */
export function answers(rows: readonly Row[]): Record<string, () => DocumentNode> {
  const facts: EnvelopeFacts = { access: 'public', total: rows.length, newest: 0, limit: 100, offset: 0, sources: [] };
  const failedSources = [
    new Map([
      ['source-name', 'TI: #1'],
      ['state', 'failed'],
    ]),
  ];
  const list = function* (): Generator<Row> {
    yield* rows;
  };
  return {
    'a bare list': list,
    'an empty list': () => [],
    'an envelope': () => buildEnvelope(directoryInterface, directoryTeams, facts, list()),
    'an envelope with failed sources': () =>
      buildEnvelope(directoryInterface, directoryTeams, { ...facts, sources: failedSources }, list()),
    'an empty envelope': () => buildEnvelope(directoryInterface, directoryTeams, facts, []),
    'one item': () => rows.at(-1) ?? new Map(),
    'an envelope of one item': () => buildEnvelope(dataInterface, directoryTeams, facts, rows.at(-1) ?? new Map()),
    'an error': () => errorOf(directoryInterface),
  };
}

function errorOf(apiInterface: ApiInterface): Row {
  const errors = [{ parameter: 'limit', message: 'must be a whole number: not "=1"' }];
  return buildErrorEnvelope(apiInterface, { kind: 'bad-request', message: hostileTexts.join(' '), errors }, []);
}

function messageOf(error: Row): string {
  return itemsOf(error.get('message') ?? '').join();
}

function formatOf(name: Format['name']): Format {
  const format = formats.find((row) => row.name === name);
  if (format === undefined) throw new Error(`no format ${name}`);
  return format;
}

const noTable: Table = { name: 'teams', columns: [], rows: [], metadata: new Map() };

/** The bytes that a renderer writes for a document or table. */
export async function bytes(name: Format['name'], rendering: Partial<RenderInput>, pretty = true): Promise<Uint8Array> {
  const rendered = await formatOf(name).render(createRenderInput({ document: [], table: noTable, ...rendering }), {
    pretty,
  });
  return rendered instanceof Uint8Array ? rendered : Buffer.from([...rendered].join(''));
}

async function written(
  format: RenderedDocument['format'],
  rendering: Partial<RenderInput>,
  pretty = true,
): Promise<RenderedDocument> {
  return { format, body: await bytes(format, rendering, pretty) };
}

/** The scalars of a value, lists within lists included, as text. */
export function itemsOf(value: DocumentNode): string[] {
  if (typeof value !== 'object') return [String(value)];
  return isMapNode(value) ? [] : [...value].flatMap(itemsOf);
}

/** The form in which the readers return a node, with its texts changed as the format documents it. */
function read(
  node: DocumentNode,
  show: (value: string | number | boolean) => unknown,
  named: (names: string[]) => string[],
): unknown {
  if (typeof node !== 'object') return show(node);
  if (!isMapNode(node)) return [...node].map((item) => read(item, show, named));
  const names = named([...node.keys()]);
  return { map: [...node.values()].map((value, at) => [names[at], read(value, show, named)]) };
}

const wellFormed = (text: string): string => text.replace(/[\ud800-\udfff]/gu, '\ufffd');

/** A text without the characters that XML 1.0 does not allow. */
export const allowed = (text: string): string =>
  text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');

/** Names with lone surrogates replaced, all different. */
function keys(names: string[]): string[] {
  const taken = new Set(names);
  return names.map((name) => {
    let free = wellFormed(name);
    if (free === name) return name;
    while (taken.has(free)) free += '\ufffd';
    taken.add(free);
    return free;
  });
}

const yamlOf = (node: DocumentNode): unknown =>
  read(node, (value) => (typeof value === 'string' ? wellFormed(value) : value), keys);

/** An empty text and an empty list are both an empty element. */
function xmlOf(node: DocumentNode): unknown {
  const value = read(
    node,
    (scalar) => allowed(String(scalar)),
    (names) => names.map(allowed),
  );
  return JSON.parse(JSON.stringify(value).replace(/\[\]/g, '""')) as unknown;
}

function describeYaml(readBack: FormatReader, runs: number): void {
  test.each(Object.entries(answers(hostile)))('restores %s in YAML 1.1 and 1.2 alike', async (_, createDocument) => {
    const [found] = readBack([await written('yaml', { document: createDocument() })]);
    expect(found).toEqual(yamlOf(createDocument()));
  });

  test('restores any text under any name', () => {
    return fc.assert(
      fc.asyncProperty(fc.array(anyHostileRecord, { minLength: 60, maxLength: 80 }), async (records) => {
        const documents = await Promise.all(records.map((record) => written('yaml', { document: [record] })));
        expect(readBack(documents)).toEqual(records.map((record) => yamlOf([record])));
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
}

function describeLongYaml(readBack: FormatReader): void {
  test('restores a name and a value of 40,000 characters', async () => {
    const long = `${'Ж \u0085"\r\n'.repeat(5_000)}\u2028\\`;
    const document = [new Map([[long, long]])];
    expect(readBack([await written('yaml', { document })])).toEqual([yamlOf(document)]);
  });
}

function describeXml(readBack: FormatReader, runs: number): void {
  const styles = [true, false];

  test.each(Object.entries(answers(hostile)))('restores %s, pretty or not', async (name, createDocument) => {
    const documents = await Promise.all(styles.map((pretty) => written('xml', { document: createDocument() }, pretty)));
    const root = /envelope|error/.test(name) ? 'response' : 'data';
    const expected = { root, value: xmlOf(createDocument()) === '' ? '' : xmlOf(createDocument()) };
    expect(readBack(documents)).toEqual([expected, expected]);
  });

  test('restores any text under any name, and is well-formed', () => {
    return fc.assert(
      fc.asyncProperty(fc.array(anyHostileRecord, { minLength: 100, maxLength: 150 }), async (records) => {
        const documents = await Promise.all(
          records.map((record, at) => written('xml', { document: [record] }, at % 2 > 0)),
        );
        expect(readBack(documents)).toEqual(records.map((record) => ({ root: 'data', value: xmlOf([record]) })));
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
}

/** A table of rows, with metadata of the response for the second sheet of a workbook. */
export function tableOf(rows: readonly Row[], columns = [...new Set(rows.flatMap((row) => [...row.keys()]))]): Table {
  const sources = [
    new Map([
      ['name', 'first'],
      ['state', 'fresh'],
      ['records', '7'],
    ]),
  ];
  const about = new Map<string, DocumentNode>([
    ['query', 'q=a&limit=7'],
    ['total', 7],
    ['sources', sources],
  ]);
  return { name: 'teams', columns, rows, metadata: about };
}

const isRows = (value: unknown): value is string[][] => Array.isArray(value) && value.every(Array.isArray);

function describeCsv(readBack: FormatReader, runs: number): void {
  const shown = (text: string): string => wellFormed(text).replaceAll('\0', '\ufffd');

  /** Removes one leading ' from a cell that would be a formula without it (docs/formats.md). */
  const unguarded = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);

  /** The items of a cell: a | separates items where an even number of backslashes, or none, precedes it (docs/formats.md). */
  function items(cell: string): string[] {
    const parts = cell.split(/(?<=(?<!\\)(?:\\\\)*)\|/);
    return parts.map((part) =>
      part.replace(/(\\+)(\||$)/g, (_, run: string, end: string) => '\\'.repeat(run.length >> 1) + end),
    );
  }

  function parseRows(rows: string[][], table: Table, original: readonly Row[]): unknown {
    const [, ...cells] = rows;
    return cells.map((row, at) =>
      row.map((cell, column) => {
        const value = original[at]?.get(table.columns[column] ?? '');
        const text = unguarded(cell);
        return typeof value === 'object' ? items(text) : text;
      }),
    );
  }

  function expected(table: Table, original: readonly Row[]): unknown {
    return original.map((row) =>
      table.columns.map((name) => {
        const value = row.get(name);
        if (value === undefined) return '';
        return typeof value === 'object' ? itemsOf(value).map(shown) : shown(String(value));
      }),
    );
  }

  async function check(rows: readonly Row[]): Promise<void> {
    const table = tableOf(rows);
    const [found] = readBack([await written('csv', { table })]);
    if (!isRows(found)) throw new Error(JSON.stringify(found));
    expect(found[0]?.map((name) => unguarded(name))).toEqual(table.columns.map(shown));
    expect(parseRows(found, table, rows)).toEqual(expected(table, rows));
    const formula = /^(?:\p{Cf}*[=@\t\r＝＋－＠]|[+-](?!(?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|[\d ()./-]*)$))/iu;
    expect(
      found
        .slice(1)
        .flat()
        .filter((cell) => formula.test(cell)),
    ).toEqual([]);
  }

  test('restores every hostile value and name, and writes no cell that is a formula', async () => {
    await check(hostile);
  });

  test('restores any text under any name', () => {
    return fc.assert(fc.asyncProperty(fc.array(anyHostileRecord, { minLength: 1, maxLength: 60 }), check), {
      numRuns: runs,
      endOnFailure: true,
    });
  });

  test('writes a header line for an empty list, and a line for a record without values', async () => {
    expect(Buffer.from(await bytes('csv', { table: tableOf([], ['host', '-first-member-type']) })).toString()).toBe(
      'host,-first-member-type\r\n',
    );
    expect(Buffer.from(await bytes('csv', { table: tableOf([new Map([['a', 'b']])], ['host']) })).toString()).toBe(
      'host\r\n""\r\n',
    );
  });

  test.each([directoryInterface, dataInterface])(
    'writes an error of the $name interface in one row',
    async (apiInterface) => {
      const error = errorOf(apiInterface);
      const [found] = readBack([await written('csv', { table: buildErrorTable(apiInterface, error) })]);
      expect(found).toEqual([
        ['status', apiInterface.statusCodeProperty, 'message'],
        ['Bad Request', '400', shown(messageOf(error))],
      ]);
    },
  );
}

interface Sheet {
  readonly rows: readonly (readonly unknown[])[];
}

function sheetsOf(value: unknown): Sheet[] {
  const isSheet = (sheet: unknown): sheet is Sheet =>
    typeof sheet === 'object' && sheet !== null && 'rows' in sheet && isRows(sheet.rows);
  if (!Array.isArray(value) || !value.every(isSheet)) throw new Error(JSON.stringify(value));
  return value;
}

function describeXlsx(readBack: FormatReader, runs: number): void {
  const shown = (value: DocumentNode | undefined): string => {
    if (value === undefined) return '';
    return allowed(itemsOf(value).join('\n').replace(/\r\n?/g, '\n'));
  };

  /** openpyxl leaves the escapes of ECMA-376 (ST_Xstring) to its reader. */
  function unescaped(cell: unknown): string {
    if (cell === null) return '';
    return typeof cell === 'string' ? cell.replace(/_x005F_/g, '_') : `not text: ${JSON.stringify(cell)}`;
  }

  async function check(rows: readonly Row[]): Promise<void> {
    const table = tableOf(rows);
    const [first] = sheetsOf(readBack([await written('xlsx', { table })])[0]);
    const expected = [
      table.columns.map((name) => shown(name)),
      ...rows.map((row) => table.columns.map((name) => shown(row.get(name)))),
    ];
    expect(first?.rows.map((row) => row.map(unescaped))).toEqual(expected);
    expect(first).toMatchObject({ name: 'teams', frozen: 'A2', bold: [1], types: ['s'] });
  }

  test('restores every hostile value and name as text, below a bold and frozen header', async () => {
    await check(hostile);
  });

  test('writes the query, the total and the sources to a second sheet', async () => {
    const [, about] = sheetsOf(readBack([await written('xlsx', { table: tableOf([]) })])[0]);
    expect(about).toMatchObject({ name: 'About', types: ['s'] });
    expect(about?.rows).toEqual([
      ['query', 'q=a&limit=7', null, null],
      ['total', '7', null, null],
      ['sources', 'name', 'state', 'records'],
      [null, 'first', 'fresh', '7'],
    ]);
  });

  test('restores any text under any name', () => {
    return fc.assert(fc.asyncProperty(fc.array(anyHostileRecord, { minLength: 1, maxLength: 60 }), check), {
      numRuns: runs,
      endOnFailure: true,
    });
  });
}

function describeNdjson(readBack: FormatReader, runs: number): void {
  async function check(rows: readonly Row[]): Promise<void> {
    const [found] = readBack([await written('ndjson', { table: tableOf(rows) })]);
    const sorted = rows.map((row) => ({ map: [...row].sort(([a], [b]) => (a < b ? -1 : 1)) }));
    expect(found).toEqual(sorted);
  }

  test('restores every hostile value and name, a record a line', async () => {
    await check(hostile);
  });

  test('restores any text under any name', () => {
    return fc.assert(fc.asyncProperty(fc.array(anyHostileRecord, { minLength: 1, maxLength: 60 }), check), {
      numRuns: runs,
      endOnFailure: true,
    });
  });
}

/**
 * Checks that a reader of each format restores the document, whatever its texts and names are (decisions 3.4, 3.5, 3.7, 3.8,
 * 3.9, 3.11). `runs` is the number of generated lists of records for each format.
 */
export function describeRoundTrip(readBack: FormatReader, runs: number): void {
  describe('YAML', () => describeYaml(readBack, runs));
  describe('YAML of long texts', () => describeLongYaml(readBack));
  describe('XML', () => describeXml(readBack, runs));
  describe('CSV', () => describeCsv(readBack, runs));
  describe('XLSX', () => describeXlsx(readBack, runs));
  describe('NDJSON', () => describeNdjson(readBack, runs));
}
