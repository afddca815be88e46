import { documentFormats } from '../../model/registration/document-mapping.js';
import { parseUrl } from '../../text/url.js';
import { mapping, patternField, scalar, section, word } from './schema-builders.js';

/** Reads an absolute URL, which may have a query: an address may name the list that it gives. */
function readDocumentUrl(text: string): string | undefined {
  const url = /^https?:\/\/[^\s\\#]+$/i.test(text) ? parseUrl(text) : undefined;
  return url?.username === '' && url.password === '' ? url.href : undefined;
}

const expression = patternField('a JMESPath expression', /\S/);

/** Settings that the rules between settings read as well. */
export const publishedDocumentFields = { expression };

/** Schema of a published document (operation 2.8.16). The rules between its settings check the expressions. */
export const publishedDocument = section({
  url: scalar('an absolute http or https URL without credentials and fragment', readDocumentUrl).optional(),
  file: patternField('the path of a file', /^[^\p{Cc}]*[^\p{Cc}/]$/u).optional(),
  format: word('json, ndjson or csv', documentFormats).optional(),
  records: expression.default('@'),
  map: mapping(expression, 'properties to expressions'),
  defaults: mapping(patternField('text of at least one character', /\S/), 'properties to values'),
  only: expression.optional(),
});
