import * as faulty from '../support/upstream/faulty-responses.js';
import { writtenFeedUpstream, feedsUpstream, writeFeed } from '../support/upstream/written-feeds.js';
import type { WrittenItem } from '../support/upstream/written-feeds.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

/** A failure that only feeds show. Its row in docs/failures.md has the same id. */
export interface FeedFailure {
  readonly id: string;
  /** Handles the requests to the first feed while it fails. */
  readonly bad: RequestHandler;
  /** Whether the second feed fails in the same way; by default it works. Absent: the source has one feed. */
  readonly second?: 'works' | 'fails';
  /** Whether the feeds have been read before the first one fails. */
  readonly isKnown?: true;
  /** Records of the source that are shown nevertheless. */
  readonly shown: number;
  /** Requests that are sent for the checked response. */
  readonly requests: number;
}

/** Items of the first feed while it works: enough for the shrink guard. */
export const FIRST_ITEMS = numberedItems('First', 30);

/** Items of the second feed. */
export const SECOND_ITEMS = numberedItems('Second', 2);

function numberedItems(name: string, count: number): readonly WrittenItem[] {
  return Array.from({ length: count }, (_, at) => ({
    guid: `tag:example.org,2026:${name}-${at}`,
    title: `${name} ${at}`,
    link: `/${name}/${at}`,
    published: new Date(Date.UTC(2025, 0, 1 + at)).toUTCString(),
  }));
}

const GOOD_FIRST = writtenFeedUpstream({ form: 'rss', title: 'First', items: FIRST_ITEMS });
const GOOD_SECOND = writtenFeedUpstream({ form: 'atom', title: 'Second', items: SECOND_ITEMS });

/** Handles requests to both feeds, with `first` as the handler of the first one. */
export function serveBoth(first: RequestHandler = GOOD_FIRST, second: RequestHandler = GOOD_SECOND): RequestHandler {
  return feedsUpstream(
    new Map([
      ['/v1/first', first],
      ['/v1/second', second],
    ]),
  );
}

const text = writeFeed({ form: 'rss', title: 'First', items: FIRST_ITEMS });

/** Ten names, each of which stands for ten of the one before: a billion characters in the end. */
const BOMB =
  '<!DOCTYPE rss [<!ENTITY e0 "ha">' +
  Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`).join('') +
  ']><rss version="2.0"><channel><title>&e9;</title></channel></rss>';

/** `max-body` of the feeds, in bytes. */
export const MAX_BODY = 1024 * 1024;

/** The last rows of docs/failures.md. */
export const feedFailureCatalogue: readonly FeedFailure[] = [
  { id: 'feed-page', bad: faulty.body(`<!doctype html><p>${faulty.SOURCE_TEXT}`), shown: 0, requests: 1 },
  { id: 'feed-cut', bad: faulty.body(text.slice(0, text.length / 2)), shown: 0, requests: 1 },
  { id: 'feed-entities', bad: faulty.body(BOMB), shown: 0, requests: 1 },
  {
    id: 'feed-nested',
    bad: faulty.body(text.replace('</item>', `${'<b>'.repeat(500)}${'</b>'.repeat(500)}</item>`)),
    shown: 0,
    requests: 1,
  },
  {
    id: 'feed-bases',
    bad: faulty.body(
      text
        .replace('<rss', `<rss xml:base="/${'a/'.repeat(4_000)}"`)
        .replace('</item>', `</item>${'<item/>'.repeat(200)}`),
    ),
    shown: 0,
    requests: 1,
  },
  {
    id: 'feed-large',
    bad: faulty.body(text.replace('</channel>', `${'<item/>'.repeat(MAX_BODY / 7)}</channel>`)),
    shown: 0,
    requests: 1,
  },
  { id: 'feed-other-root', bad: faulty.body(`<opml><p>${faulty.SOURCE_TEXT}</p></opml>`), shown: 0, requests: 1 },
  {
    id: 'feed-no-names',
    bad: writtenFeedUpstream({ form: 'rss', items: FIRST_ITEMS.map(({ guid }) => ({ guid })) }),
    shown: 0,
    requests: 1,
  },
  { id: 'feed-gone', bad: faulty.status(404), shown: 0, requests: 1 },
  { id: 'feed-moved', bad: faulty.redirectTo('http://127.0.0.1:9'), shown: 0, requests: 1 },
  {
    id: 'feed-slow',
    bad: neverResponds,
    shown: 0,
    requests: 1,
  },
  {
    id: 'feed-emptied',
    bad: writtenFeedUpstream({ form: 'rss', title: 'First', items: [] }),
    isKnown: true,
    shown: FIRST_ITEMS.length,
    requests: 1,
  },
  {
    id: 'feed-fallen',
    bad: writtenFeedUpstream({ form: 'rss', title: 'First', items: FIRST_ITEMS.slice(0, 3) }),
    isKnown: true,
    shown: FIRST_ITEMS.length,
    requests: 1,
  },
  { id: 'feed-missing', bad: faulty.status(404), second: 'works', shown: SECOND_ITEMS.length, requests: 2 },
  {
    id: 'feed-stale',
    bad: faulty.status(404),
    second: 'works',
    isKnown: true,
    shown: FIRST_ITEMS.length + SECOND_ITEMS.length,
    // A source that refuses a conditional request is requested without condition (decisions 7.4).
    requests: 3,
  },
  { id: 'feeds-gone', bad: faulty.status(404), second: 'fails', shown: 0, requests: 2 },
];
