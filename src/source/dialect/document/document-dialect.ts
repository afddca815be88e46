import type { DocumentAddress, PublishedDocument } from '../../../model/registration/document-mapping.js';
import { parseUrl, replaceParameter } from '../../../text/url.js';
import { SourceFailure } from '../../client/source-failure.js';
import type { Dialect, LinkedList } from '../dialect.js';
import type { PageFormat } from '../page-parser.js';

/** Many servers send another type. */
const ACCEPT_DOCUMENT =
  'application/json, application/x-ndjson, text/csv, application/yaml, application/xml, text/xml, */*;q=0.5';

/** Decisions 4.27; operation 2.8.16. */
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
      step: undefined,
      nextPage: (current, facts) => {
        if (facts?.next === undefined)
          return facts?.linkedNext === undefined ? undefined : resolveLink(facts.linkedNext, current);
        const url = resolveLink(facts.next, current);
        // The address may repeat a request's credential.
        if (url === undefined) throw new SourceFailure('redirect', 'a next page at another origin');
        return url;
      },
    };
  const { parameter, from, step } = page;
  const pageUrl = (number: number): URL => replaceParameter(new URL(url), parameter, String(number));
  return {
    firstPage: pageUrl(from),
    format,
    step,
    nextPage: (current, facts) =>
      facts === undefined || facts.entryCount === 0
        ? undefined
        : pageUrl(Number(current.searchParams.get(parameter)) + step),
  };
}

/** Undefined for another origin than the page's, or with credentials (decisions 8.5). */
function resolveLink(link: string, current: URL): URL | undefined {
  const url = parseUrl(link, current);
  const isSameOrigin = url?.protocol === current.protocol && url.host === current.host;
  return isSameOrigin && url.username === '' && url.password === '' ? url : undefined;
}
