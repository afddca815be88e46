import { stringify } from 'csv-stringify/sync';
import type { DocumentNode } from '../model/document-node.js';
import { isPgpArmor } from '../text/repair-pgp-armor.js';
import { toCellItems } from './table-cell.js';
import { replaceInvalidCsv } from './allowed-characters.js';
import { isShortScalar, splitLongText } from './chunked-text-output.js';
import { FORMULA } from './formula-guard.js';
import type { Table } from './render-input.js';

/**
 * Number of rows of one piece. Fewer rows cost more calls of the library, and more rows keep its garbage alive for
 * longer; ten were the fastest.
 */
const ROWS_PER_PIECE = 10;

/**
 * Maximum weight of a piece, in characters. A cell adds a constant, because the library takes about as long for it as
 * for some characters.
 */
const PIECE_WEIGHT = 32 * 1024;
const CELL_OVERHEAD = 8;

/**
 * Renders CSV (RFC 4180; decisions 3.7) in pieces: several rows each, or parts of one wide row. There is always a
 * header line.
 */
export function* renderCsv({ columns, rows }: Table): Generator<string, void, undefined> {
  const writer = new CsvRowWriter();
  yield* writer.row(columns, (name) => escapeFormula(name, PLAIN_NAME));
  yield* writer.flush();
  for (const row of rows) yield* writer.row(columns, (name) => formatCell(name, row.get(name)));
  yield* writer.flush();
}

/** Collects rows that the library writes together, and writes wide rows in parts. */
class CsvRowWriter {
  private rows: string[][] = [];
  private weight = 0;

  /**
   * Adds a row and yields the pieces that are ready. Yields an empty text at intervals while the cells of a wide row
   * are computed, so that the event loop can run.
   */
  *row(columns: readonly string[], cellOf: (name: string) => string): Generator<string, void, undefined> {
    const cells: string[] = [];
    let weight = 0;
    let nextYield = PIECE_WEIGHT;
    for (const name of columns) {
      const cell = cellOf(name);
      cells.push(cell);
      weight += CELL_OVERHEAD + cell.length;
      if (weight < nextYield) continue;
      nextYield = weight + PIECE_WEIGHT;
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

  /** Yields the rows that are still collected. */
  *flush(): Generator<string, void, undefined> {
    if (this.rows.length > 0) yield formatRows(this.rows);
    this.rows = [];
    this.weight = 0;
  }
}

/** Writes a row in parts of several cells each. */
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

/** Writes a long cell in slices, because the library would process it as a whole. */
function* writeLongCell(cell: string): Generator<string, void, undefined> {
  const quote = QUOTED.test(cell) ? '"' : '';
  yield quote;
  for (const slice of splitLongText(cell)) yield replaceInvalidCsv(slice.replaceAll('"', '""'));
  yield quote;
}

/**
 * Formats rows with the library. A row of one empty cell is written `""`, because readers skip empty lines. A lone CR
 * or LF is quoted as well.
 */
function formatRows(rows: readonly (readonly string[])[], isComplete = true): string {
  const text = stringify([...rows], {
    record_delimiter: LINE_END,
    quote_record_delimiter: true,
    quoted_empty: isComplete && rows[0]?.length === 1,
    eof: isComplete,
  });
  return replaceInvalidCsv(text);
}

/**
 * The column of armored keys. It is exempt from the formula guard where it is armor, because no OpenPGP program reads a
 * key after an apostrophe (decisions 3.8).
 */
const ARMORED_KEY_COLUMN = 'pgp-key';

function formatCell(column: string, value: DocumentNode | undefined): string {
  const items = toCellItems(value);
  const text = typeof items === 'string' ? items : items.map(escapeItem).join('|');
  if (text === '' || (column === ARMORED_KEY_COLUMN && isPgpArmor(text))) return text;
  return escapeFormula(text, PLAIN_VALUE);
}

const ESCAPED = /[|\\]/;

/**
 * Escapes an item of a list (decisions 3.7). Backslashes are doubled only before a `|` and at the end of the item, so
 * that none escapes a separator.
 */
function escapeItem(item: string): string {
  return ESCAPED.test(item) ? item.replace(/(?<!\\)\\+(?=\||$)/g, '$&$&').replaceAll('|', '\\|') : item;
}

/** Numbers and telephone numbers, which may begin with a sign and are not formulas. */
const PLAIN_VALUE = /^[+-](?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|(?=.*\d)[\d ()./-]*)$/i;

/** Names such as `-first-member-type`, which programs use to find their columns. */
const PLAIN_NAME = /^-[a-z\d_.-]*$/i;

function escapeFormula(text: string, plain: RegExp): string {
  return FORMULA.test(text) && !plain.test(text) ? `'${text}` : text;
}
