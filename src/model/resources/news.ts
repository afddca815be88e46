import type { SourceResource } from '../resource.js';

/** News items in list form (interfaces 2.2). */
export const news: SourceResource = {
  name: 'news',
  path: 'news',
  interfaceName: 'data',
  properties: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'text' },
    { name: 'summary', kind: 'text' },
    { name: 'link', kind: 'url', expectedFormat: 'link' },
    { name: 'published', kind: 'http-date' },
    { name: 'source-name', kind: 'text' },
  ],
  knownExtraProperties: [],
  detailProperties: ['content', 'channels'],
  derivedProperties: [{ name: '(link)', from: 'link', derivation: 'as-written' }],
  pgpKeyProperties: [],
  envelopeProperties: ['last-modified', 'total', 'limit', 'offset', 'access'],
  nameProperties: ['title', 'summary', 'link'],
  idKind: 'integer',
  sourceNameProperty: 'source-name',
  dateProperty: 'published',
  hasPropertyFilters: false,
  hasDateFilters: true,
  pagingWindow: 10_000,
  countryProperties: [],
  defaultSort: { property: 'published', descending: true },
};

/** A news item in detail form (interfaces 2.2; decisions 2.34). */
export const newsItem: SourceResource = {
  ...news,
  name: 'news-item',
  detailProperties: [],
  hasDateFilters: false,
  pagingWindow: Infinity,
  envelopeProperties: ['last-modified', 'access'],
  properties: [
    ...news.properties.slice(0, -1),
    { name: 'content', kind: 'text' },
    { name: 'channels', kind: 'texts' },
    { name: 'source-name', kind: 'text' },
  ],
};
