import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import { cellItems } from './cell.js';
import { xmlAllowed } from './characters.js';
import { Pending } from './pending.js';
import type { Table } from './rendering.js';
import { workbook } from './workbook.js';
import type { Styles } from './workbook.js';
import { zipped } from './zip.js';
import type { TextFile } from './zip.js';

/**
 * A workbook (decisions.md, section 3): a sheet called as the table, its header bold and frozen, all cells text, a list's items on
 * lines of their own; and a sheet `About`. Equal content gives equal bytes. What Excel has no room for is left out, and `About` says so.
 */
export async function xlsxBytes(table: Table): Promise<Uint8Array> {
  const widths = table.columns.slice(0, MOST_COLUMNS).map(() => WIDTH);
  const { parts, styles } = await workbook([table.name, 'About'], [widths, ABOUT_WIDTHS]);
  const lost = { cut: 0, rows: 0, columns: Math.max(0, table.columns.length - MOST_COLUMNS) };
  const writer = new RowWriter(styles, lost);
  const rows = [tableRows(table, writer), aboutRows(table, writer)];
  return zipped(
    [...parts].map(([path, part]): TextFile => {
      return [path, typeof part === 'string' ? [part] : framed(part.head, rows[part.sheet] ?? [], part.tail)];
    }),
  );
}

/** Widths of columns, in characters. */
const WIDTH = 24;
const ABOUT_WIDTHS = [20, 60, 16, 16, 16];

/** Excel's limits ("Excel specifications and limits"): a file beyond them is refused as damaged. */
const MOST_ROWS = 1_048_576;
const MOST_COLUMNS = 16_384;
const LONGEST = 32_767;

/** What could not be written: cells that were cut, rows and columns that were left out. */
interface Lost {
  cut: number;
  rows: number;
  columns: number;
}

function* framed(head: string, rows: Iterable<string>, tail: string): Generator<string, void, undefined> {
  yield head;
  yield* rows;
  yield tail;
}

function* tableRows({ columns, rows }: Table, writer: RowWriter): Generator<string, void, undefined> {
  const names = columns.slice(0, MOST_COLUMNS);
  yield* writer.row(1, names, { bold: true });
  let at = 1;
  for (const row of rows) {
    at += 1;
    if (at > MOST_ROWS) writer.lost.rows += 1;
    else yield* writer.row(at, names, { textOf: (name) => cellText(row.get(name)) });
  }
}

/** Written last, when it is known what could not be written. */
function* aboutRows({ about }: Table, writer: RowWriter): Generator<string, void, undefined> {
  let at = 0;
  for (const [name, value] of [...about, ...losses(writer.lost)]) {
    for (const { cells, bold } of factRows(name, value)) yield* writer.row((at += 1), cells, { bold });
  }
}

interface FactRow {
  readonly cells: readonly string[];
  readonly bold: boolean;
}

/** A fact is a row of its name and value; a list of named values is a small table, whose names stand in bold behind its own. */
function factRows(name: string, value: Node): FactRow[] {
  const items = typeof value === 'object' && !isMap(value) ? [...value] : [];
  const maps = items.filter((item) => typeof item === 'object').filter(isMap);
  if (maps.length === 0) return [{ cells: [name, cellText(value)], bold: false }];
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))];
  const rows = maps.map((map) => ({ cells: ['', ...names.map((column) => cellText(map.get(column)))], bold: false }));
  return [{ cells: [name, ...names], bold: true }, ...rows];
}

function losses({ cut, rows, columns }: Lost): [string, number][] {
  const counts: [string, number][] = [
    [`cells cut at ${LONGEST} characters`, cut],
    ['rows left out', rows],
    ['columns left out', columns],
  ];
  return counts.filter(([, count]) => count > 0);
}

/** A line break is a line feed in a cell, whatever it was before. Of a text that will be cut no more is looked at than what may be needed. */
function cellText(value: Node | undefined): string {
  const items = cellItems(value);
  const text = typeof items === 'string' ? items : items.join('\n');
  return text.slice(0, 2 * (LONGEST + 1)).replace(/\r\n?/g, '\n');
}

/** Cells after which a row is given out as far as it is written: of empty ones there is nothing that would be long enough. */
const CELLS = 1_000;

/** How a row is written. */
interface RowStyle {
  readonly bold?: boolean;
  /** The text of a cell, of what is given for its column; absent: that is its text. */
  readonly textOf?: (given: string) => string;
}

class RowWriter {
  /** Letters of columns, by number from 0. */
  readonly #letters: string[] = [];

  constructor(
    readonly styles: Styles,
    readonly lost: Lost,
  ) {}

  /** A row by number from 1, in one piece or, where it is wide, in several; an empty text has no cell. */
  *row(at: number, given: readonly string[], { bold = false, textOf }: RowStyle): Generator<string, void, undefined> {
    const style = bold ? this.styles.header : this.styles.body;
    const pending = new Pending();
    pending.add(`<row r="${at}">`);
    for (const [column, one] of given.entries()) {
      const text = textOf === undefined ? one : textOf(one);
      if (text !== '') pending.add(this.#cell(`${this.#letter(column)}${at}`, style, text));
      if (pending.isFull || column % CELLS === CELLS - 1) yield pending.take();
    }
    pending.add('</row>');
    yield* pending.rest();
  }

  #cell(place: string, style: string, text: string): string {
    const fitting = this.#fitting(text);
    const space = fitting.trim() === fitting ? '' : ' xml:space="preserve"';
    return `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${escapedText(fitting)}</t></is></c>`;
  }

  #fitting(text: string): string {
    if (text.length <= LONGEST) return text;
    this.lost.cut += 1;
    return `${text.slice(0, LONGEST - 1).replace(/[\ud800-\udbff]$/, '')}…`;
  }

  #letter(column: number): string {
    return (this.#letters[column] ??= letters(column));
  }
}

/** A … Z, AA, AB … */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}

/** Text that spreadsheets would read as an escaped character (ECMA-376, ST_Xstring): its own underscore is escaped. */
const ESCAPE_LIKE = /_(?=x[\da-f]{4}_)/gi;

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escapedText(text: string): string {
  const escaped = text.includes('_x') || text.includes('_X') ? text.replace(ESCAPE_LIKE, '_x005F_') : text;
  return xmlAllowed(escaped).replace(/[&<>]/g, (character) => REFERENCES[character] ?? character);
}
