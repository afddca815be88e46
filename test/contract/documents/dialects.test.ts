import { documentPageOf, documentUpstream, writeCsv } from '../../support/upstream/document-upstream.js';
import type { DocumentForm } from '../../support/upstream/document-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import type { ListBehaviour, RawRecord } from '../../support/upstream/paged-responses.js';
import type { RequestHandler, UpstreamRequest } from '../../support/upstream/upstream-server.js';
import { testConformance } from '../conformance.js';
import { testChangingPages } from '../conformance/changing-pages.js';
import { ONE_PART } from '../contract-fixture.js';
import type { DialectFixture } from '../contract-fixture.js';
import { INVALID_CSV, INVALID_JSON } from '../conformance/invalid-bodies.js';

const numbered = (at: number): string => String(at).padStart(5, '0');

const MAP = { 'short-team-name': 'name', email: 'mail' };

/** The registration of a document with further settings. */
const registered =
  (settings: object) =>
  (address: string): object => ({ document: { url: `${address}/teams`, records: 'entries', map: MAP, ...settings } });

const served =
  (form: DocumentForm) =>
  (entries: readonly unknown[], behaviour?: ListBehaviour): RequestHandler =>
    documentUpstream(form, entries, behaviour);

const PAGES = { partOf: documentPageOf, lastPart: 2, isPaged: true };

/** A document of teams in JSON, in one page. */
const teams: DialectFixture = {
  ...ONE_PART,
  name: 'a document',
  list: '/directory/v1/teams',
  accept: 'application/json, application/x-ndjson, text/csv, application/yaml, application/xml, text/xml, */*;q=0.5',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({ name: `Team ${numbered(at)}`, mail: `t${at}@a.example.org` })),
  serve: served({}),
  source: registered({}),
  nameOf: (record) => String(record['short-team-name'] ?? record['name']),
  twins: 'two-records',
  invalidBodies: INVALID_JSON,
};

testConformance(teams);

const linkedPages: DialectFixture = {
  ...teams,
  ...PAGES,
  name: 'a document with linked pages',
  serve: served({ pages: 'linked' }),
  source: registered({ next: 'next' }),
};

testConformance(linkedPages);
testChangingPages(linkedPages);

testConformance({
  ...teams,
  ...PAGES,
  name: 'a document with counted pages',
  serve: served({ pages: 'counted' }),
  source: registered({ page: { parameter: 'page' } }),
});

testConformance({
  ...teams,
  name: 'a document in CSV',
  serve: served({ write: writeCsv(['name', 'mail', 'host']), mediaType: 'text/csv' }),
  source: registered({ records: '@' }),
  invalidBodies: INVALID_CSV,
  emptyListReason: 'body',
  // The last cell of the last row, which is empty. Lines without cells count towards the limit of values.
  pad: (body, length) => Buffer.concat([body, Buffer.alloc(length - body.length, 'x')]),
});

const isSecond = ({ path }: UpstreamRequest): boolean => path.endsWith('/second');

/** The entries of a second document, which has the names of the teams of the first. */
const namesOf = (entries: readonly unknown[]): readonly unknown[] =>
  entries.map((entry) => {
    const name: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined;
    return { owner: name, title: name };
  });

testConformance({
  ...teams,
  partOf: (request) => (isSecond(request) ? 0 : 1),
  lastPart: 1,
  name: 'two documents',
  serve: (entries, behaviour) => {
    const second = documentUpstream({ write: (all) => ({ entries: namesOf(all) }) }, entries, behaviour);
    return faulty.when(isSecond, second, documentUpstream({}, entries, behaviour));
  },
  source: (address) =>
    registered({
      map: { ...MAP, 'short-team-name': 'more[0].title' },
      join: { url: `${address}/second`, records: 'entries', on: ['name', 'owner'], as: 'more' },
    })(address),
});

testConformance({
  ...teams,
  name: 'a document of news',
  list: '/data/v1/news',
  records: (count) =>
    Array.from({ length: count }, (_, at): RawRecord => ({
      id: at + 1,
      headline: `Item ${numbered(at)}`,
      date: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
    })),
  twins: 'one-record',
  source: registered({ resource: 'news', map: { id: 'id', title: 'headline', published: 'date' } }),
  nameOf: (record) => String(record['title'] ?? record['headline']),
});
