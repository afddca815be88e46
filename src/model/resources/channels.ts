import type { SourceResource } from '../resource.js';

/** News channels (decisions 2.33; interfaces 2.4). */
export const channels: SourceResource = {
  name: 'channels',
  path: 'channels',
  interfaceName: 'data',
  properties: [
    { name: 'id', kind: 'id' },
    { name: 'title', kind: 'text' },
    { name: 'link', kind: 'url', expectedFormat: 'link' },
    { name: 'rss', kind: 'url', expectedFormat: 'link' },
    { name: 'image', kind: 'url', expectedFormat: 'link' },
    { name: 'summary', kind: 'text' },
    { name: 'copyright', kind: 'text' },
    { name: 'source-name', kind: 'text' },
  ],
  knownExtraProperties: [],
  derivedProperties: [
    { name: '(link)', from: 'link', derivation: 'as-written' },
    { name: '(rss)', from: 'rss', derivation: 'as-written' },
  ],
  pgpKeyProperties: [],
  envelopeProperties: ['last-modified', 'total', 'limit', 'offset', 'access'],
  nameProperties: ['title', 'link', 'rss'],
  idKind: 'integer',
  sourceNameProperty: 'source-name',
  hasPropertyFilters: false,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: [],
  defaultSort: { property: 'title', descending: false },
};
