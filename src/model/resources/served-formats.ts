import type { TeamScope } from '../query.js';
import type { ResourceName } from '../resource.js';

/** Formats of any list of teams: the records of a query, or rows made of them. */
export const ROW_FORMATS = ['json', 'yaml', 'xml', 'csv', 'xlsx', 'ndjson'] as const;

const FORMATS = {
  'directory-teams': [...ROW_FORMATS, 'vcf', 'geojson'],
  'data-teams': [...ROW_FORMATS, 'vcf', 'geojson', 'asc'],
  news: ['json', 'yaml', 'xml', 'csv', 'atom', 'rss'],
  'news-item': ['json', 'yaml', 'xml', 'csv'],
  channels: ['json', 'yaml', 'xml', 'csv', 'xlsx'],
  feed: [],
  countries: ['json', 'yaml', 'xml', 'csv', 'xlsx'],
} as const satisfies Readonly<Record<ResourceName, readonly string[]>>;

/** Label `format` of metrics and log lines (decisions 3.1). */
export type FormatName = (typeof FORMATS)[ResourceName][number];

/** Decisions 2.5. */
export const servedFormats: Readonly<Record<ResourceName, readonly FormatName[]>> = FORMATS;

/** Show a list as a whole, and no single record. */
export const listOnlyFormats: readonly FormatName[] = ['geojson', 'atom', 'rss'];

/** Absent: in all scopes. */
export const formatScopes: Partial<Readonly<Record<FormatName, readonly TeamScope[]>>> = {
  asc: ['pgp', 'members'],
};
