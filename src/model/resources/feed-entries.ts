import type { SourceResource } from '../resource.js';

/**
 * What one feed contains (decisions 4.32): its channel, which is the one record with `rss`, and its items. No client
 * gets these records; news and channels are built from all feeds of a source.
 */
export const feedEntries: SourceResource = {
  name: 'feed',
  path: 'news',
  interfaceName: 'data',
  properties: [
    {
      name: 'identity',
      kind: 'text',
      description: 'guid, link or texts, as JSON',
      example: '["guid","","tag:example.org,2026:1"]',
    },
    {
      name: 'distinction',
      kind: 'text',
      description: 'what distinguishes it from other items with its identity',
      example: '["link","https://www.example.org/news/exercise"]',
    },
    { name: 'title', kind: 'text', description: 'title', example: 'Twelve teams took part' },
    { name: 'summary', kind: 'text', description: 'summary as plain text', example: 'Twelve teams took part.' },
    {
      name: 'link',
      kind: 'url',
      expectedFormat: 'link',
      description: 'absolute address',
      example: 'https://www.example.org/news/exercise',
    },
    {
      name: 'published',
      kind: 'http-date',
      description: 'time of publication',
      example: 'Wed, 30 Sep 2026 20:00:00 GMT',
    },
    {
      name: 'updated',
      kind: 'timestamp',
      description: 'time of the last change',
      example: '2026-10-01T08:00:00+00:00',
    },
    { name: 'content', kind: 'text', description: 'text as HTML', example: '<p>Twelve teams took part.</p>' },
    {
      name: 'rss',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of the feed',
      example: 'https://www.example.org/rss.xml',
    },
    {
      name: 'image',
      kind: 'url',
      expectedFormat: 'link',
      description: 'address of an image of the channel',
      example: 'https://www.example.org/logo.png',
    },
    { name: 'copyright', kind: 'text', description: 'copyright notice of the channel', example: 'Example CERT' },
    { name: 'source-name', kind: 'text', description: 'name of the source', example: 'Chronicle of Teams (sample)' },
  ],
  knownExtraProperties: [],
  derivedProperties: [],
  pgpKeyProperties: [],
  envelopeProperties: [],
  nameProperties: ['title', 'summary', 'link', 'rss'],
  idKind: 'identity',
  sourceNameProperty: 'source-name',
  dateProperty: 'published',
  hasPropertyFilters: false,
  hasScopes: false,
  hasDateFilters: false,
  pagingWindow: Infinity,
  countryProperties: [],
  defaultSort: { property: 'published', descending: true },
};
