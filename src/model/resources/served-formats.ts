import type { TeamScope } from '../query.js';
import type { FormatName, ResourceName } from '../resource.js';

/** The formats that can show any list of teams: the records of a query, or rows that are made of them. */
export const ROW_FORMATS = ['json', 'yaml', 'xml', 'csv', 'xlsx', 'ndjson'] as const satisfies readonly FormatName[];

/** The formats in which each resource is served (decisions 2.5). */
export const servedFormats: Readonly<Record<ResourceName, readonly FormatName[]>> = {
  'directory-teams': [...ROW_FORMATS, 'vcf', 'geojson'],
  'data-teams': [...ROW_FORMATS, 'vcf', 'geojson', 'asc'],
  news: ['json', 'yaml', 'xml', 'csv', 'atom', 'rss'],
  'news-item': ['json', 'yaml', 'xml', 'csv'],
  channels: ['json', 'yaml', 'xml', 'csv', 'xlsx'],
  // No client gets what a feed contains as it is.
  feed: [],
  countries: ['json', 'yaml', 'xml', 'csv', 'xlsx'],
};

/** The formats that show a list as a whole, and no single record. */
export const listOnlyFormats: readonly FormatName[] = ['geojson', 'atom', 'rss'];

/** The scopes in which a format is served; absent: in all. */
export const formatScopes: Partial<Readonly<Record<FormatName, readonly TeamScope[]>>> = {
  asc: ['pgp', 'members'],
};
