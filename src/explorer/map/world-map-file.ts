import { readJsonProperty } from '../assets/json-property.js';

export const WORLD_MAP_FILE = 'world-map.json';

/** In the units of the map. */
export interface MapCountry {
  /** ISO 3166-1 alpha-2; undefined for a territory that has none. */
  readonly code: string | undefined;
  /** English, as in the select list. */
  readonly name: string;
  /** SVG path data. */
  readonly path: string;
  /** Centre of a country that is too small to be seen. */
  readonly marker?: readonly [x: number, y: number];
}

/** In an equal-area projection. */
export interface WorldMap {
  readonly width: number;
  readonly height: number;
  readonly countries: readonly MapCountry[];
}

/** Throws if the text is not that of a map. */
export function parseWorldMap(text: string): WorldMap {
  const map: unknown = JSON.parse(text);
  const [width, height, countries] = ['width', 'height', 'countries'].map((name) => readJsonProperty(map, name));
  if (typeof width !== 'number' || typeof height !== 'number' || !Array.isArray(countries))
    throw new Error(`${WORLD_MAP_FILE} is not a map`);
  return { width, height, countries: countries.map(parseCountry) };
}

function parseCountry(country: unknown): MapCountry {
  const [code, name, path, marker] = ['code', 'name', 'path', 'marker'].map((key) => readJsonProperty(country, key));
  if (typeof name !== 'string' || typeof path !== 'string') throw new Error(`${WORLD_MAP_FILE} is not a map`);
  const position: readonly unknown[] = Array.isArray(marker) ? marker : [];
  const [x, y] = position;
  const isMarked = typeof x === 'number' && typeof y === 'number';
  return {
    code: typeof code === 'string' ? code : undefined,
    name,
    path,
    ...(isMarked && { marker: [x, y] as const }),
  };
}
