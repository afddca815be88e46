import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../../../src/model/document-node.js';
import { renderAtom, renderRss } from '../../../src/render/exports/feeds.js';
import { createRenderInput } from '../../../src/render/render-input.js';
import type { ContributingSource, RecordItem } from '../../../src/render/render-input.js';
import { descendants, readXml } from '../../support/formats/xml-reader.js';
import type { XmlElement } from '../../support/formats/xml-reader.js';
import { hostileTexts } from '../../support/generators/hostile-values.js';

const ADDRESS = 'https://rollcall.example/data/v1/news.atom';

function item(properties: Readonly<Record<string, DocumentNode>>, facts: Partial<RecordItem> = {}): RecordItem {
  const base = { id: '1001', title: 'Title', sourceName: 'Harbour', address: undefined };
  return { ...base, ...facts, properties: new Map(Object.entries(properties)) };
}

const FRESH: ContributingSource = { sourceName: 'Harbour', state: 'fresh', detail: {}, records: 1 };

function read(
  render: typeof renderAtom,
  items: readonly RecordItem[],
  { address = ADDRESS, sources = [FRESH] }: { address?: string; sources?: readonly ContributingSource[] } = {},
): XmlElement {
  const { facts } = createRenderInput({});
  const completeness = sources.every(({ state }) => state === 'fresh') ? 'complete' : 'partial';
  const input = { items, facts: { ...facts, address, sources, completeness, newest: Date.UTC(2026, 0, 2) } as const };
  return readXml([...render(input)].join(''));
}

const textOf = (element: XmlElement, name: string): string | undefined => descendants(element, name)[0]?.text;

