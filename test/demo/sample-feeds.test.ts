import { describe, expect, it } from 'vitest';
import { readFeed } from '../../src/source/format/feed/read-feed.js';
import type { Feed } from '../../src/source/format/feed/read-feed.js';
import { FindingCounter } from '../../src/source/record/findings.js';
import { textOf } from './sample-files.js';

const read = (file: string): Feed =>
  readFeed(Buffer.from(textOf(file)), { address: new URL(`http://127.0.0.1/${file}`) }, new FindingCounter());

const advisories = read('gazette-advisories.rss');
const bulletins = read('gazette-bulletins.atom');
const feeds = [advisories, bulletins];

describe('the sample feeds', () => {
  it('have 12 and 8 items of 2026, newest first', () => {
    expect(feeds.map(({ items }) => items.length)).toEqual([12, 8]);
    for (const { items } of feeds) {
      const times = items.map(({ published = '' }) => Date.parse(published));
      expect(times).toEqual(times.toSorted((a, b) => b - a));
      expect(new Set(times.map((time) => new Date(time).getUTCFullYear()))).toEqual(new Set([2026]));
    }
  });

  it('have one item in common, with the same guid and link', () => {
    const [first, second] = feeds.map(
      ({ items }) => new Set(items.map(({ guid, link }) => `${guid ?? ''} ${link ?? ''}`)),
    );
    expect([...(first ?? [])].filter((item) => second?.has(item))).toEqual([
      'tag:gazette.example.org,2026:GA-2026-18 https://www.gazette.example.org/advisories/2026/ga-2026-18',
    ]);
  });

  it('have the right weekday in every date of RSS', () => {
    for (const { published = '' } of advisories.items) expect(new Date(published).toUTCString()).toBe(published);
  });

  it('have relative links in Atom, with the site as their base', () => {
    expect(textOf('gazette-bulletins.atom')).toContain('<link href="/bulletins/2026/may"/>');
    for (const { link } of bulletins.items) expect(link).toMatch(/^https:\/\/www\.gazette\.example\.org\//);
  });

  it('have summaries with several lines, content with and without a summary, and items that were changed later', () => {
    const items = feeds.flatMap((feed) => feed.items);
    expect(items.filter(({ summary = '' }) => summary.includes('\n')).length).toBeGreaterThan(1);
    expect(items.filter(({ content }) => content !== undefined).length).toBeGreaterThan(15);
    expect(textOf('gazette-advisories.rss').match(/<description>/g)).toHaveLength(12);
    expect(bulletins.items.filter(({ published, updated }) => published !== updated)).toHaveLength(2);
  });

  it('state a lifetime in RSS, and none in Atom', () => {
    expect([advisories.lifetime, bulletins.lifetime]).toEqual([15 * 60_000, undefined]);
  });
});
