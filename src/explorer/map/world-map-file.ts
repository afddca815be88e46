export const WORLD_MAP_FILE = 'world-map.svg';

/** Twice the usual width on a page, so that whole numbers are exact to half a pixel. */
export const MAP_WIDTH = 1_600;
export const MAP_HEIGHT = 720;

/** All countries together. Each has its ISO 3166-1 alpha-2 code as id. */
export const LAND_ID = 'land';

/** Codes of the countries in the file. */
export function listMapCodes(svg: string): ReadonlySet<string> {
  return new Set([...svg.matchAll(/ id="([A-Z]{2})"/g)].map(([, code = '']) => code));
}
