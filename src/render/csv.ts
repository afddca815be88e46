import { stringify } from 'csv-stringify/sync';
import type { DocumentNode } from '../model/document-node.js';
import { isPgpArmor } from '../text/repair-pgp-armor.js';
import { toCellItems } from './table-cell.js';
import { replaceInvalidCsv } from './allowed-characters.js';
import { isShortScalar, splitLongText } from './chunked-text-output.js';
import { FORMULA } from './formula-guard.js';
import type { Table } from './render-input.js';

/** Fewer rows cost more calls of the library, and more rows keep its garbage alive for longer; ten were the fastest. */
const ROWS_PER_PIECE = 10;

/** In characters. A cell adds a constant, because the library takes about as long for it as for some characters. */
const PIECE_WEIGHT = 32 * 1024;
const CELL_OVERHEAD = 8;

/** RFC 4180; decisions 3.7. A piece has several rows, or a part of one wide row. There is always a header line. */
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

  /** Yields an empty text at intervals while the cells of a wide row are computed, so that the event loop can run. */
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

  *flush(): Generator<string, void, undefined> {
    if (this.rows.length > 0) yield formatRows(this.rows);
    this.rows = [];
    this.weight = 0;
  }
}

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

/** In slices, because the library would process the cell as a whole. */
function* writeLongCell(cell: string): Generator<string, void, undefined> {
  const quote = QUOTED.test(cell) ? '"' : '';
  yield quote;
  for (const slice of splitLongText(cell)) yield replaceInvalidCsv(slice.replaceAll('"', '""'));
  yield quote;
}

/** A row of one empty cell is written `""`, because readers skip empty lines. A lone CR or LF is quoted as well. */
function formatRows(rows: readonly (readonly string[])[], isComplete = true): string {
  const text = stringify([...rows], {
    record_delimiter: LINE_END,
    quote_record_delimiter: true,
    quoted_empty: isComplete && rows[0]?.length === 1,
    eof: isComplete,
  });
  return replaceInvalidCsv(text);
}

/** No formula guard where it is armor: no OpenPGP program reads a key after an apostrophe (decisions 3.8). */
const ARMORED_KEY_COLUMN = 'pgp-key';

function formatCell(column: string, value: DocumentNode | undefined): string {
  const items = toCellItems(value);
  const text = typeof items === 'string' ? items : items.map(escapeItem).join('|');
  if (text === '' || (column === ARMORED_KEY_COLUMN && isPgpArmor(text))) return text;
  return escapeFormula(text, PLAIN_VALUE);
}

const ESCAPED = /[|\\]/;

/** Backslashes are doubled only before a `|` and at the end, so that none escapes a separator (decisions 3.7). */
function escapeItem(item: string): string {
  return ESCAPED.test(item) ? item.replace(/(?<!\\)\\+(?=\||$)/g, '$&$&').replaceAll('|', '\\|') : item;
}

/** Numbers and telephone numbers may begin with a sign and are no formulas. */
const PLAIN_VALUE = /^[+-](?:\d+(?:\.\d*)?(?:e[+-]?\d+)?|(?=.*\d)[\d ()./-]*)$/i;

/** Programs use names such as `-first-member-type` to find their columns. */
const PLAIN_NAME = /^-[a-z\d_.-]*$/i;

function escapeFormula(text: string, plain: RegExp): string {
  return FORMULA.test(text) && !plain.test(text) ? `'${text}` : text;
}
