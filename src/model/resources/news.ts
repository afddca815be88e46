import type { SourceResource } from '../resource.js';

/** List form (interfaces 2.2). */
export const news: SourceResource = {
  name: 'news',
  path: 'news',
  interfaceName: 'data',
  properties: [
    {
      name: 'id',
      kind: 'id',
      description: 'id of the item: the id at its source, then the three digits of the number of the source',
      example: 140_004,
    },
    { name: 'title', kind: 'text', description: 'title', example: 'Blouheuwel Telecom looks for an incident handler' },
    { name: 'summary', kind: 'text', description: 'summary', example: 'Twelve teams took part.' },
    {
      name: 'link',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of the item at its source',
      example: 'https://www.chronicle.example.org/news/exercise',
    },
    {
      name: 'published',
      kind: 'http-date',
      description: 'time of publication, as an IMF-fixdate',
      example: 'Wed, 30 Sep 2026 20:00:00 GMT',
    },
    {
      name: 'source-name',
      kind: 'text',
      description: 'name of the source of the record',
      example: 'Chronicle of Teams (sample)',
    },
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
  hasScopes: false,
  hasDateFilters: true,
  pagingWindow: 10_000,
  countryProperties: [],
  defaultSort: { property: 'published', descending: true },
};

/** Detail form (decisions 2.34). */
export const newsItem: SourceResource = {
  ...news,
  name: 'news-item',
  detailProperties: [],
  hasDateFilters: false,
  pagingWindow: Infinity,
  envelopeProperties: ['last-modified', 'access'],
  properties: [
    ...news.properties.slice(0, -1),
    {
      name: 'content',
      kind: 'text',
      description: 'text of the item, HTML or plain text, as its source wrote it',
      example: '<p>Twelve teams took part.</p>',
    },
    { name: 'channels', kind: 'texts', description: 'titles of its channels', example: ['Advisories'] },
    {
      name: 'source-name',
      kind: 'text',
      description: 'name of the source of the record',
      example: 'Chronicle of Teams (sample)',
    },
  ],
};
