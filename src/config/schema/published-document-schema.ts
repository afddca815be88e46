import { csvEncodings, documentFormats } from '../../model/registration/document-mapping.js';
import { integer, list, mapping, patternField, scalar, section, word } from './schema-builders.js';
import { urlWithQuery } from './value-types.js';

/** A quotation mark and line breaks have a meaning of their own. */
function readDelimiter(text: string): string | undefined {
  if (text === 'tab') return '\t';
  return /^[^"\r\n]$/.test(text) ? text : undefined;
}

const expression = patternField(
  'a JMESPath expression; put it in quotes if it begins with a bracket, a quotation mark, & or *',
  /\S/,
);
const format = word('json, ndjson, csv, rollcall-csv, yaml or xml', documentFormats).optional();
const resource = word('teams or news', ['teams', 'news']).default('teams');

const file = patternField('the path of a file', /^[^\p{Cc}]*[^\p{Cc}/]$/u).optional();

export const publishedDocumentFields = { expression, file, format, resource };

/** Where the document and its entries are. The second document has the same settings. */
const address = {
  url: urlWithQuery.optional(),
  file,
  format,
  delimiter: scalar('one character or the word tab', readDelimiter).optional(),
  encoding: word('utf-8, utf-16, windows-1252 or iso-8859-1', csvEncodings).optional(),
  records: expression.optional(),
  next: expression.optional(),
  page: section({
    parameter: patternField('a parameter name: letters, digits and _.~-', /^[\w.~-]+$/).optional(),
    from: integer(0).default(1),
    step: integer(1).default(1),
  }),
};

const join = section({
  ...address,
  on: list('two expressions', expression),
  as: patternField('a name of letters, digits and _', /^[A-Za-z_]\w*$/).optional(),
});

/** The rules between its settings check the expressions (operation 2.8.16). */
export const publishedDocument = section({
  ...address,
  resource,
  map: mapping(expression, 'properties to expressions'),
  defaults: mapping(patternField('text of at least one character', /\S/), 'properties to values'),
  only: expression.optional(),
  join: join.optional(),
});
