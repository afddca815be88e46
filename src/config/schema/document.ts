import { csvEncodings, documentFormats } from '../../model/registration/document-mapping.js';
import { integer, list, mapping, scalar, section, text, word } from './setting-types.js';
import { urlWithQuery } from './values.js';

const expression = text(
  'a JMESPath expression; put it in quotes if it begins with a bracket, a quotation mark, & or *',
  /\S/,
);

/** A quotation mark and line breaks have a meaning of their own. */
const delimiter = scalar('one character or the word tab', (raw) => {
  if (raw === 'tab') return '\t';
  return /^[^"\r\n]$/.test(raw) ? raw : undefined;
});

/** Where the document and its entries are. The second document has the same settings. */
const address = {
  url: urlWithQuery.optional().describe('address'),
  file: text('the path of a file', /^[^\p{Cc}]*[^\p{Cc}/]$/u)
    .optional()
    .describe('file'),
  format: word('json, ndjson, csv, rollcall-csv, yaml or xml', documentFormats)
    .optional()
    .describe('format of the document'),
  delimiter: delimiter.optional().describe('delimiter of CSV'),
  encoding: word('utf-8, utf-16, windows-1252 or iso-8859-1', csvEncodings).optional().describe('encoding of CSV'),
  records: expression.optional().describe('where the list of records is'),
  next: expression.optional().describe('where the address of the next page is'),
  page: section({
    parameter: text('a parameter name: letters, digits and _.~-', /^[\w.~-]+$/)
      .optional()
      .describe('query parameter with the number of the page, or of the entries before it'),
    from: integer(0).default(1).describe('number of the first page'),
    step: integer(1).default(1).describe('by how much it is raised for each further page'),
  }),
};

const join = section({
  ...address,
  on: list('two expressions', expression).describe('the key of a record of the first document, and that of the second'),
  as: text('a name of letters, digits and _', /^[A-Za-z_]\w*$/)
    .optional()
    .describe('name of the list of added records'),
});

/** The rules between its settings check the expressions (operation 2.8.16). */
export const document = section({
  ...address,
  resource: word('teams or news', ['teams', 'news']).default('teams').describe('what the document lists'),
  map: mapping(expression.describe('value of a property'), 'properties to expressions'),
  defaults: mapping(
    text('text of at least one character', /\S/).describe('value of the property where a record has none'),
    'properties to values',
  ),
  only: expression.optional().describe('which records are used'),
  join: join.optional(),
});