const LINKED = item(
  { title: 'Title', summary: 'a < b & c', link: 'https://a.example/1', published: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  { address: 'https://rollcall.example/data/v1/news/1001.json' },
);

describe('an Atom feed', () => {
  it('has the elements that RFC 4287 requires, and those of each item', () => {
    const feed = read(renderAtom, [LINKED]);
    expect([textOf(feed, 'id'), textOf(feed, 'updated')]).toEqual([ADDRESS, '2026-01-02T00:00:00+00:00']);
    const [self] = descendants(feed, 'link').map(({ attributes }) => Object.fromEntries(attributes));
    expect(self).toEqual({ rel: 'self', href: ADDRESS });
    const [entry] = descendants(feed, 'entry');
    const texts = entry?.children.map(({ name, text, attributes, children }) => [
      name,
      [text, children[0]?.text, attributes.get('href'), attributes.get('term')].find((one) => one),
    ]);
    expect(Object.fromEntries(texts ?? [])).toEqual({
      id: 'https://rollcall.example/data/v1/news/1001.json',
      title: 'Title',
      updated: '2026-01-01T00:00:00+00:00',
      published: '2026-01-01T00:00:00+00:00',
      author: 'Harbour',
      category: 'Harbour',
      link: 'https://a.example/1',
      summary: 'a < b & c',
    });
  });

  it('has an entry with a content and the date of 1970 for an item without link and date', () => {
    const [entry] = descendants(read(renderAtom, [item({ link: 'javascript:alert(1)' })]), 'entry');
    expect(entry && [textOf(entry, 'content'), textOf(entry, 'updated'), textOf(entry, 'published')]).toEqual([
      '',
      '1970-01-01T00:00:00+00:00',
      undefined,
    ]);
  });

  it('keeps a date that cannot be read as text', () => {
    const published = 'Wed, 1 Apr 2026 10:00:00 NOON';
    const items = [item({ published }), item({ published, summary: 'a < b' }), item({ summary: 'a < b' })];
    const summaries = descendants(read(renderAtom, items), 'summary').map(({ text }) => text);
    expect(summaries).toEqual([`Published: ${published}`, `a < b\n\nPublished: ${published}`, 'a < b']);
  });

  it.each([
    ['/data/v1/news.atom?limit=5&offset=10', 'News of incident response teams'],
    ['/data/v1/news.atom?channel=alerts&limit=5', 'News of incident response teams, channel=alerts'],
    ['/data/v1/news.atom?q=a%20b&source-name=%3Cx%3E', 'News of incident response teams, q=a b, source-name=<x>'],
  ])('has a title that states the query %s', (address, title) => {
    for (const render of [renderAtom, renderRss]) expect(textOf(read(render, [], { address }), 'title')).toBe(title);
  });

  it('has absolute ids without a public URL, which differ between items and sources', () => {
    const items = [item({}), item({}, { id: '1002' }), item({}, { sourceName: 'Lagoon' })];
    const ids = (address: string): readonly string[] =>
      descendants(read(renderAtom, items, { address }), 'id').map(({ text }) => text);
    const found = ids('/data/v1/news.atom');
    expect(new Set(found).size).toBe(4);
    for (const id of found)
      expect(id).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(ids('/data/v1/news.atom')).toEqual(found);
    expect(descendants(read(renderAtom, items, { address: '/news' }), 'link')).toEqual([]);
  });

  it('has the summary as content of an item without link, and no content where it has neither', () => {
    const contentOf = (properties: Readonly<Record<string, DocumentNode>>): string | undefined =>
      descendants(read(renderAtom, [item(properties)]), 'content')[0]?.text;
    expect([contentOf({ summary: 'S' }), contentOf({ title: 'Title' })]).toEqual(['S', '']);
  });

  it('has texts that are declared as text, and names its generator', () => {
    const feed = read(renderAtom, [LINKED]);
    expect(descendants(feed, 'summary')[0]?.attributes.get('type')).toBe('text');
    expect(textOf(feed, 'generator')).toBe('Rollcall');
  });

  it.each(['https://rollcall.example/data/v1/news.atom', '/data/v1/news.atom'])(
    'at %s has an id that depends on the filters, and neither on the page nor on the sources',
    (address) => {
      const idOf = (query: string, sources: readonly ContributingSource[] = [FRESH]): string | undefined =>
        textOf(read(renderAtom, [], { address: address + query, sources }), 'id');
      const id = idOf('?q=a&limit=20&offset=0');
      expect(idOf('?q=a&limit=50&offset=50', [FRESH, { ...FRESH, sourceName: 'Lagoon' }])).toBe(id);
      expect(idOf('?q=b&limit=20&offset=0')).not.toBe(id);
    },
  );

  it('has no link for an item whose address is ambiguous', () => {
    const feed = read(renderAtom, [item({ link: 'https://a.example/\nhttps://b.example/', summary: 'S' })]);
    const [entry] = descendants(feed, 'entry');
    expect(entry && [descendants(entry, 'link'), textOf(entry, 'content')]).toEqual([[], 'S']);
  });
});

describe('an RSS feed', () => {
  it('has the elements of each item, with an id that is no address of the web page', () => {
    const feed = read(renderRss, [LINKED], { address: ADDRESS.replace('.atom', '.rss') });
    const [entry] = descendants(feed, 'item');
    expect(entry?.children.map(({ name, text }) => [name, text])).toEqual([
      ['title', 'Title'],
      ['link', 'https://a.example/1'],
      ['description', 'a &lt; b &amp; c'],
      ['dc:creator', 'Harbour'],
      ['category', 'Harbour'],
      ['guid', 'https://rollcall.example/data/v1/news/1001.json'],
      ['pubDate', 'Thu, 01 Jan 2026 00:00:00 GMT'],
    ]);
    expect(descendants(feed, 'atom:link').map(({ attributes }) => attributes.get('rel'))).toEqual(['self']);
    expect(descendants(feed, 'guid').map(({ attributes }) => attributes.get('isPermaLink'))).toEqual(['false']);
    expect([textOf(feed, 'lastBuildDate'), textOf(feed, 'generator')]).toEqual([
      'Fri, 02 Jan 2026 00:00:00 GMT',
      'Rollcall',
    ]);
  });

  it('has a description that shows a name of a source as text, not as HTML', () => {
    const sources = [{ ...FRESH, sourceName: '<b>&amp;' }];
    expect(textOf(read(renderRss, [], { sources }), 'description')).toBe('Rests on "&lt;b&gt;&amp;amp;".');
  });

  it('has an absolute link without a public URL', () => {
    expect(textOf(read(renderRss, [], { address: '/data/v1/news.rss' }), 'link')).toMatch(/^urn:uuid:/);
  });
});

describe.each([
  ['Atom', renderAtom, 'subtitle'],
  ['RSS', renderRss, 'description'],
] as const)('the text of a feed in %s', (_name, render, element) => {
  it('names the sources that it rests on, and first of all what is missing', () => {
    expect(textOf(read(render, []), element)).toBe('Rests on Harbour.');
    const failed = { sourceName: 'Lagoon', state: 'failed', description: 'timed out', detail: {} };
    expect(textOf(read(render, [], { sources: [FRESH, failed] }), element)).toBe(
      'Incomplete: Lagoon is missing (timed out). Rests on Harbour.',
    );
  });

  it('restores every hostile text as the title of an item', () => {
    const items = hostileTexts.map((text, at) => item({ summary: text, link: text }, { title: text, id: `${at}` }));
    const feed = read(render, items);
    const titles = descendants(feed, 'title').slice(1);
    expect(titles.map(({ text }) => text)).toEqual(
      hostileTexts.map((text) => text.replace(/[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')),
    );
  });
});

describe.each([renderAtom, renderRss])('%o', (render) => {
  it('is written in pieces, also texts and names of a megabyte', () => {
    const text = '<&\n'.repeat(300_000);
    const items = [item({ summary: text, link: `https://a.example/${text}` }, { title: text, sourceName: text })];
    const { facts } = createRenderInput({});
    const pieces = [...render({ items, facts })];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
    const feed = readXml(pieces.join(''));
    expect(descendants(feed, 'title').map((title) => title.text)).toContain(text);
    expect(descendants(feed, 'category').map(({ attributes, text: term }) => attributes.get('term') ?? term)).toEqual([
      text,
    ]);
    expect(pieces.join('')).not.toContain('https://a.example/');
  });
});
