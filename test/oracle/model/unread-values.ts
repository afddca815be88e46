import { recognizeCountry } from '../../support/gateway/program.js';
import { unevaluatedProperties } from './document.js';
import type { OracleQuery } from './expected-list.js';
import { expectedItems } from './feeds.js';
import { CHANNELS, DATA_TEAMS, DIRECTORY_TEAMS, NEWS, PGP_KEY_PROPERTIES } from './oracle-resources.js';
import type { OracleResource } from './oracle-resources.js';
import { hasNamelessRecords, rawsOf } from './read-records.js';
import type { OracleSource } from './read-records.js';
import * as read from './read-value.js';
import { parseDay } from './text.js';
import { SHARED_PROPERTIES } from './translate-teams.js';

/**
 * Whether a source has values that cannot be read of a property that the query filters on, or of the names of records that are left out
 * without a name (decisions 4.6). `maybe`: only in records that are not shown, or of their ids.
 */
export function hasUnreadValues(source: OracleSource, query: OracleQuery): 'yes' | 'no' | 'maybe' {
  const lost = hasLostNames(query.resource, source);
  if (lost !== 'no') return lost;
  const filtered = filteredProperties(query);
  if (source.feeds === undefined)
    return unreadProperties(query.resource, source).some((name) => filtered.includes(name)) ? 'yes' : 'no';
  if (query.resource !== NEWS || !filtered.includes('published')) return 'no';
  if (expectedItems(source.feeds).some(({ published }) => isUndated(published))) return 'yes';
  const items = source.feeds.flatMap((feed) => feed.items);
  return items.some(({ published, updated }) => isUndated(published) || isUndated(updated)) ? 'maybe' : 'no';
}

function filteredProperties(query: OracleQuery): readonly string[] {
  const { resource, filters, country, region, team, link, rsslink, before, after, scope } = query;
  return [
    ...filters.map(([name]) => name),
    ...(country === undefined && region === undefined ? [] : resource.countries),
    ...(team !== undefined && resource === DATA_TEAMS ? ['team'] : []),
    ...(link === undefined ? [] : ['link']),
    ...(rsslink === undefined ? [] : ['rss']),
    ...(before === undefined && after === undefined ? [] : ['published']),
    ...(scope === 'pgp' ? PGP_KEY_PROPERTIES.keys() : []),
  ];
}

/** Whether a source has records that are left out without a name or an id, and values of these that cannot be read. */
export function hasLostNames(resource: OracleResource, source: OracleSource): 'yes' | 'no' | 'maybe' {
  if (source.feeds !== undefined) return 'no';
  if (rawsOf(resource, source) === undefined) {
    if (resource === NEWS || resource === CHANNELS || source.document?.resource === 'news') return 'no';
    return hasLostNames(resource === DIRECTORY_TEAMS ? DATA_TEAMS : DIRECTORY_TEAMS, source);
  }
  if (!hasNamelessRecords(resource, source)) return 'no';
  if (unreadProperties(resource, source).some((name) => resource.names.includes(name))) return 'yes';
  return resource === NEWS || resource === CHANNELS ? 'maybe' : 'no';
}

/** The properties of the resource of which a source that is no feed has values that cannot be read. */
function unreadProperties(resource: OracleResource, source: OracleSource): readonly string[] {
  const raws = rawsOf(resource, source);
  if (raws !== undefined) {
    const found = raws.flatMap(({ record }) =>
      Object.entries(record).flatMap(([name, raw]) => (isUnread(resource, name, raw, source) ? [name] : [])),
    );
    return [...found, ...(source.document === undefined ? [] : unevaluatedProperties(source.document))];
  }
  if (resource === NEWS || resource === CHANNELS || source.document?.resource === 'news') return [];
  const unread = unreadProperties(resource === DIRECTORY_TEAMS ? DATA_TEAMS : DIRECTORY_TEAMS, source);
  return namePairs(source.code).flatMap(([directory, data]) => {
    const [from, to] = resource === DIRECTORY_TEAMS ? [data, directory] : [directory, data];
    return unread.includes(from) ? [to] : [];
  });
}

function namePairs(code: string): readonly (readonly [directory: string, data: string])[] {
  return [
    ...SHARED_PROPERTIES,
    ...['phone', 'fax', 'phone-emergency'].map((name) => ['phone-numbers', name] as const),
    ...[...PGP_KEY_PROPERTIES.keys()].map((name) => ['enckeys', name] as const),
    [`-${code}-member-type`, 'membership'],
  ];
}

function isUnread(resource: OracleResource, name: string, raw: unknown, { code, aggregate }: OracleSource): boolean {
  const isOwn = !name.startsWith('-') || name.startsWith(`-${code}-`);
  if (name === 'id' || (name === 'source-name' && !aggregate) || !(isOwn || aggregate)) return false;
  if (resource === NEWS && (name === 'content' || name === 'channels')) return false;
  const reader = resource.table.get(name) ?? resource.extra.get(name) ?? (name === 'last-modified' && resource.last);
  if ([raw].flat().some(isNestedOrInexact)) return true;
  if (reader === read.readCountry || reader === read.readCountries)
    return read.asList(reader(raw)).some((country) => recognizeCountry(String(country)) === undefined);
  const isDate = resource.dates.includes(name);
  return isDate && isUndated(read.readText(raw));
}

function isNestedOrInexact(item: unknown): boolean {
  if (typeof item === 'number') return Number.isInteger(item) && !Number.isSafeInteger(item);
  return typeof item === 'object' && item !== null && Object.keys(item).length > 0;
}

function isUndated(text: string | undefined): boolean {
  return text !== undefined && parseDay(text) === undefined;
}
