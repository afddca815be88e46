import { describe, expect, it } from 'vitest';
import { describeLinkedFeeds } from '../../../../src/source/format/feed/feed-discovery.js';

const find = (html: string): readonly string[] => describeLinkedFeeds(html, new URL('https://example.org/a/b'));
const link = (href: string, title = 'T'): string =>
  `<link rel="alternate" type="application/rss+xml" title="${title}" href="${href}">`;

describe('the feeds that a page links', () => {
  it.each([
    ['RSS', link('/rss.xml', 'R&amp;D'), ['https://example.org/rss.xml (R&D)']],
    ['Atom', '<LINK REL=alternate TYPE=application/atom+xml HREF=c?d&amp;e>', ['https://example.org/a/c?d&e']],
    ['JSON Feed', "<link href='f' type='application/feed+json' rel='x alternate'/>", ['https://example.org/a/f']],
    ['relative to the base of the page', `<base href="https://example.net/x/">${link('y')}`, ['https://example.net/x/y (T)']],
    ['each once', link('/r') + link('/r'), ['https://example.org/r (T)']],
  ])('are described: %s', (_, html, feeds) => {
    expect(find(html)).toEqual(feeds);
  }); // prettier-ignore

  it.each([
    ['a style sheet', '<link rel="stylesheet" type="text/css" href="x">'],
    ['another language', '<link rel="alternate" hreflang="de" href="x">'],
    ['the interface of WordPress', '<link rel="alternate" type="application/json" href="/wp-json/wp/v2/pages/1">'],
    ['a script', link('javascript:x')],
    ['a long address', link(`/${'x'.repeat(200)}`)],
    ['in the body', `<body>${link('/r')}`],
    ['beyond 256 KiB', `${' '.repeat(262_144)}${link('/r')}`],
  ])('are not %s', (_, html) => {
    expect(find(html)).toEqual([]);
  });

  it('are at most five', () => {
    expect(find(Array.from({ length: 9 }, (_, at) => link(`/${at}`)).join(''))).toHaveLength(5);
  });

  it('have descriptions of at most 200 characters without control characters', () => {
    const [description = ''] = find(link('/r', `a&#10;b\u202e\u0007${'x'.repeat(500)}`));
    expect(description).toHaveLength(200);
    expect(description).toMatch(/^https:\/\/example\.org\/r \(a b\[U\+202E\]x+…\)$/);
  });
});
