import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { geoArea, geoBounds, geoCentroid, geoContains, geoDistance } from 'd3-geo';
import { feature } from 'topojson-client';
import { describe, expect, it } from 'vitest';
import { findCountryByNumber } from '../../src/region/cldr-territories.js';
import { findCountryPoint } from '../../src/region/country-points.js';
import { getCountryNames } from '../../src/region/country-names.js';

const FILE = new URL('../../src/region/country-points.ts', import.meta.url);

type Atlas = Parameters<typeof feature>[0];
type Point = readonly [longitude: number, latitude: number];
interface Part {
  readonly type: 'Polygon';
  readonly coordinates: number[][][];
}

/** The parts of each country of the atlas, by its alpha-2 code. The atlas has no number for Kosovo. */
function readParts(): ReadonlyMap<string, readonly Part[]> {
  const atlas = createRequire(import.meta.url)('world-atlas/countries-50m.json') as Atlas;
  const { countries } = atlas.objects;
  const collection = countries && feature(atlas, countries);
  const parts = new Map<string, Part[]>();
  for (const { id, properties, geometry } of collection !== undefined && 'features' in collection
    ? collection.features
    : []) {
    const code =
      properties?.['name'] === 'Kosovo' ? 'XK' : id === undefined ? undefined : findCountryByNumber(String(id));
    if (code === undefined) continue;
    const polygons = geometry.type === 'MultiPolygon' ? geometry.coordinates : [];
    if (geometry.type === 'Polygon') polygons.push(geometry.coordinates);
    const known = parts.get(code) ?? [];
    parts.set(code, [...known, ...polygons.map((coordinates): Part => ({ type: 'Polygon', coordinates }))]);
  }
  return parts;
}

const STEPS = 24;

/** A point in the largest part: its centre, or where this is outside, the point of a grid that is farthest from the border. */
function choosePoint(parts: readonly Part[]): Point {
  const [largest] = [...parts].sort((a, b) => geoArea(b) - geoArea(a));
  if (largest === undefined) throw new Error('a country without land');
  const centre = round(geoCentroid(largest));
  if (geoContains(largest, [...centre])) return centre;
  const [[west, south], [east, north]] = geoBounds(largest);
  const width = east < west ? east + 360 - west : east - west;
  const border = largest.coordinates.flat();
  const steps = Array.from({ length: STEPS - 1 }, (_, at) => (at + 1) / STEPS);
  const grid = steps.flatMap((x) =>
    steps.map((y): [number, number] => [west + x * width, south + y * (north - south)]),
  );
  const inside = grid.map(round).filter((point) => geoContains(largest, [...point]));
  const distance = (point: Point): number =>
    Math.min(...border.map(([x = 0, y = 0]) => geoDistance([...point], [x, y])));
  const [best] = inside.map((point) => ({ point, far: distance(point) })).sort((a, b) => b.far - a.far);
  return best?.point ?? round([border[0]?.[0] ?? 0, border[0]?.[1] ?? 0]);
}

function round([x, y]: readonly [number, number]): Point {
  return [Number(x.toFixed(2)), Number(y.toFixed(2))];
}

const parts = readParts();

/** Replaces the table of the file by one that is computed from the atlas. */
function generateFile(text: string): string {
  const rows = [...parts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, land]) => {
      return `  ${code}: [${choosePoint(land).join(', ')}],\n`;
    });
  return text.replace(
    /(const POINTS[^\n]*= \{\n)[^}]*(\};)/,
    (_, start: string, end: string) => `${start}${rows.join('')}${end}`,
  );
}

describe('the points of countries', () => {
  it('are those of the atlas (UPDATE_COUNTRY_POINTS=1 writes the file)', () => {
    const text = readFileSync(FILE, 'utf8');
    const expected = generateFile(text);
    if (process.env['UPDATE_COUNTRY_POINTS'] === '1') writeFileSync(FILE, expected);
    else expect(text).toBe(expected);
  });

  it('lie within their countries', () => {
    const outside = [...parts].filter(([code, land]) => {
      const point = findCountryPoint(code);
      return point === undefined || !land.some((part) => geoContains(part, [...point]));
    });
    expect(outside.map(([code]) => code)).toEqual([]);
  });

  it('exist for nearly every country with a name, and for no other text', () => {
    expect(findCountryPoint('NO')).toBeDefined();
    expect(findCountryPoint('ZZ')).toBeUndefined();
    expect(findCountryPoint('constructor')).toBeUndefined();
    expect([...parts.keys()].filter((code) => getCountryNames(code).length === 0)).toEqual([]);
  });
});
