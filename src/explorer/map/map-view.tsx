import type { VNode } from '../../html/html.js';
import type { MapCountry, WorldMap } from './world-map-file.js';

/** Countries are ISO 3166-1 alpha-2 codes. */
interface MapViewProps {
  readonly map: WorldMap;
  /** Matching teams of each country. */
  readonly counts: ReadonlyMap<string, number>;
  readonly selected: ReadonlySet<string>;
  /** The page on which the country is selected, or no longer selected. */
  readonly hrefFor: (code: string) => string;
}

/**
 * For a country that is too small to be seen, in the units of the map. A larger circle would cover neighbours; the list
 * of countries is the control that has the size of WCAG 2.5.8.
 */
const MARKER_RADIUS = 7;

/**
 * Each country with teams is a link that filters by it. The links are not among the stops of the tabulator key, because
 * the list of countries in the search form does the same.
 */
export function MapView({ map, counts, selected, hrefFor }: MapViewProps): VNode {
  const most = Math.max(1, ...counts.values());
  return (
    <nav aria-label="Teams by country">
      <svg viewBox={`0 0 ${map.width} ${map.height}`} width={map.width} height={map.height} role="group">
        <title>Number of teams of each country. The search form has the same choice as a list.</title>
        {map.countries.map((country) => {
          const { code } = country;
          const count = code === undefined ? 0 : (counts.get(code) ?? 0);
          if (code === undefined || count === 0) return <Shape country={country} level={0} />;
          return (
            <a
              href={hrefFor(code)}
              tabindex={-1}
              aria-label={`${country.name}: ${count} ${count === 1 ? 'team' : 'teams'}`}
              {...(selected.has(code) && { 'aria-current': 'true' as const })}
            >
              <Shape country={country} level={findLevel(count, most)} />
            </a>
          );
        })}
      </svg>
      <output aria-hidden="true" />
    </nav>
  );
}

function Shape({ country: { path, marker }, level }: { readonly country: MapCountry; readonly level: number }): VNode {
  const style = level === 0 ? {} : { class: `map-${level}` };
  if (marker === undefined || level === 0) return <path d={path} {...style} />;
  return (
    <>
      <path d={path} {...style} />
      <circle cx={marker[0]} cy={marker[1]} r={MARKER_RADIUS} {...style} />
    </>
  );
}

const LEVELS = 5;

/** From 1: each shade stands for a multiple of the one before. */
function findLevel(count: number, most: number): number {
  return most === 1 ? 1 : 1 + Math.min(LEVELS - 1, Math.floor((LEVELS * Math.log(count)) / Math.log(most + 1)));
}
