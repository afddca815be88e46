import type { DocumentFormat, DocumentFormatSettings } from '../../model/registration/document-mapping.js';
import type { FindingSink } from '../record/findings.js';
import { parseCsv } from './csv.js';
import { DEFAULT_DOCUMENT_FORMAT } from './document-format.js';
import { parseBoundedJson } from './json.js';
import { parseNdjson } from './ndjson.js';
import { parseRollcallCsv } from './rollcall-csv.js';
import { parseXmlDocument } from './xml.js';
import { parseYamlDocument } from './yaml.js';

type ParseDocument = (body: Buffer, settings: DocumentFormatSettings, sink: FindingSink) => unknown;

const PARSERS: Readonly<Record<DocumentFormat, ParseDocument>> = {
  json: parseBoundedJson,
  ndjson: parseNdjson,
  csv: parseCsv,
  'rollcall-csv': parseRollcallCsv,
  yaml: parseYamlDocument,
  xml: parseXmlDocument,
};

/**
 * Gives values of JSON (decisions 4.27 to 4.31); counts what is odd but readable in `sink`. Throws a `SourceFailure`:
 * `body` if it is not of the format, `size` beyond a limit (decisions 8.6).
 */
export function parseDocumentBody(body: Buffer, settings: DocumentFormatSettings, sink: FindingSink): unknown {
  return PARSERS[settings.format ?? DEFAULT_DOCUMENT_FORMAT](body, settings, sink);
}
