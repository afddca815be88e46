import { isMapNode } from '../model/document.js';
import type { DocumentNode } from '../model/document.js';
import { toCellItems } from './table-cell.js';
import { replaceInvalidXml } from './allowed-characters.js';
import { OutputBuffer } from './output-buffer.js';
import type { Table } from './render-input.js';
import { buildWorkbookTemplate } from './workbook-template.js';
import type { CellStyles } from './workbook-template.js';
import { createZip } from './zip.js';
import type { TextFile } from './zip.js';

/**
 * A workbook (decisions.md, section 3): a sheet called as the table, its header bold and frozen, all cells text, a list's items on
 * lines of their own; and a sheet `About`. Equal content gives equal bytes. What Excel has no room for is left out, and `About` says so.
 */
export async function renderXlsx(table: Table): Promise<Uint8Array> {
  const widths = table.columns.slice(0, MAX_COLUMNS).map(() => COLUMN_WIDTH);
  const { parts, styles } = await buildWorkbookTemplate([table.name, 'About'], [widths, ABOUT_COLUMN_WIDTHS]);
  const lost = { cutCells: 0, omittedRows: 0, omittedColumns: Math.max(0, table.columns.length - MAX_COLUMNS) };
  const writer = new RowWriter(styles, lost);
  const rows = [writeTableRows(table, writer), writeAboutRows(table, writer)];
  return createZip(
    [...parts].map(([path, part]): TextFile => {
      return [path, typeof part === 'string' ? [part] : wrapRows(part.head, rows[part.sheetIndex] ?? [], part.tail)];
    }),
  );
}

/** Widths of columns, in characters. */
const COLUMN_WIDTH = 24;
const ABOUT_COLUMN_WIDTHS = [20, 60, 16, 16, 16];

/** Excel's limits ("Excel specifications and limits"): a file beyond them is refused as damaged. */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_CELL_LENGTH = 32_767;

/** What could not be written: cells that were cut, rows and columns that were left out. */
interface TruncationCounts {
  cutCells: number;
  omittedRows: number;
  omittedColumns: number;
}

function* wrapRows(head: string, rows: Iterable<string>, tail: string): Generator<string, void, undefined> {
  yield head;
  yield* rows;
  yield tail;
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

/** Written last, when it is known what could not be written. */
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

/** A fact is a row of its name and value; a list of named values is a small table, whose names stand in bold behind its own. */
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

/** A line break is a line feed in a cell, whatever it was before. Of a text that will be cut no more is looked at than what may be needed. */
function formatCell(value: DocumentNode | undefined): string {
  const items = toCellItems(value);
  const text = typeof items === 'string' ? items : items.join('\n');
  return text.slice(0, 2 * (MAX_CELL_LENGTH + 1)).replace(/\r\n?/g, '\n');
}

/** Cells after which a row is given out as far as it is written: of empty ones there is nothing that would be long enough. */
const CELLS_PER_PIECE = 1_000;

/** How a row is written. */
interface RowStyle {
  readonly bold?: boolean;
  /** The text of a cell, of what is given for its column; absent: that is its text. */
  readonly textOf?: (given: string) => string;
}

class RowWriter {
  /** Letters of columns, by number from 0. */
  readonly #columnLetters: string[] = [];

  constructor(
    readonly styles: CellStyles,
    readonly truncation: TruncationCounts,
  ) {}

  /** A row by number from 1, in one piece or, where it is wide, in several; an empty text has no cell. */
  *row(at: number, given: readonly string[], { bold = false, textOf }: RowStyle): Generator<string, void, undefined> {
    const style = bold ? this.styles.header : this.styles.body;
    const pending = new OutputBuffer();
    pending.add(`<row r="${at}">`);
    for (const [column, one] of given.entries()) {
      const text = textOf === undefined ? one : textOf(one);
      if (text !== '') pending.add(this.#formatCell(`${this.#getColumnLetters(column)}${at}`, style, text));
      if (pending.isFull || column % CELLS_PER_PIECE === CELLS_PER_PIECE - 1) yield pending.flush();
    }
    pending.add('</row>');
    yield* pending.flushRest();
  }

  #formatCell(place: string, style: string, text: string): string {
    const fitting = this.#truncateText(text);
    const space = fitting.trim() === fitting ? '' : ' xml:space="preserve"';
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escapeText(fitting)}</t></is></c>`;
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

/** A … Z, AA, AB … */
function toColumnLetters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : toColumnLetters(Math.floor(column / 26) - 1) + last;
}

/** Text that spreadsheets would read as an escaped character (ECMA-376, ST_Xstring): its own underscore is escaped. */
const ESCAPE_LIKE = /_(?=x[\da-f]{4}_)/gi;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapeText(text: string): string {
  const escaped = text.includes('_x') || text.includes('_X') ? text.replace(ESCAPE_LIKE, '_x005F_') : text;
  return replaceInvalidXml(escaped).replace(/[&<>]/g, (character) => REFERENCES[character] ?? character);
}
