import { isMapNode } from '../../model/document-node.js';
import type { DocumentNode } from '../../model/document-node.js';
import { toCellItems } from '../table-cell.js';
import { replaceInvalidXml } from '../allowed-characters.js';
import { OutputBuffer } from '../chunked-text-output.js';
import type { Table } from '../render-input.js';
import { CELL_STYLES, createWorkbookParts } from './workbook-parts.js';
import { createZip } from './zip.js';

/**
 * A workbook (decisions 3.9): a sheet named after the table, with a bold and frozen header and text cells only, and the
 * sheet `About`. Equal content produces equal bytes. Content beyond the limits of a spreadsheet is cut or left out, and
 * counted in `About`.
 */
export function renderXlsx(table: Table): Promise<Uint8Array> {
  const widths = table.columns.slice(0, MAX_COLUMNS).map(() => COLUMN_WIDTH);
  const lost = { cutCells: 0, omittedRows: 0, omittedColumns: Math.max(0, table.columns.length - MAX_COLUMNS) };
  const writer = new RowWriter(lost);
  return createZip(
    createWorkbookParts([
      { name: table.name, widths, isFrozen: true, rows: writeTableRows(table, writer) },
      { name: 'About', widths: ABOUT_COLUMN_WIDTHS, isFrozen: false, rows: writeAboutRows(table, writer) },
    ]),
  );
}

/** In characters. */
const COLUMN_WIDTH = 24;
const ABOUT_COLUMN_WIDTHS = [20, 60, 16, 16, 16];

/** "Excel specifications and limits". Excel refuses a file beyond them as damaged. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_CELL_LENGTH = 32_767;

/** Cells that were cut, rows and columns that were left out. */
interface TruncationCounts {
  cutCells: number;
  omittedRows: number;
  omittedColumns: number;
}

function* writeTableRows({ columns, rows }: Table, writer: RowWriter): Generator<string, void, undefined> {
  const names = columns.slice(0, MAX_COLUMNS);
  yield* writer.row(1, names, { bold: true });
  let at = 1;
  for (const row of rows) {
    at += 1;
    if (at > MAX_ROWS) writer.truncation.omittedRows += 1;
    else yield* writer.row(at, names, { textOf: (name) => formatCell(row.get(name)) });
  }
}

/** Written last, when all truncations are known. */
function* writeAboutRows({ metadata: about }: Table, writer: RowWriter): Generator<string, void, undefined> {
  let at = 0;
  for (const [name, value] of [...about, ...listTruncations(writer.truncation)]) {
    for (const { cells, bold } of buildFactRows(name, value)) yield* writer.row((at += 1), cells, { bold });
  }
}

interface FactRow {
  readonly cells: readonly string[];
  readonly bold: boolean;
}

/** Name and value. A list of maps becomes a small table, with the names of the maps in bold after its own name. */
function buildFactRows(name: string, value: DocumentNode): FactRow[] {
  const items = typeof value === 'object' && !isMapNode(value) ? [...value] : [];
  const maps = items.filter((item) => typeof item === 'object').filter(isMapNode);
  if (maps.length === 0) return [{ cells: [name, formatCell(value)], bold: false }];
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  const rows = maps.map((map) => ({ cells: ['', ...names.map((column) => formatCell(map.get(column)))], bold: false }));
  return [{ cells: [name, ...names], bold: true }, ...rows];
}

function listTruncations({
  cutCells: cut,
  omittedRows: rows,
  omittedColumns: columns,
}: TruncationCounts): [string, number][] {
  const counts: [string, number][] = [
    [`cells cut at ${MAX_CELL_LENGTH} characters`, cut],
    ['rows left out', rows],
    ['columns left out', columns],
  ];
  return counts.filter(([, count]) => count > 0);
}

/** LF is the line break. A text that will be cut is not examined further than necessary. */
function formatCell(value: DocumentNode | undefined): string {
  const items = toCellItems(value);
  const text = typeof items === 'string' ? items : items.join('\n');
  return text.slice(0, 2 * (MAX_CELL_LENGTH + 1)).replace(/\r\n?/g, '\n');
}

/** The row written so far is yielded after so many cells. Empty cells alone would never fill the buffer. */
const CELLS_PER_PIECE = 1_000;

interface RowStyle {
  readonly bold?: boolean;
  /** From the item of a column; absent: the item is the text. */
  readonly textOf?: (item: string) => string;
}

class RowWriter {
  /** By column number from 0. */
  readonly #columnLetters: string[] = [];

  constructor(readonly truncation: TruncationCounts) {}

  /** `at` counts from 1. One piece or, if the row is wide, several. An empty text has no cell. */
  *row(at: number, items: readonly string[], { bold = false, textOf }: RowStyle): Generator<string, void, undefined> {
    const style = bold ? CELL_STYLES.header : CELL_STYLES.body;
    const pending = new OutputBuffer();
    pending.add(`<row r="${at}">`);
    for (const [column, one] of items.entries()) {
      const text = textOf === undefined ? one : textOf(one);
      if (text !== '') pending.add(this.#formatCell(`${this.#getColumnLetters(column)}${at}`, style, text));
      if (pending.isFull || column % CELLS_PER_PIECE === CELLS_PER_PIECE - 1) yield pending.flush();
    }
    pending.add('</row>');
    yield* pending.flushRest();
  }

  #formatCell(cell: string, style: string, text: string): string {
    const fitting = this.#truncateText(text);
    const space = fitting.trim() === fitting ? '' : ' xml:space="preserve"';
    return `<c r="${cell}" s="${style}" t="inlineStr"><is><t${space}>${escapeText(fitting)}</t></is></c>`;
  }

  #truncateText(text: string): string {
    if (text.length <= MAX_CELL_LENGTH) return text;
    this.truncation.cutCells += 1;
    return `${text.slice(0, MAX_CELL_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  }

  #getColumnLetters(column: number): string {
    return (this.#columnLetters[column] ??= toColumnLetters(column));
  }
}

/** A … Z, AA, AB … for a column number from 0. */
function toColumnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : toColumnLetters(Math.floor(column / 26) - 1) + last;
}

/** A spreadsheet would read it as an escaped character (ECMA-376, ST_Xstring). Its underscore is escaped. */
const ESCAPE_LIKE = /_(?=x[\da-f]{4}_)/gi;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeText(text: string): string {
  const escaped = text.includes('_x') || text.includes('_X') ? text.replace(ESCAPE_LIKE, '_x005F_') : text;
  return replaceInvalidXml(escaped).replace(/[&<>]/g, (character) => REFERENCES[character] ?? character);
}
