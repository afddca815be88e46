import fc from 'fast-check';
import { FEED_FORMS } from '../../support/upstream/written-feeds.js';
import { isReadable } from '../model/feeds.js';
import type { OracleContent, OracleFeed, OracleItem } from '../model/feeds.js';

const TITLES = [
  ...['CERT', 'cert', 'Cért', 'CERT 9', 'CERT 10', 'Ørsted CERT', 'STRASSE', 'Straße', '日本CERT', 'ΣΟΦΙΑΣ', 'فريق'],
  ...['Team \u{1F6E1}', 'Team \uFFFD', 'Events & more', 'a < b', '10', '!!!', '__proto__'],
];
const SUMMARIES = ['Example Org', 'EXAMPLE ORG', 'Exämple, Ltd.', 'a|b', '=1+1', 'null'];
const LINKS = [
  ...['https://www.example.org/a', 'HTTPS://www.example.org/a', '/a', '/A?b=c&d=e', 'b.html', '../c', '#here'],
  ...['//cdn.example.net/d', 'javascript:alert(1)', 'mailto:press@example.org', 'data:text/html,x'],
];
const DATES = [
  ...['Thu, 02 Apr 2026 21:28:40 GMT', 'Thu, 02 Apr 2026 21:28:40 +0200', 'Thu, 02 Apr 2026 21:28:40 EST'],
  ...['2026-04-02T21:28:40Z', '2016-06-09T13:59:39+02:00', '2015-06-03', '2008-09-08T00:00:00Z', 'long ago'],
  ...['Tue, 01 Jan 2999 00:00:00 GMT', '2999-01-01T00:00:00+00:00'],
];
const GUIDS = [
  '1',
  '2',
  'tag:example.org,2026:1',
  'tag:example.org,2026:2',
  'https://www.example.org/item/1',
  'urn:x:3',
];

const CONTENTS: readonly OracleContent[] = [
  { html: '<p>Read <b>this</b>.</p>', clean: '<p>Read <b>this</b>.</p>', text: 'Read this.' },
  { html: '<p>Safe</p><script>alert(1)</script>', clean: '<p>Safe</p>', text: 'Safe' },
];

const HOSTS = ['news.example.org', 'press.example.net'];

/** An item; any property may be missing. */
const item: fc.Arbitrary<OracleItem> = fc.record(
  {
    guid: fc.constantFrom(...GUIDS),
    title: fc.constantFrom(...TITLES),
    summary: fc.constantFrom(...SUMMARIES),
    link: fc.constantFrom(...LINKS),
    published: fc.constantFrom(...DATES),
    updated: fc.constantFrom(...DATES),
    content: fc.constantFrom(...CONTENTS),
  },
  { requiredKeys: [] },
);

/** One to four feeds of a source. Some of their items are the same. */
export function randomFeeds(code: string): fc.Arbitrary<readonly OracleFeed[]> {
  return fc.array(item, { minLength: 1, maxLength: 12 }).chain((common) => {
    const items = fc.array(fc.oneof(item, fc.constantFrom(...common)), { maxLength: 12, size: 'max' });
    const feed = fc.record({
      form: fc.constantFrom(...FEED_FORMS),
      host: fc.constantFrom(...HOSTS),
      isTitled: fc.boolean(),
      title: fc.constantFrom('News', 'NEWS', 'Events & more', 'Блог', undefined),
      link: fc.constantFrom('https://www.example.org/', '/', 'javascript:alert(1)'),
      summary: fc.constantFrom('About us', undefined),
      items,
    });
    return fc.array(feed, { minLength: 1, maxLength: 4 }).map((feeds) =>
      feeds
        .map(({ host, isTitled, ...one }, at) => ({
          ...one,
          url: `http://${host}/${code}/${at}`,
          registeredTitle: isTitled ? `Channel ${at}` : undefined,
        }))
        .map((one) => (isReadable(one) ? one : { ...one, items: [] })),
    );
  });
}
