import { afterEach, expect, test } from 'vitest';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { startPreviewScene } from '../../support/unit/preview-command.js';
import type { PreviewScene } from '../../support/unit/preview-command.js';
import { writeRss } from '../../support/upstream/feed-upstream.js';
import type { RssItem } from '../../support/upstream/feed-upstream.js';

const open: PreviewScene[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

async function start(items: readonly RssItem[], channel: Readonly<Record<string, string>> = {}): Promise<PreviewScene> {
  const scene = await startPreviewScene(
    (_, response) => response.end(writeRss(items, channel)),
    (address) => ({ feed: [{ url: `${address}/rss.xml`, title: 'Advisories of the registration' }] }),
  );
  open.push(scene);
  return scene;
}

async function readFeed(items: readonly RssItem[], channel: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { out } = await (await start(items, channel)).preview('--json', '--limit', '10');
  const { resources } = fieldsOf(JSON.parse(out));
  return Array.isArray(resources) ? resources[0] : undefined;
}

const OLDER = {
  guid: 'a',
  title: 'Older',
  link: 'https://cert.example.org/a',
  pubDate: 'Thu, 01 Oct 2026 08:00:00 GMT',
};
const NEWER = { ...OLDER, title: 'Newer', pubDate: 'Fri, 02 Oct 2026 08:00:00 GMT' };

test('the report shows each property of an item beside what the feed states', async () => {
  const { out } = await (await start([{ ...OLDER, description: '<p>Update the <b>relay</b>.</p>' }])).preview();
  expect(out).toMatch(/^ {2}id +\d+ +-$/m);
  expect(out).toMatch(/^ {2}title +Older +"Older"$/m);
  expect(out).toMatch(/^ {2}summary +Update the relay\. +"Update the relay\."$/m);
  expect(out).toMatch(/^ {2}content +<p>Update the <b>relay<\/b>\.<\/p>/m);
  expect(out).toMatch(/^ {2}channels +Advisories of the regi\S* +-$/m);
  expect(out).toMatch(/^ {2}source-name +Example List +-$/m);
});

test('the report shows the channel, with the title of the registration beside that of the feed', async () => {
  const channel = { title: 'Advisories of the feed', copyright: 'Example CERT', description: 'All of them' };
  expect(await readFeed([OLDER], channel)).toMatchObject({
    channel: {
      format: 'RSS',
      record: {
        title: 'Advisories of the registration',
        link: 'https://cert.example.org/',
        summary: 'All of them',
        copyright: 'Example CERT',
      },
      sent: { title: 'Advisories of the feed' },
    },
  });
});

test('the report names the older one of two items with the same guid and link as dropped, with an example', async () => {
  expect(await readFeed([OLDER, NEWER])).toMatchObject({
    received: 2,
    read: 1,
    dropped: [{ rule: 'repeated-id', count: 1 }],
    records: [
      { entry: 1, dropped: 'repeated-id', sent: { title: 'Older' } },
      { entry: 2, record: { title: 'Newer' } },
    ],
    findings: [{ field: 'guid', rule: 'repeated-id', count: 1, example: 'a' }],
  });
});

test('the report keeps both of two items with the same guid and different links', async () => {
  expect(await readFeed([OLDER, { ...NEWER, link: 'https://cert.example.org/b' }])).toMatchObject({
    received: 2,
    read: 2,
    dropped: [],
    records: [{ record: { title: 'Older' } }, { record: { title: 'Newer' } }],
    findings: [{ field: 'guid', rule: 'repeated-id' }],
  });
});

test('the report assigns each record to its item where an item between is dropped', async () => {
  expect(await readFeed([OLDER, { guid: 'b' }, { ...NEWER, guid: 'c' }])).toMatchObject({
    received: 3,
    read: 2,
    dropped: [{ rule: 'no-name', count: 1 }],
    records: [{ record: { title: 'Older' } }, { dropped: 'no-name', record: {} }, { record: { title: 'Newer' } }],
    problems: [],
  });
});

test('the report says why a server would not use a feed most of whose items are empty', async () => {
  const empty = Array.from({ length: 9 }, (_, at) => ({ guid: `e${at}` }));
  expect(await readFeed([OLDER, ...empty])).toMatchObject({ read: 1, problems: [expect.stringContaining('10')] });
});

test('the report counts what is wrong with the values, with examples', async () => {
  const odd = { guid: 'x', title: 'Odd', link: 'javascript:alert(1)', pubDate: 'some day' };
  expect(await readFeed([odd])).toMatchObject({
    records: [{ record: { title: 'Odd', published: 'some day' } }],
    findings: [
      { field: 'link', rule: 'unsafe-url', count: 1 },
      { field: 'published', rule: 'unreadable-date', count: 1, example: 'some day' },
    ],
  });
});
