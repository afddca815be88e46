import { isUtf8 } from 'node:buffer';
import { CsvError, parse as parseCsvRows } from 'csv-parse/sync';
import type { DocumentFormat } from '../../model/registration/document-mapping.js';
import { parseJson } from '../client/parse-json.js';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_INLINE_BODY, requireBoundedJson } from './body-limits.js';

/** Formats by media type (without parameters) and by extension of the path. */
const FORMATS: readonly { readonly format: DocumentFormat; readonly pattern: RegExp }[] = [
  { format: 'ndjson', pattern: /^application\/(?:x-)?(?:ndjson|jsonl|json-lines)$|\.(?:ndjson|jsonl)$/i },
  { format: 'csv', pattern: /^(?:text|application)\/csv$|\.csv$/i },
  { format: 'json', pattern: /^(?:text|application)\/(?:[\w.-]+\+)?json$|\.json$/i },
];

/**
 * Returns the format of a document whose registration names none: by its media type, else by the extension of its path,
 * else JSON (decisions 4.27). Many servers send CSV as `text/plain` or `application/octet-stream`, which name no format.
 */
export function chooseDocumentFormat(contentType: string | undefined, path: string): DocumentFormat {
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim() ?? '';
  const found = [mediaType, path].flatMap((text) => FORMATS.find(({ pattern }) => pattern.test(text)) ?? []);
  return found[0]?.format ?? 'json';
}

/**
 * Parses the body of a published document: JSON as it is; NDJSON as the list of its lines; CSV as the list of its rows,
 * each an object by the names in the first row. Throws a `SourceFailure` (`body`) if it is not of the format, and
 * (`size`) beyond the limits of (decisions 8.6).
 */
export function parseDocumentBody(body: Buffer, format: DocumentFormat): unknown {
  if (format === 'csv') return parseCsv(body);
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return format === 'json' ? parseJson(body) : splitLines(body).map((line) => parseJson(line));
}

const LINE_FEED = 0x0a;

/** The lines of a body that have content. */
function splitLines(body: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(LINE_FEED, start);
    const line = body.subarray(start, end < 0 ? body.length : end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end < 0 ? body.length : end + 1;
  }
  return lines;
}

/** Delimiters that spreadsheets write. */
const DELIMITERS = [',', ';', '\t'] as const;

function parseCsv(body: Buffer): readonly Readonly<Record<string, string>>[] {
  const text = decodeText(body);
  const [header = [], ...rows] = parseRows(text);
  const names = nameColumns(header);
  // By the cells of the row, not by the names: a header of a million names would otherwise fill every row.
  return rows.map((row) => Object.fromEntries(row.slice(0, names.length).map((cell, at) => [names[at] ?? '', cell])));
}

function parseRows(text: string): readonly (readonly string[])[] {
  try {
    return parseCsvRows(text, {
      bom: true,
      delimiter: findDelimiter(text),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const reason = error instanceof CsvError ? error.code : 'unreadable';
    throw new SourceFailure('body', `not CSV (${reason})`, { cause: error });
  }
}

/** The delimiter that occurs most often in the first line, which has the names of the columns. */
function findDelimiter(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const count = (delimiter: string): number => line.split(delimiter).length;
  return DELIMITERS.reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

/** Names of the columns. A name that occurs again gets a number: `phone`, `phone_2`. */
function nameColumns(header: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  return header.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}_${count}`;
  });
}

/** Byte order marks of UTF-16, with which spreadsheets save "Unicode text". */
const UTF_16: readonly { readonly mark: Buffer; readonly encoding: string }[] = [
  { mark: Buffer.from([0xff, 0xfe]), encoding: 'utf-16le' },
  { mark: Buffer.from([0xfe, 0xff]), encoding: 'utf-16be' },
];

/** Decodes UTF-16 with its mark, UTF-8, or else Windows-1252, which spreadsheets in western Europe and America write. */
function decodeText(body: Buffer): string {
  const marked = UTF_16.find(({ mark }) => body.subarray(0, mark.length).equals(mark));
  if (marked !== undefined) return new TextDecoder(marked.encoding).decode(body);
  return isUtf8(body) ? body.toString('utf8') : decodeWindows1252(body);
}

/** The characters of Windows-1252 from 0x80 on that Latin-1 does not have. The five undefined ones are left as they are. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** TextDecoder of Node.js 20 decodes Windows-1252 as Latin-1. */
function decodeWindows1252(body: Buffer): string {
  return body
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? '');
}
