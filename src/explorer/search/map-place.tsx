import { parseCountryCode } from '../../region/country.js';
import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { useAddress } from '../layout/page-address.js';
import { MapView } from '../map/map-view.js';
import type { WorldMap } from '../assets/explorer-assets.js';
import type { SearchModel } from './search-model.js';

export function MapPlace({ map, model }: { readonly map: WorldMap; readonly model: SearchModel }): VNode {
  const { parameters, byCountry } = model;
  const address = useAddress();
  const codes = valueOf(parameters, 'country').split(',');
  const selected = new Set(codes.flatMap((code) => parseCountryCode(code.trim()) ?? []));
  const hrefFor = (code: string): string => {
    const isOnly = selected.size === 1 && selected.has(code);
    return address('/', withParameters(parameters, { country: isOnly ? undefined : code, region: undefined }));
  };
  return <MapView map={map} file={address(map.path)} counts={byCountry.counts} selected={selected} hrefFor={hrefFor} />;
}
