import { documentUpstream, writeCsv } from '../support/upstream/document-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

/** A failure that only published documents show. Its row in docs/failures.md has the same id. */
export interface DocumentFailure {
  readonly id: string;
  /** Further settings of the document at an address. */
  readonly document: (address: string) => object;
  /** The server while it works; it has the entries of `DOCUMENT_ENTRIES`. */
  readonly good: RequestHandler;
  readonly bad: RequestHandler;
  /** Whether the document has been read before it fails. */
  readonly isKnown?: true;
  /** Records of the source that are shown nevertheless. */
  readonly shown: number;
  /** Requests that are sent for the checked response. */
  readonly requests: number;
}

/** The entries of the faulty document while it works. */
export const DOCUMENT_ENTRIES = Array.from({ length: 4 }, (_, at) => ({
  name: `Troubled ${at}`,
  mail: `t${at}@example.org`,
}));

/** Entries on a page of a document that has several. */
const SIZE = 2;

const COLUMNS = ['name', 'mail'];

const nothing = (): object => ({});
const linked = documentUpstream({ pages: 'linked', size: SIZE }, DOCUMENT_ENTRIES);
const single = documentUpstream({}, DOCUMENT_ENTRIES);
const linkedBy = (): object => ({ next: 'next' });
const second = (address: string): object => ({
  join: { url: `${address}/second`, records: 'entries', on: ['name', 'name'], as: 'second' },
});

const sendFromOffset: RequestHandler = ({ query }, response) => {
  const from = Number(query.get('from'));
  response.end(JSON.stringify({ entries: DOCUMENT_ENTRIES.slice(from, from + SIZE) }));
};
const linkElsewhere: RequestHandler = (_, response) => {
  const entries = DOCUMENT_ENTRIES.slice(0, SIZE);
  response.writeHead(200, { Link: '<http://127.0.0.1:9/teams>; rel="next"' }).end(JSON.stringify({ entries }));
};
const sendJson = (value: object): RequestHandler => faulty.body(JSON.stringify(value));

/** The rows of docs/failures.md about documents. */
export const documentFailureCatalogue: readonly DocumentFailure[] = [
  {
    id: 'no-entries',
    document: nothing,
    good: single,
    bad: sendJson({ items: DOCUMENT_ENTRIES, note: faulty.SOURCE_TEXT }),
    shown: 0,
    requests: 1,
  },
  {
    id: 'no-names',
    document: nothing,
    good: single,
    bad: sendJson({ entries: DOCUMENT_ENTRIES.map(({ name, mail }, at) => (at < 2 ? { name, mail } : { mail })) }),
    shown: 0,
    requests: 1,
  },
  {
    id: 'renamed-column',
    document: nothing,
    good: single,
    bad: sendJson({ entries: DOCUMENT_ENTRIES.map(({ name, mail }) => ({ name, eMail: mail })) }),
    isKnown: true,
    shown: DOCUMENT_ENTRIES.length,
    requests: 1,
  },
  {
    id: 'markup-as-csv',
    document: () => ({ format: 'csv', records: '@' }),
    good: documentUpstream({ write: writeCsv(COLUMNS) }, DOCUMENT_ENTRIES),
    bad: faulty.body(`<p>${faulty.SOURCE_TEXT}</p>`),
    shown: 0,
    requests: 1,
  },
  {
    id: 'next-elsewhere',
    document: linkedBy,
    good: linked,
    bad: sendJson({ entries: DOCUMENT_ENTRIES.slice(0, SIZE), next: 'http://127.0.0.1:9/teams' }),
    shown: 0,
    requests: 1,
  },
  {
    id: 'broken-link',
    document: linkedBy,
    good: linked,
    bad: faulty.when(({ query }) => query.has('from'), faulty.status(404), linked),
    shown: 0,
    requests: 2,
  },
  {
    id: 'link-circle',
    document: linkedBy,
    good: linked,
    bad: sendJson({ entries: DOCUMENT_ENTRIES.slice(0, SIZE), next: '?from=1' }),
    shown: SIZE,
    requests: 2,
  },
  {
    id: 'page-ignored',
    document: () => ({ page: { parameter: 'page' } }),
    good: documentUpstream({ pages: 'counted', size: SIZE }, DOCUMENT_ENTRIES),
    bad: sendJson({ entries: DOCUMENT_ENTRIES.slice(0, SIZE) }),
    shown: SIZE,
    requests: 2,
  },
  {
    id: 'link-elsewhere',
    document: nothing,
    good: single,
    bad: linkElsewhere,
    shown: SIZE,
    requests: 1,
  },
  {
    id: 'unread-pages',
    document: nothing,
    good: single,
    bad: sendJson({ entries: DOCUMENT_ENTRIES.slice(0, SIZE), total: DOCUMENT_ENTRIES.length }),
    shown: SIZE,
    requests: 1,
  },
  {
    id: 'overlapping',
    document: () => ({ page: { parameter: 'from', from: 0 } }),
    good: documentUpstream({ pages: 'linked', size: SIZE, write: (entries) => ({ entries }) }, DOCUMENT_ENTRIES),
    bad: sendFromOffset,
    shown: SIZE,
    requests: 2,
  },
  {
    id: 'second-document',
    document: second,
    good: single,
    bad: faulty.when(({ path }) => path.endsWith('/second'), faulty.status(403), single),
    shown: 0,
    requests: 1,
  },
];
