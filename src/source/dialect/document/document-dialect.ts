import type { DocumentAddress, PublishedDocument } from '../../../model/registration/document-mapping.js';
import { parseUrl, replaceParameter } from '../../../text/url.js';
import { SourceFailure } from '../../client/source-failure.js';
import type { Dialect, LinkedList } from '../dialect.js';
import type { PageFormat } from '../page-parser.js';

/** Media types of published documents. Many servers send them under another type. */
const ACCEPT_DOCUMENT =
  'application/json, application/x-ndjson, text/csv, application/yaml, application/xml, text/xml, */*;q=0.5';

/** Creates the dialect of a published document (decisions 4.27; operation 2.8.16). */
export function createDocumentDialect({ url, page, mapping, joined }: PublishedDocument): Dialect {
  return {
    addresses: [url],
    accept: ACCEPT_DOCUMENT,
    paging: {
      kind: 'linked',
      list: createLinkedList({ url, page }, { kind: 'document', mapping }),
      joined: joined && createLinkedList(joined, { kind: 'joined', layout: joined.layout }),
    },
  };
}

function createLinkedList({ url, page }: DocumentAddress, format: PageFormat): LinkedList {
  if (page === undefined)
    return {
      firstPage: new URL(url),
      format,
      isCounted: false,
      nextPage: (current, facts) => (facts?.next === undefined ? undefined : resolveNextPage(facts.next, current)),
    };
  const { parameter, from } = page;
  const pageUrl = (number: number): URL => replaceParameter(new URL(url), parameter, String(number));
  return {
    firstPage: pageUrl(from),
    format,
    isCounted: true,
    nextPage: (current, facts) =>
      facts === undefined || facts.entryCount === 0
        ? undefined
        : pageUrl(Number(current.searchParams.get(parameter)) + 1),
  };
}

/** Resolves the address that a page names for the next one, which must have the origin of the page and no credentials (decisions 8.5). */
function resolveNextPage(link: string, current: URL): URL {
  const url = parseUrl(link, current);
  const isSameOrigin = url?.protocol === current.protocol && url.host === current.host;
  if (isSameOrigin && url.username === '' && url.password === '') return url;
  // The address may repeat a credential of the request.
  throw new SourceFailure('redirect', 'a next page at another origin');
}
