import { getCountryNames, findContinent } from '../../region/country-names.js';
import { findCountryPoint } from '../../region/country-points.js';
import { compareCodePoints } from '../../text/code-point-order.js';
import { formatImfFixdate } from '../../text/date.js';
import type { ContributingSource, RenderInput, RenderOptions } from '../render-input.js';

/**
 * A FeatureCollection (RFC 7946; decisions 3.19) with one feature for each country of all matches, at most as many as
 * there are countries. Foreign members state the total and all sources with their states.
 */
export function renderGeojson(
  { countries, facts }: Pick<RenderInput, 'countries' | 'facts'>,
  { pretty }: RenderOptions,
): Iterable<string> {
  const { counts, withoutCountry, uncounted } = countries;
  const { access, total, newest, completeness, sources } = facts;
  const codes = [...counts].sort(([a], [b]) => compareCodePoints(a, b));
  const collection = {
    type: 'FeatureCollection',
    total,
    'last-modified': newest === undefined ? undefined : formatImfFixdate(newest),
    access: access === 'public' ? undefined : access,
    completeness,
    'teams-without-country': withoutCountry,
    'teams-not-counted': uncounted,
    sources: sources.map(describeSource),
    features: codes.map(([code, count]) => createFeature(code, count)),
  };
  return [JSON.stringify(collection, null, pretty ? 4 : 0)];
}

function createFeature(code: string, count: number): object {
  const coordinates = findCountryPoint(code);
  return {
    type: 'Feature',
    id: code,
    geometry: coordinates === undefined ? null : { type: 'Point', coordinates },
    properties: { country: code, name: getCountryNames(code)[0], teams: count, region: findContinent(code) },
  };
}

function describeSource({ sourceName, state, reason, detail, records, total, unfetched }: ContributingSource): object {
  return { 'source-name': sourceName, state, reason, ...detail, records, total, 'teams-not-counted': unfetched };
}
