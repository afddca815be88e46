import type { DocumentFormat } from '../../model/registration/document-mapping.js';

/** Media types without parameters, and extensions. Only a registration names a format without a pattern. */
const PATTERNS: readonly (readonly [DocumentFormat, RegExp])[] = [
  ['json', /^(?:text|application)\/(?:[\w.-]+\+)?json$|\.json$/i],
  ['ndjson', /^application\/(?:x-)?(?:ndjson|jsonl|json-lines)$|\.(?:ndjson|jsonl)$/i],
  ['csv', /^(?:text|application)\/csv$|^text\/tab-separated-values$|\.(?:csv|tsv)$/i],
  ['yaml', /^(?:text|application)\/(?:[\w.-]+\+|x-)?yaml$|\.ya?ml$/i],
  ['xml', /^(?:text|application)\/(?:[\w.-]+\+)?xml$|\.xml$/i],
];

/** Also of the pages of the two interfaces. */
export const DEFAULT_DOCUMENT_FORMAT: DocumentFormat = 'json';

/** By media type, else by extension, else JSON. Many servers send CSV as `text/plain` or `application/octet-stream`. */
export function chooseDocumentFormat(contentType: string | undefined, path: string): DocumentFormat {
  const mediaType = (contentType ?? '').split(';', 1)[0]?.trim() ?? '';
  return findFormat(mediaType) ?? findFormat(path) ?? DEFAULT_DOCUMENT_FORMAT;
}

function findFormat(text: string): DocumentFormat | undefined {
  return PATTERNS.find(([, pattern]) => pattern.test(text))?.[0];
}
