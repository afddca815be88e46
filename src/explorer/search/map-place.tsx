import { formatHref, valueOf, withParameters } from '../answer/page-parameters.js';
import type { VNode } from '../html.js';
import { MapView } from '../map/map-view.js';
import type { WorldMap } from '../map/world-map.js';
import type { SearchModel } from './search-model.js';

/** The world map with the number of matches of each country, which filters by country. */
export function MapPlace({ map, model }: { readonly map: WorldMap; readonly model: SearchModel }): VNode {
  const { parameters, byCountry } = model;
  const selected = valueOf(parameters, 'country').toUpperCase();
  const hrefFor = (code: string): string =>
    formatHref('/', withParameters(parameters, { country: code === selected ? undefined : code, region: undefined }));
  return <MapView map={map} counts={byCountry.counts} selected={new Set([selected])} hrefFor={hrefFor} />;
}
