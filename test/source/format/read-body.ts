import type { DocumentFormatSettings } from '../../../src/model/registration/document-mapping.js';
import { parseDocumentBody } from '../../../src/source/format/document-body.js';
import { FindingCounter } from '../../../src/source/record/findings.js';

/** A parsed body with the findings about its text. */
export interface ReadBody {
  readonly value: unknown;
  readonly findings: Readonly<Record<string, number>>;
}

/** Parses a body as the document of a source. */
export function readBody(body: string | Buffer, settings: DocumentFormatSettings): ReadBody {
  const counter = new FindingCounter();
  const value = parseDocumentBody(typeof body === 'string' ? Buffer.from(body) : body, settings, counter);
  return { value, findings: Object.fromEntries(counter.findings) };
}
