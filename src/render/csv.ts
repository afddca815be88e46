import { stringify } from 'csv-stringify/sync';
import type { DocumentNode } from '../model/document.js';
import { isPgpArmor } from '../text/pgp-armor.js';
import { toCellItems } from './table-cell.js';
import { replaceInvalidCsv } from './allowed-characters.js';
import { isShortScalar, splitLongText } from './output-buffer.js';
import type { Table } from './render-input.js';

/** Rows of one piece: fewer cost more calls of the library, more keep its garbage alive for longer; ten are the fastest. */
const ROWS_PER_PIECE = 10;

/** Weight of a piece: the library takes about as long for a cell as for some characters. */
const PIECE_WEIGHT = 32 * 1024;
const CELL_OVERHEAD = 8;

/** CSV of RFC 4180 in pieces: some rows each, or parts of one wide row. CR LF, a header line always, no byte order mark (decisions.md, section 3). */
export function* renderCsv({ columns, rows }: Table): Generator<string, void, undefined> {
  const writer = new CsvRowWriter();
  yield* writer.row(columns, (name) => escapeFormula(name, PLAIN_NAME));
  yield* writer.flush();
  for (const row of rows) yield* writer.row(columns, (name) => formatCell(name, row.get(name)));
  yield* writer.flush();
}

/** Rows that are written by the library together, and those that are too wide for that. */
class CsvRowWriter {
  private rows: string[][] = [];
  private weight = 0;

  /** Adds a row; gives out what is ready, and an empty text where it takes long to look at the cells of the row. */
  *row(columns: readonly string[], cellOf: (name: string) => string): Generator<string, void, undefined> {
    const cells: string[] = [];
    let weight = 0;
    let turn = PIECE_WEIGHT;
    for (const name of columns) {
      const cell = cellOf(name);
      cells.push(cell);
      weight += CELL_OVERHEAD + cell.length;
      if (weight < turn) continue;
      turn = weight + PIECE_WEIGHT;
      yield '';
    }
    if (weight > PIECE_WEIGHT) {
      yield* this.flush();
      yield* writeWideRow(cells);
      return;
    }
    this.rows.push(cells);
    this.weight += weight;
    if (this.rows.length === ROWS_PER_PIECE || this.weight > PIECE_WEIGHT) yield* this.flush();
  }

  /** The rows that were not given out yet. */
  *flush(): Generator<string, void, undefined> {
    if (this.rows.length > 0) yield formatRows(this.rows);
    this.rows = [];
    this.weight = 0;
  }
}

/** A row in parts of some cells each. */
function* writeWideRow(cells: readonly string[]): Generator<string, void, undefined> {
  let part: string[] = [];
  let weight = 0;
  let before = '';
  for (const [at, cell] of cells.entries()) {
    const isLast = at === cells.length - 1;
    if (isShortScalar(cell)) {
      part.push(cell);
      weight += CELL_OVERHEAD + cell.length;
      if (!isLast && weight < PIECE_WEIGHT) continue;
    }
    if (part.length > 0) {
      yield before + formatRows([part], false);
      before = ',';
    }
    if (!isShortScalar(cell)) {
      yield before;
      yield* writeLongCell(cell);
      before = ',';
    }
    part = [];
    weight = 0;
  }
  yield LINE_END;
}

const LINE_END = '\r\n';

const QUOTED = /[",\r\n]/;

/** The library would look at all of it at once. */
function* writeLongCell(cell: string): Generator<string, void, undefined> {
  const quote = QUOTED.test(cell) ? '"' : '';
  yield quote;
  for (const slice of splitLongText(cell)) yield replaceInvalidCsv(slice.replaceAll('"', '""'));
  yield quote;
}

/** A row of one empty cell would be an empty line, which readers skip: there even nothing is quoted. CR and LF alone are, too. */
function formatRows(rows: readonly (readonly string[])[], whole = true): string {
  const text = stringify([...rows], {
    record_delimiter: LINE_END,
    quote_record_delimiter: true,
    quoted_empty: whole && rows[0]?.length === 1,
    eof: whole,
  });
  return replaceInvalidCsv(text);
}

/** The column of armored keys. An apostrophe before a key would keep every OpenPGP program from reading it, and armor is no formula. */
const ARMORED_KEY_COLUMN = 'pgp-key';

function formatCell(column: string, value: DocumentNode | undefined): string {
  const items = toCellItems(value);
  const text = typeof items === 'string' ? items : items.map(escapeItem).join('|');
  if (text === '' || (column === ARMORED_KEY_COLUMN && isPgpArmor(text))) return text;
  return escapeFormula(text, PLAIN_VALUE);
}

const ESCAPED = /[|\\]/;

/** Backslashes count only where a `|` follows, or the item's end: there each is written twice, so that none escapes a separator. */
function escapeItem(item: string): string {
  return ESCAPED.test(item) ? item.replace(/(?<!\\)\\+(?=\||$)/g, '$&$&').replaceAll('|', '\\|') : item;
}

/** What a spreadsheet may take for a formula, and a value that would be taken for a guarded one. */
const FORMULA = /^(?:'+[=@\t\r+-]|[=@\t\r+-])/;

/** Numbers, and telephone numbers, which begin with a sign and are none. */
const PLAIN_VALUE = /^[+-](?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|(?=.*\d)[\d ()./-]*)$/i;

/** Names such as `-first-member-type`: programs find their columns by them. */
const PLAIN_NAME = /^-[a-z\d_.-]*$/i;

function escapeFormula(text: string, plain: RegExp): string {
  return FORMULA.test(text) && !plain.test(text) ? `'${text}` : text;
}
