import { CsvError, parse } from 'csv-parse/sync';
import { SourceFailure } from '../client/source-failure.js';
import { isIndexName, requireFewIndexNames, requireFewValues } from './body-limits.js';

/**
 * Bytes. A larger row is rather an opening quotation mark that is never closed: rows of known lists have some
 * kilobytes, with a PGP key some hundred.
 */
const MAX_ROW = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

interface CsvRowOptions {
  readonly delimiter: string;
  /** White space around unquoted cells is removed. */
  readonly trim: boolean;
  /** A row may have more or fewer cells than the first one; one with only empty cells is skipped. */
  readonly isRagged: boolean;
}

/** Names of the columns and cells of each record. */
interface CsvTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * RFC 4180; skips empty lines. Throws a `SourceFailure`: `body` if it is not CSV, or has no row below the first one;
 * `size` for more cells or a longer row than any real text has (decisions 8.6).
 */
export function parseCsvTable(text: string, options: CsvRowOptions): CsvTable {
  requireFewValues(countValues(text, options.delimiter), text.length);
  const [header, ...rows] = parseRows(text, options);
  if (header === undefined) throw new SourceFailure('body', 'CSV without a row of column names');
  // A message in one line, such as `Service unavailable`, would be an empty list.
  if (rows.length === 0) throw new SourceFailure('body', 'CSV without a row below the names of its columns');
  return { header, rows };
}

/** Upper bound: a cell ends at a delimiter or with its row; those in quotation marks count too. */
function countValues(text: string, delimiter: string): number {
  const delimiterCode = delimiter.charCodeAt(0);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiterCode) count += 1;
    else if (code === LINE_FEED || (code === CARRIAGE_RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) count += 2;
  }
  return count;
}

function parseRows(text: string, { delimiter, trim, isRagged }: CsvRowOptions): readonly (readonly string[])[] {
  try {
    return parse(text, {
      delimiter,
      trim,
      relax_column_count: isRagged,
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      skip_records_with_empty_values: isRagged,
      max_record_size: MAX_ROW,
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw new SourceFailure('body', 'not CSV', { cause: error });
    if (error.code === 'CSV_MAX_RECORD_SIZE')
      throw new SourceFailure('size', `a row of more than ${MAX_ROW} bytes; a quotation mark may not be closed`);
    const { code, lines } = error as { readonly code: string; readonly lines?: unknown };
    const place = typeof lines === 'number' ? `, read up to line ${lines}` : '';
    throw new SourceFailure('body', `not CSV (${code}${place})`, { cause: error });
  }
}

/** Drops cells beyond the names. Throws a `SourceFailure` (`size`) if too many names are numbers. */
export function toRecords(
  names: readonly string[],
  rows: readonly (readonly string[])[],
): readonly Readonly<Record<string, string>>[] {
  requireFewIndexNames(names.filter(isIndexName).length * rows.length);
  // By the row's cells, not by the names: a header of a million names would fill every row.
  return rows.map((row) => Object.fromEntries(row.slice(0, names.length).map((cell, at) => [names[at] ?? '', cell])));
}
