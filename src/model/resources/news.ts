import type { Resource } from '../resource.js';

/** News items in list form (interfaces.md, section 2.2). */
export const news: Resource = {
  name: 'news',
  path: 'news',
  face: 'data',
  properties: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'text' },
    { name: 'summary', kind: 'text' },
    { name: 'link', kind: 'url', expects: 'link' },
    { name: 'published', kind: 'http-date' },
    { name: 'source-name', kind: 'text' },
  ],
  extra: [],
  detail: ['content', 'channels'],
  derived: [{ name: '(link)', from: 'link', how: 'as-written' }],
  keys: [],
  envelope: ['last-modified', 'total', 'limit', 'offset', 'access'],
  names: ['title', 'summary', 'link'],
  id: 'integer',
  sourceName: 'source-name',
  dated: 'published',
  filters: false,
  dateFilters: true,
  window: 10_000,
  refuses: ['xlsx'],
  countries: [],
  defaultSort: { property: 'published', descending: true },
};

/** A news item in detail form (interfaces.md, section 2.2). */
export const newsItem: Resource = {
  ...news,
  name: 'news-item',
  detail: [],
  dateFilters: false,
  window: Infinity,
  envelope: ['last-modified', 'access'],
  properties: [
    ...news.properties.slice(0, -1),
    { name: 'content', kind: 'text' },
    { name: 'channels', kind: 'texts' },
    { name: 'source-name', kind: 'text' },
  ],
};
