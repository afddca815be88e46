import { isUtf8 } from 'node:buffer';
import { GUARDED } from '../../render/formula-guard.js';
import { SourceFailure } from '../client/source-failure.js';
import { parseCsvTable, toRecords } from './csv-rows.js';
import { decodeUnicode } from './text-decoding.js';

/**
 * CSV that a Rollcall wrote (decisions 4.29): texts are exactly the original ones; `splitListCell` splits cells of
 * lists. Throws a `SourceFailure`: `body` if it is not such CSV; `size` beyond a limit (decisions 8.6).
 */
export function parseRollcallCsv(body: Buffer): readonly Readonly<Record<string, string>>[] {
  const text = isUtf8(body) ? decodeUnicode(body) : undefined;
  if (text === undefined) throw new SourceFailure('body', 'CSV of Rollcall that is not UTF-8');
  const { header, rows } = parseCsvTable(text, { delimiter: ',', trim: false, isRagged: false });
  const names = header.map(removeGuard);
  if (new Set(names).size < names.length) throw new SourceFailure('body', 'CSV of Rollcall that repeats a column');
  return toRecords(
    names,
    rows.map((row) => row.map(removeGuard)),
  );
}

function removeGuard(cell: string): string {
  return GUARDED.test(cell) ? cell.slice(1) : cell;
}

/** An empty cell is an empty list. A backslash escapes only where a `|` or the cell's end follows a run of them. */
export function splitListCell(cell: string): readonly string[] {
  if (cell === '') return [];
  const items: string[] = [];
  let item = '';
  for (const [, text = '', backslashes = '', bar = ''] of cell.matchAll(LIST_PARTS)) {
    item += text + backslashes.slice(0, backslashes.length >> 1);
    if (bar === '') continue;
    if (backslashes.length % 2 === 1) item += bar;
    else {
      items.push(item);
      item = '';
    }
  }
  return [...items, item];
}

/** Text up to the next `|` or the end, backslashes before that, and the `|`. */
const LIST_PARTS = /((?:[^|\\]|\\+(?![|\\]|$))*)(\\*)(\||$)/g;
