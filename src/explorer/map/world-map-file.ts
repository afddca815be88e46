export const WORLD_MAP_FILE = 'world-map.svg';

/** About as wide as on a page: whole numbers are exact to a pixel. */
export const MAP_WIDTH = 1_000;
export const MAP_HEIGHT = 450;

/** All countries together. Each has its ISO 3166-1 alpha-2 code as id. */
export const LAND_ID = 'land';

/** Codes of the countries in the file. */
export function listMapCodes(svg: string): ReadonlySet<string> {
  return new Set([...svg.matchAll(/ id="([A-Z]{2})"/g)].map(([, code = '']) => code));
}
