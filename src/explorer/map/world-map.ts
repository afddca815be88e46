import { createRequire } from 'node:module';
import { geoEqualEarth, geoPath } from 'd3-geo';
import { merge } from 'topojson-client';
import { findCountryByNumber } from '../../region/cldr-territories.js';
import { LAND_ID, MAP_HEIGHT, MAP_WIDTH } from './world-map-file.js';

/** In the units of the map. */
export interface MapCountry {
  /** ISO 3166-1 alpha-2; undefined for a territory that has none. */
  readonly code: string | undefined;
  /** SVG path data. */
  readonly path: string;
  /** Centre of a country that is too small to be seen. */
  readonly marker?: readonly [x: number, y: number];
}

/**
 * Of a marker. A larger circle would cover neighbours; the list of countries is the control that has the size of WCAG
 * 2.5.8.
 */
const MARKER_RADIUS = 4.5;

/** A smaller island is left out, unless it is the largest of its country, in square units of the map. */
const MIN_ISLAND = 2;

/** A smaller country gets a marker, in square units of the map. */
const MIN_COUNTRY = 16;

/** The atlas has no number for it; its code is in use (decisions 4.5). */
const KOSOVO = 'XK';

const ANTARCTICA = 'AQ';

type Outline = Extract<Parameters<typeof merge>[1], readonly unknown[]>[number];
type NamedOutline = Outline & { readonly properties?: { readonly name: string } };
type Atlas = Parameters<typeof merge>[0] & {
  readonly objects: { readonly countries: { readonly geometries: readonly NamedOutline[] } };
};
type Land = ReturnType<typeof merge>;

/** Pages refer to its parts and colour them. */
export function renderWorldMap(countries: readonly MapCountry[]): string {
  const shapes = countries.map(({ code, path, marker }) => {
    const id = code === undefined ? '' : ` id="${code}"`;
    if (marker === undefined) return `<path${id} d="${path}"/>`;
    const [x, y] = marker;
    return `<g${id}><path d="${path}"/><circle cx="${x}" cy="${y}" r="${MARKER_RADIUS}"/></g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg"><g id="${LAND_ID}">${shapes.join('')}</g></svg>`;
}

/** Takes some tenths of a second. Points are whole, so that borders that two countries share stay the same line. */
export function createWorldMap(): readonly MapCountry[] {
  // Node.js 20 prints a warning on standard error when JSON is imported.
  const require = createRequire(import.meta.url);
  const atlas = require('world-atlas/countries-50m.json') as Atlas;
  const shown = listCountries(atlas).filter(({ code }) => code !== ANTARCTICA);
  const geometries = shown.map(({ land }) => land);
  const projection = geoEqualEarth()
    .precision(0.5)
    .fitSize([MAP_WIDTH, MAP_HEIGHT], { type: 'GeometryCollection', geometries });
  const draw = geoPath(projection).digits(0);
  const countries = shown.map(({ code, land }): MapCountry => {
    const largest = Math.max(...listParts(land).map((part) => draw.area(part)));
    const parts = listParts(land).filter((part) => draw.area(part) >= Math.min(largest, MIN_ISLAND));
    const visible: Land = { type: 'MultiPolygon', coordinates: parts.map(({ coordinates }) => coordinates) };
    const [x = 0, y = 0] = draw.centroid(visible).map(Math.round);
    const isSmall = code !== undefined && draw.area(visible) < MIN_COUNTRY;
    return { code, path: shortenPath(draw(visible) ?? ''), ...(isSmall && { marker: [x, y] as const }) };
  });
  // Markers are last, so that no neighbour covers them.
  return countries.sort((a, b) => Number(a.marker !== undefined) - Number(b.marker !== undefined));
}

/** The atlas has some countries in several parts. */
function listCountries(atlas: Atlas): readonly { readonly code: string | undefined; readonly land: Land }[] {
  const outlines = new Map<string, Outline[]>();
  for (const geometry of atlas.objects.countries.geometries) {
    const key = String(geometry.id ?? geometry.properties?.name);
    outlines.set(key, [...(outlines.get(key) ?? []), geometry]);
  }
  return [...outlines].map(([key, all]) => ({
    code: key === 'Kosovo' ? KOSOVO : findCountryByNumber(key),
    land: merge(atlas, all),
  }));
}

function listParts({ coordinates }: Land): readonly { type: 'Polygon'; coordinates: Land['coordinates'][number] }[] {
  return coordinates.map((part) => ({ type: 'Polygon', coordinates: part }));
}

/** With relative points, which take half as long, and without those that are equal to the one before. */
function shortenPath(path: string): string {
  let [lastX, lastY] = [0, 0];
  const outlines = path.split('M').map((outline) => {
    const points = outline
      .replace('Z', '')
      .split('L')
      .filter((point, at, all) => point !== all[at - 1])
      .map((point) => point.split(',').map(Number));
    if (points.length < 3) return '';
    const steps = points.map(([x = 0, y = 0]) => {
      const step = `${x - lastX}${y < lastY ? '' : ' '}${y - lastY}`;
      [lastX, lastY] = [x, y];
      return step;
    });
    [lastX = 0, lastY = 0] = points[0] ?? [];
    return `m${steps.join(' ')}z`;
  });
  return outlines.join('');
}
