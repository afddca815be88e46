import { csvEncodings, documentFormats } from '../../model/registration/document-mapping.js';
import { integer, list, mapping, scalar, section, setting, text, word } from './setting-types.js';
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
  url: setting(urlWithQuery.optional(), 'address'),
  file: setting(text('the path of a file', /^[^\p{Cc}]*[^\p{Cc}/]$/u).optional(), 'file'),
  format: setting(
    word('json, ndjson, csv, rollcall-csv, yaml or xml', documentFormats).optional(),
    'format of the document',
  ),
  delimiter: setting(delimiter.optional(), 'delimiter of CSV'),
  encoding: setting(word('utf-8, utf-16, windows-1252 or iso-8859-1', csvEncodings).optional(), 'encoding of CSV'),
  records: setting(expression.optional(), 'where the list of records is'),
  next: setting(expression.optional(), 'where the address of the next page is, at the same origin'),
  page: section({
    parameter: setting(
      text('a parameter name: letters, digits and _.~-', /^[\w.~-]+$/).optional(),
      'query parameter with the number of the page, or of the entries before it',
    ),
    from: setting(integer(0).default(1), 'number of the first page'),
    step: setting(
      integer(1).default(1),
      'by how much it is raised for each further page: 1 if it counts pages, the number of entries on a page if it counts entries',
    ),
  }),
};

const join = section({
  ...address,
  on: setting(list('two expressions', expression), 'the key of a record of the first document, and that of the second'),
  as: setting(
    text('a name of letters, digits and _', /^[A-Za-z_]\w*$/).optional(),
    'name of the list of added records',
  ),
});

/** The rules between its settings check the expressions (operation 2.8.16). */
export const document = section({
  ...address,
  resource: setting(word('teams or news', ['teams', 'news']).default('teams'), 'what the document lists'),
  map: mapping(
    setting(
      expression,
      'value of a property of teams (of either interface) or of news, of a further property, or of a -<code>-… property',
    ),
    'properties to expressions',
  ),
  defaults: mapping(
    setting(text('text of at least one character', /\S/), 'value of the property where a record has none'),
    'properties to values',
  ),
  only: setting(expression.optional(), 'which records are used'),
  join: join.optional(),
});
