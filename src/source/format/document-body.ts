import type { DocumentFormat, DocumentFormatSettings } from '../../model/registration/document-mapping.js';
import type { FindingSink } from '../record/findings.js';
import { parseCsv } from './csv.js';
import { parseBoundedJson } from './json.js';
import { parseNdjson } from './ndjson.js';
import { parseRollcallCsv } from './rollcall-csv.js';
import { parseXmlDocument } from './xml.js';
import { parseYamlDocument } from './yaml.js';

interface FormatRow {
  /** Media types without parameters, and extensions. Absent: only a registration names the format. */
  readonly pattern?: RegExp;
  readonly parse: (body: Buffer, settings: DocumentFormatSettings, sink: FindingSink) => unknown;
}

const FORMATS: Readonly<Record<DocumentFormat, FormatRow>> = {
  json: {
    pattern: /^(?:text|application)\/(?:[\w.-]+\+)?json$|\.json$/i,
    parse: parseBoundedJson,
  },
  ndjson: {
    pattern: /^application\/(?:x-)?(?:ndjson|jsonl|json-lines)$|\.(?:ndjson|jsonl)$/i,
    parse: parseNdjson,
  },
  csv: {
    pattern: /^(?:text|application)\/csv$|^text\/tab-separated-values$|\.(?:csv|tsv)$/i,
    parse: parseCsv,
  },
  'rollcall-csv': { parse: parseRollcallCsv },
  yaml: {
    pattern: /^(?:text|application)\/(?:[\w.-]+\+|x-)?yaml$|\.ya?ml$/i,
    parse: parseYamlDocument,
  },
  xml: {
    pattern: /^(?:text|application)\/(?:[\w.-]+\+)?xml$|\.xml$/i,
    parse: parseXmlDocument,
  },
};

/** Also of the pages of the two interfaces. */
const DEFAULT_FORMAT: DocumentFormat = 'json';

/** By media type, else by extension, else JSON. Many servers send CSV as `text/plain` or `application/octet-stream`. */
export function chooseDocumentFormat(contentType: string | undefined, path: string): DocumentFormat {
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim() ?? '';
  return findFormat(mediaType) ?? findFormat(path) ?? DEFAULT_FORMAT;
}

const FORMAT_NAMES = Object.keys(FORMATS) as readonly DocumentFormat[];

function findFormat(text: string): DocumentFormat | undefined {
  return FORMAT_NAMES.find((name) => FORMATS[name].pattern?.test(text) === true);
}

/**
 * Gives values of JSON (decisions 4.27 to 4.31); counts what is odd but readable in `sink`. Throws a `SourceFailure`:
 * `body` if it is not of the format, `size` beyond a limit (decisions 8.6).
 */
export function parseDocumentBody(body: Buffer, settings: DocumentFormatSettings, sink: FindingSink): unknown {
  return FORMATS[settings.format ?? DEFAULT_FORMAT].parse(body, settings, sink);
}
