import type { CsvEncoding, DocumentFormatSettings } from '../../model/registration/document-mapping.js';
import { SourceFailure } from '../client/source-failure.js';
import type { FindingSink } from '../record/findings.js';
import { nameColumns } from './csv-columns.js';
import { parseCsvTable, toRecords } from './csv-rows.js';
import { decodeMixedUtf8, decodeUnicode, decodeUtf16, decodeWindows1252 } from './text-decoding.js';

/** For findings about a whole document. */
const DOCUMENT_FIELD = '(document)';

/** As spreadsheets write. */
const DELIMITERS = [',', ';', '\t'] as const;

/**
 * A list of rows, each an object by the names in the first row (decisions 4.28), with cells trimmed. Counts repeated
 * columns, rows of another length and mixed encoding in `sink`. Throws a `SourceFailure`: `body` if it is not CSV or
 * has no row; `size` beyond a limit (decisions 8.6).
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

const MARKUP = /^\s*</;

/** The first line with content has the names of the columns. */
const FIRST_LINE = /\S[^\r\n]{0,65535}/;

/** The most frequent one in the first line, outside quotation marks. */
function findDelimiter(text: string): string {
  const line = (FIRST_LINE.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const count = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/**
 * Text is UTF-8 with single other bytes if most characters beyond ASCII are UTF-8; else Windows-1252, as spreadsheets
 * in western Europe and America write. UTF-16 needs its mark.
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
