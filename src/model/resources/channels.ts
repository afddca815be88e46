import type { Resource } from '../resource.js';

/** News channels (decisions.md, section 2, `/channels`). */
export const channels: Resource = {
  name: 'channels',
  path: 'channels',
  face: 'data',
  properties: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'text' },
    { name: 'link', kind: 'url', expects: 'link' },
    { name: 'rss', kind: 'url', expects: 'link' },
    { name: 'image', kind: 'url', expects: 'link' },
    { name: 'summary', kind: 'text' },
    { name: 'copyright', kind: 'text' },
    { name: 'source-name', kind: 'text' },
  ],
  extra: [],
  derived: [
    { name: '(link)', from: 'link', how: 'as-written' },
    { name: '(rss)', from: 'rss', how: 'as-written' },
  ],
  keys: [],
  envelope: ['last-modified', 'total', 'limit', 'offset', 'access'],
  names: ['title', 'link', 'rss'],
  id: 'integer',
  sourceName: 'source-name',
  filters: false,
  dateFilters: false,
  window: Infinity,
  countries: [],
  defaultSort: { property: 'title', descending: false },
};
