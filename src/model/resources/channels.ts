import type { SourceResource } from '../resource.js';

/** News channels (decisions 2.32; interfaces 2.4). */
export const channels: SourceResource = {
  name: 'channels',
  path: 'channels',
  interfaceName: 'data',
  properties: [
    {
      name: 'id',
      kind: 'id',
      description: 'id of the channel: the id at its source, then the three digits of the number of the source',
      example: 2_004,
    },
    { name: 'title', kind: 'text', description: 'title', example: 'Advisories' },
    {
      name: 'link',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of the page of the channel',
      example: 'https://www.chronicle.example.org/advisories',
    },
    {
      name: 'rss',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of its feed',
      example: 'https://www.chronicle.example.org/advisories/rss.xml',
    },
    {
      name: 'image',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of an image',
      example: 'https://www.chronicle.example.org/images/advisories.png',
    },
    {
      name: 'summary',
      kind: 'text',
      description: 'what the channel is about',
      example: 'Advisories of the member teams.',
    },
    { name: 'copyright', kind: 'text', description: 'copyright notice', example: 'Chronicle of Teams' },
    {
      name: 'source-name',
      kind: 'text',
      description: 'name of the source of the record',
      example: 'Chronicle of Teams (sample)',
    },
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
  hasScopes: false,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: [],
  defaultSort: { property: 'title', descending: false },
};
