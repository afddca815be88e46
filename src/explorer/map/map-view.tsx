import type { VNode } from '../../html/html.js';
import { useAddress } from '../layout/page-address.js';
import { countryName } from '../team/team-facts.js';
import { LAND_ID, MAP_HEIGHT, MAP_WIDTH } from './world-map-file.js';

/** Countries are ISO 3166-1 alpha-2 codes. */
interface MapViewProps {
  /** Of the countries in the file. */
  readonly codes: ReadonlySet<string>;
  /** Address of the file. */
  readonly file: string;
  /** Teams of each country. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Each country with teams is a link that filters by it. The links are not among the stops of the tabulator key, because
 * the list of countries does the same.
 */
export function MapView({ codes, file, counts }: MapViewProps): VNode {
  const address = useAddress();
  const most = Math.max(1, ...counts.values());
  return (
    <nav aria-label="Teams by country">
      <svg viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} width={MAP_WIDTH} height={MAP_HEIGHT} role="group">
        <title>Number of teams of each country. The list of countries has the same choice.</title>
        <use href={`${file}#${LAND_ID}`} />
        {[...codes].map((code) => {
          const count = counts.get(code) ?? 0;
          if (count === 0) return null;
          return (
            <a
              href={address('/', [['country', code]])}
              tabindex={-1}
              aria-label={`${countryName(code)}: ${count} ${count === 1 ? 'team' : 'teams'}`}
            >
              <use href={`${file}#${code}`} class={`map-${findLevel(count, most)}`} />
            </a>
          );
        })}
      </svg>
      <output aria-hidden="true" />
    </nav>
  );
}

const LEVELS = 5;

/** From 1: each shade stands for a multiple of the one before. */
function findLevel(count: number, most: number): number {
  return most === 1 ? 1 : 1 + Math.min(LEVELS - 1, Math.floor((LEVELS * Math.log(count)) / Math.log(most + 1)));
}
