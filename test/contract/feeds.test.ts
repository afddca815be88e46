import { documentUpstream } from '../support/upstream/document-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { writeRss } from '../support/upstream/feed-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import { testConformance } from './conformance.js';
import { ONE_PART } from './contract-fixture.js';
import type { InvalidBody } from './conformance/invalid-bodies.js';

const numbered = (at: number): string => String(at).padStart(5, '0');

const items = (entries: readonly unknown[]): readonly object[] =>
  entries.filter((entry): entry is object => typeof entry === 'object' && entry !== null);

/** Bodies that are no feed. */
const INVALID_FEEDS: readonly InvalidBody[] = [
  ['an HTML page', faulty.body('<!doctype html><p>Welcome'), 'body'],
  ['an empty body', faulty.body(''), 'body'],
  ['a feed without its end', faulty.body('<rss version="2.0"><channel><title>A</title>'), 'body'],
  ['XML that is no feed', faulty.body('<teams><team/></teams>'), 'body'],
  ['JSON that is no feed', faulty.body('{"items":[]}'), 'body'],
  ['a feed without readable items', faulty.body(writeRss([{ guid: 'a' }, { guid: 'b' }])), 'schema'],
];

testConformance({
  ...ONE_PART,
  name: 'a feed',
  list: '/data/v1/news',
  accept:
    'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml, text/xml, ' +
    'application/json;q=0.9, */*;q=0.5',
  records: (count) =>
    Array.from({ length: count }, (_, at): RawRecord => ({
      guid: `urn:example:${at}`,
      title: `Item ${numbered(at)}`,
      pubDate: new Date(Date.UTC(2010, 0, 1) - at * 60_000).toUTCString(),
    })),
  serve: (entries, behaviour) =>
    documentUpstream({ mediaType: 'application/rss+xml', write: (list) => writeRss(items(list)) }, entries, behaviour),
  source: (address) => ({ feed: `${address}/rss.xml` }),
  nameOf: (record) => String(record['title']),
  invalidBodies: INVALID_FEEDS,
  twins: 'two-versions',
});
