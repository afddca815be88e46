import { describe, expect, it } from 'vitest';
import { listStoredProperties } from '../../../src/model/resource.js';
import type { RecordSet } from '../../../src/records/record-set.js';
import { buildFeedLists } from '../../../src/lists/feeds/feed-lists.js';
import type { FeedLists } from '../../../src/lists/feeds/feed-lists.js';
import { feedChannel, feedRecordSet } from '../../support/unit/feed-record-set.js';
import type { FeedEntryInput } from '../../support/unit/feed-record-set.js';

const [ALL, CRITICAL] = ['https://cert.example.org/all.xml', 'https://cert.example.org/critical.xml'];

function build(...feeds: readonly (readonly FeedEntryInput[])[]): Promise<FeedLists> {
  return buildFeedLists(
    feeds.map((entries, at) => ({ set: feedRecordSet(entries, 100 + at), title: undefined })),
    { code: 'cert', number: 7 },
  );
}

/** The shown properties of each record, without its source-name. */
function show({ resource, records }: RecordSet): readonly Readonly<Record<string, unknown>>[] {
  return records.map((record) => {
    const named = listStoredProperties(resource).map(({ name }, at) => [name, record.valueAt(at)] as const);
    const shown = named.filter(([name, value]) => value !== undefined && !/^\(|source-name/.test(name));
    return Object.fromEntries([...shown, ...record.extraProperties]);
  });
}

function item(name: string, more: Partial<FeedEntryInput> = {}): FeedEntryInput {
  const link = `https://cert.example.org/${name}`;
  return { identity: `guid ${name}`, distinction: `link ${link}`, title: name, link, ...more };
}

function channelsOf(lists: FeedLists): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    lists.news.records.map(({ id }) => {
      const [detail] = show(lists.selectItem(id));
      return [String(detail?.['title']), detail?.['channels']];
    }),
  );
}

describe('lists of a source that consists of feeds', () => {
  it('have each item as news, and each feed as a channel', async () => {
    const channel = { title: 'All', link: 'https://cert.example.org/', image: 'https://cert.example.org/i.png' };
    const published = 'Thu, 26 Nov 2026 10:00:00 GMT';
    const lists = await build([
      feedChannel(ALL, { ...channel, summary: 'Everything', copyright: 'CERT' }),
      item('one', { summary: 'First', published, content: '<p>First</p>', updated: '2026-11-26T11:00:00+00:00' }),
    ]);
    const [record] = lists.news.records;
    const id = Number(record?.id);
    expect(id % 1_000).toBe(7);
    const listed = { id, title: 'one', summary: 'First', link: 'https://cert.example.org/one', published };
    const updated = { '-cert-updated': '2026-11-26T11:00:00+00:00' };
    expect(show(lists.news)).toEqual([{ ...listed, ...updated }]);
    expect(show(lists.selectItem(String(id)))).toEqual([
      { ...listed, content: '<p>First</p>', channels: ['All'], ...updated },
    ]);
    const [shown] = show(lists.channels);
    expect(shown).toMatchObject({ ...channel, rss: ALL, summary: 'Everything', copyright: 'CERT' });
    expect(lists.news.readAt).toBe(100);
  });

  it('have an item of two feeds once, on both channels, with the values of the first feed', async () => {
    const lists = await build(
      [feedChannel(ALL, { title: 'All' }), item('one', { summary: 'long' }), item('two')],
      [feedChannel(CRITICAL, { title: 'Critical' }), item('one', { summary: 'short' }), item('three')],
    );
    expect(show(lists.news).map(({ title, summary }) => [title, summary])).toEqual([
      ['one', 'long'],
      ['two', undefined],
      ['three', undefined],
    ]);
    expect(channelsOf(lists)).toEqual({ one: ['All', 'Critical'], two: ['All'], three: ['Critical'] });
  });

  it('never join items of two feeds with the same guid and different links', async () => {
    const link = 'https://cert.example.net/other';
    const lists = await build(
      [feedChannel(ALL, { title: 'All' }), item('one')],
      [
        feedChannel(CRITICAL, { title: 'Critical' }),
        item('one', { title: 'other', link, distinction: `link ${link}` }),
      ],
    );
    expect(channelsOf(lists)).toEqual({ one: ['All'], other: ['Critical'] });
    expect(new Set(lists.news.records.map(({ id }) => id)).size).toBe(2);
  });

  it('use the title of the registration instead of the one of the feed', async () => {
    const set = feedRecordSet([feedChannel(ALL, { title: 'Feed' }), item('one')]);
    const lists = await buildFeedLists([{ set, title: 'Advisories' }], { code: 'cert', number: 7 });
    expect(show(lists.channels)).toMatchObject([{ title: 'Advisories' }]);
    expect(channelsOf(lists)).toEqual({ one: ['Advisories'] });
  });

  it('select the items of all channels with a folded title', async () => {
    const lists = await build(
      [feedChannel(ALL, { title: 'Überblick' }), item('one')],
      [feedChannel(CRITICAL, { title: 'Critical' }), item('two')],
      [feedChannel('https://cert.example.org/3.xml', { title: 'uberblick' }), item('three')],
    );
    expect(show(await lists.selectChannel('uberblick')).map(({ title }) => title)).toEqual(['one', 'three']);
    expect(show(await lists.selectChannel('uber'))).toEqual([]);
    expect(lists.selectItem('1007').records).toEqual([]);
  });

  it('keep each of several items with one guid on the channels of all feeds that have it', async () => {
    const two = item('one', { title: 'two', distinction: 'link 2' });
    const lists = await build(
      [feedChannel(ALL, { title: 'All' }), item('one'), two],
      [feedChannel(CRITICAL, { title: 'Critical' }), item('one')],
      [feedChannel('https://cert.example.org/3.xml', { title: 'Third' }), two],
    );
    expect(channelsOf(lists)).toEqual({ one: ['All', 'Critical'], two: ['All', 'Third'] });
    const entries = feedRecordSet([item('one'), two]).records;
    expect(entries.map((entry) => lists.idOf(entry))).toEqual(lists.news.records.map(({ id }) => id));
  });

  it('keep the ids of items whatever else the feeds have, and in any order', async () => {
    const alone = await build([feedChannel(ALL), item('one')]);
    const among = await build([item('two'), item('one', { title: 'one, corrected' })], [feedChannel(CRITICAL)]);
    expect(among.news.records[1]?.id).toBe(alone.news.records[0]?.id);
  });
});
