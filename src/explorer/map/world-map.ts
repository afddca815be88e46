import { createRequire } from 'node:module';
import { geoArea, geoEqualEarth, geoPath } from 'd3-geo';
import { feature, transform } from 'topojson-client';
import { findCountryByNumber } from '../../region/cldr-territories.js';
import { PathWriter } from './path-writer.js';
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
const MARKER_RADIUS = 7;

/** Between points of a border, in degrees: about a pixel of a page. */
const MIN_STEP = 0.45;

/** A smaller island is left out, unless it is the largest of its country, in square units of the map. */
const MIN_ISLAND = 5;

/** A smaller country gets a marker, in square units of the map. */
const MIN_COUNTRY = 40;

/** The atlas has no number for it; its code is in use (decisions 4.5). */
const KOSOVO = 'XK';

const ANTARCTICA = 'AQ';

type Atlas = Parameters<typeof feature>[0];

/** GeoJSON. */
interface Country {
  readonly type: 'Feature';
  readonly id: string | undefined;
  readonly name: string;
  readonly geometry: { readonly type: 'MultiPolygon'; readonly coordinates: number[][][][] };
  readonly properties: null;
}

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

/** Takes some tenths of a second. Borders that two countries share stay the same line. */
export function createWorldMap(): readonly MapCountry[] {
  // Node.js 20 prints a warning on standard error when JSON is imported.
  const require = createRequire(import.meta.url);
  const atlas = require('world-atlas/countries-50m.json') as Atlas;
  const projection = geoEqualEarth().precision(0.5);
  const shown = listCountries(simplifyBorders(atlas))
    .filter((one) => codeOf(one) !== ANTARCTICA)
    .map(withoutReversedParts);
  projection.fitSize([MAP_WIDTH, MAP_HEIGHT], { type: 'FeatureCollection', features: [...shown] });
  const path = geoPath(projection);
  const writer = new PathWriter();
  const draw = geoPath(projection, writer);
  const countries = shown.map((one): MapCountry => {
    const code = codeOf(one);
    const land = withoutTinyIslands(one, path);
    const [x, y] = path.centroid(land).map(Math.round);
    draw(land);
    const isSmall = code !== undefined && path.area(land) < MIN_COUNTRY;
    return {
      code,
      path: writer.take(),
      ...(isSmall && x !== undefined && y !== undefined && { marker: [x, y] as const }),
    };
  });
  // Markers are last, so that no neighbour covers them.
  return countries.sort((a, b) => Number(a.marker !== undefined) - Number(b.marker !== undefined));
}

/** The atlas has some countries in several parts. */
function listCountries(topology: Atlas): readonly Country[] {
  const { countries: object } = topology.objects;
  const collection = object && feature(topology, object);
  const features = collection !== undefined && 'features' in collection ? collection.features : [];
  const countries = new Map<string, Country>();
  for (const { geometry, id, properties } of features) {
    const coordinates = geometry.type === 'Polygon' ? [geometry.coordinates] : [];
    if (geometry.type === 'MultiPolygon') coordinates.push(...geometry.coordinates);
    const name = String(properties?.['name']);
    const key = String(id ?? name);
    const known = countries.get(key)?.geometry.coordinates ?? [];
    const merged: Country['geometry'] = { type: 'MultiPolygon', coordinates: [...known, ...coordinates] };
    countries.set(key, { type: 'Feature', id: id?.toString(), name, geometry: merged, properties: null });
  }
  return [...countries.values()];
}

function codeOf({ id, name }: Country): string | undefined {
  if (name === 'Kosovo') return KOSOVO;
  return id === undefined ? undefined : findCountryByNumber(id);
}

/** Leaves out points of arcs. The ends of an arc, where others begin, stay. */
function simplifyBorders({ transform: scale, ...rest }: Atlas): Atlas {
  const decode = scale && transform(scale);
  const arcs = rest.arcs.map((arc) => {
    const points = decode === undefined ? arc : arc.map((point, at) => decode([...point], at > 0));
    let [lastX = NaN, lastY = NaN] = points[0] ?? [];
    const kept = points.filter(([x = 0, y = 0], at) => {
      const isEnd = at === 0 || at === points.length - 1;
      if (!isEnd && Math.hypot(x - lastX, y - lastY) < MIN_STEP) return false;
      [lastX, lastY] = [x, y];
      return true;
    });
    return kept.length >= MIN_RING
      ? kept
      : points.filter((_, at) => at % Math.ceil(points.length / MIN_RING) === 0 || at === points.length - 1);
  });
  return { ...rest, arcs };
}

/** A triangle whose first point is also the last. */
const MIN_RING = 4;

/** Leaves out parts whose few points may have got the reverse order, which stands for the rest of the world. */
function withoutReversedParts(country: Country): Country {
  return keepParts(country, (coordinates) => geoArea({ type: 'Polygon', coordinates }) < HALF_SPHERE);
}

/** In steradians. */
const HALF_SPHERE = 2 * Math.PI;

/** The largest part of the country stays. */
function withoutTinyIslands(country: Country, path: ReturnType<typeof geoPath>): Country {
  const areaOf = (coordinates: number[][][]): number => path.area({ type: 'Polygon', coordinates });
  const largest = Math.max(...country.geometry.coordinates.map(areaOf));
  return keepParts(country, (coordinates) => areaOf(coordinates) >= Math.min(largest, MIN_ISLAND));
}

function keepParts(country: Country, isKept: (coordinates: number[][][]) => boolean): Country {
  const { coordinates } = country.geometry;
  return { ...country, geometry: { type: 'MultiPolygon', coordinates: coordinates.filter(isKept) } };
}
