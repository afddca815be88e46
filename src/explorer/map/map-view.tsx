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
  const scale = Math.log(1 + Math.max(1, ...counts.values()));
  return (
    <nav aria-label="Teams by country">
      <svg viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`} width={MAP_WIDTH} height={MAP_HEIGHT} role="group">
        <use href={`${file}#${LAND_ID}`} />
        {[...counts]
          .filter(([code]) => codes.has(code))
          .map(([code, count]) => (
            <a href={address('/', [['country', code]])} tabindex={-1}>
              <title>{`${countryName(code)}: ${count} ${count === 1 ? 'team' : 'teams'}`}</title>
              {/* Each shade stands for a multiple of the one before. */}
              <use href={`${file}#${code}`} fill-opacity={(Math.log(1 + count) / scale).toFixed(1)} />
            </a>
          ))}
      </svg>
    </nav>
  );
}
