import type { CsvEncoding, DocumentFormatSettings } from '../../model/registration/document-mapping.js';
import { SourceFailure } from '../client/source-failure.js';
import type { FindingSink } from '../record/findings.js';
import { nameColumns } from './csv-columns.js';
import { parseCsvTable, toRecords } from './csv-rows.js';
import { decodeMixedUtf8, decodeUnicode, decodeUtf16, decodeWindows1252 } from './text-decoding.js';

/** Field of findings about a document as a whole. */
const DOCUMENT_FIELD = '(document)';

/** Delimiters that spreadsheets write. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * Parses CSV as the list of its rows, each an object by the names in the first row (decisions 4.28). White space around
 * cells is removed. Counts repeated columns, rows of another length and a mixed encoding in `sink`. Throws a `SourceFailure`: `body` if it is
 * not CSV or has no row; `size` beyond the limits of (decisions 8.6).
 */
export function parseCsv(
  body: Buffer,
  { delimiter, encoding }: DocumentFormatSettings,
  sink: FindingSink,
): readonly Readonly<Record<string, string>>[] {
  const text = decodeCsv(body, encoding, sink);
  if (MARKUP.test(text)) throw new SourceFailure('body', 'markup, such as an HTML page, in place of CSV');
  const { header, rows } = parseCsvTable(text, {
    delimiter: delimiter ?? findDelimiter(text),
    trim: true,
    isRagged: true,
  });
  for (const row of rows) if (row.length !== header.length) sink.add(DOCUMENT_FIELD, 'row-length');
  return toRecords(nameColumns(header, sink), rows);
}

/** The beginning of a page of markup. */
const MARKUP = /^\s*</;

/** The beginning of the first line with content, which has the names of the columns. */
const FIRST_LINE = /\S[^\r\n]{0,65535}/;

/** The delimiter that occurs most often in the first line, outside of quotation marks. */
function findDelimiter(text: string): string {
  const line = (FIRST_LINE.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/**
 * Decodes UTF-16 with its mark and UTF-8. A text that is not UTF-8 throughout is UTF-8 with single other bytes if most of
 * its characters beyond ASCII are UTF-8, and else Windows-1252, which spreadsheets in western Europe and America write.
 */
function decodeCsv(body: Buffer, encoding: CsvEncoding | undefined, sink: FindingSink): string {
  if (encoding === 'windows-1252' || encoding === 'iso-8859-1') return decodeWindows1252(body);
  if (encoding === 'utf-16') return decodeUtf16(body);
  const unicode = decodeUnicode(body);
  if (unicode !== undefined) return unicode;
  const { text, utf8Characters, otherBytes } = decodeMixedUtf8(body);
  if (encoding === undefined && utf8Characters <= otherBytes) return decodeWindows1252(body);
  for (let count = 0; count < otherBytes; count += 1) sink.add(DOCUMENT_FIELD, 'mixed-encoding');
  return text;
}
