import { describe, expect, it } from 'vitest';
import { readSample, rss } from './read-sample.js';
import type { FeedItem } from '../../../../src/source/format/feed/read-feed.js';

const rssItem = (item: string): FeedItem | undefined => readSample(rss(`<item>${item}</item>`)).feed.items[0];
const entry = (text: string): FeedItem | undefined =>
  readSample(`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry>${text}</entry></feed>`).feed.items[0];

describe('an item of RSS', () => {
  it.each([
    ['<guid>https://example.org/x</guid>', { guid: 'https://example.org/x', link: 'https://example.org/x' }],
    ['<guid isPermaLink="true">https://example.org/x</guid>', { guid: 'https://example.org/x', link: 'https://example.org/x' }],
    ['<guid isPermaLink="false">https://example.org/x</guid>', { guid: 'https://example.org/x' }],
    ['<guid>\n x &amp; y </guid>', { guid: 'x & y' }],
    ['<pubDate>2026-11-24</pubDate><dc:date>2026-11-23</dc:date>', { published: '2026-11-24' }],
    ['<dcterms:created>2026-11-22</dcterms:created><dcterms:issued>2026-11-23</dcterms:issued>', { published: '2026-11-22' }],
    ['<ATOM:updated xmlns:ATOM="http://www.w3.org/2005/Atom">2026-11-22</ATOM:updated>', { updated: '2026-11-22' }],
    ['<x:encoded xmlns:x="http://purl.org/rss/1.0/modules/content/">&lt;p&gt;a&lt;/p&gt;</x:encoded>', { summary: 'a', content: '<p>a</p>' }],
    ['<pubDate>11/12/2026</pubDate>', { published: '11/12/2026' }],
  ])('with %s is %j', (text, item) => {
    expect(rssItem(text)).toEqual(item);
  }); // prettier-ignore
});

describe('an entry of Atom', () => {
  it.each([
    ['<title type="text">&lt;b&gt;</title>', { title: '<b>' }],
    ['<title type="html">&lt;b&gt;x&lt;/b&gt; &amp;amp;</title>', { title: 'x &' }],
    ['<title type="xhtml"><x:div xmlns:x="http://www.w3.org/1999/xhtml">a <x:b>b</x:b> &lt;c></x:div></title>', { title: 'a b <c>' }],
    ['<content type="text/html">&lt;p&gt;x&lt;/p&gt;</content>', { summary: 'x', content: '<p>x</p>' }],
    ['<content type="image/png">aGk=</content>', {}],
    ['<link rel="self" href="/s"/><link href="/a"/>', { link: 'https://cert.example.org/a' }],
    ['<link rel="related" href="/s"/>', {}],
    ['<link type="application/pdf" href="/p"/><link type="text/html; charset=utf-8" href="/h"/>', { link: 'https://cert.example.org/h' }],
    ['<updated>2026-11-24</updated>', { published: '2026-11-24', updated: '2026-11-24' }],
  ])('with %s is %j', (text, item) => {
    expect(entry(text)).toEqual(item);
  }); // prettier-ignore
});
