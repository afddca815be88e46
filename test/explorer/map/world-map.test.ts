import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderHtmlDocument } from '../../../src/html/html.js';
import { MapView } from '../../../src/explorer/map/map-view.js';
import { parseWorldMap } from '../../../src/explorer/map/world-map-file.js';
import { createWorldMap } from '../../../src/explorer/map/world-map.js';
import { getCountryNames } from '../../../src/region/country-names.js';

const map = createWorldMap();
const codes = map.countries.flatMap(({ code }) => code ?? []);

describe('the world map', () => {
  it('has each country once, also the smallest ones and Kosovo, under the code and name of the list', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(['NO', 'SG', 'MT', 'XK', 'FJ', 'NZ', 'GB', 'TW', 'PS', 'CD', 'TL']));
    expect(codes.length).toBeGreaterThan(230);
    for (const { code, name } of map.countries) if (code !== undefined) expect(name).toBe(getCountryNames(code)[0]);
  });

  it('shows each country as an outline inside the map, or by a marker', () => {
    for (const { code, path, marker } of map.countries) {
      expect(path).toMatch(/^(?:m-?\d+[ -]\d+l(?:-?\d+[ -]\d+ ?)+z)*$/);
      if (path === '') expect([code, marker !== undefined || code === undefined]).toEqual([code, true]);
      const [x = 0, y = 0] = marker ?? [];
      expect(x >= 0 && x <= map.width && y >= 0 && y <= map.height).toBe(true);
    }
    const marked = map.countries.filter(({ marker }) => marker !== undefined).map(({ code }) => code);
    expect(marked).toEqual(expect.arrayContaining(['SG', 'MT', 'BH', 'LI']));
    expect(marked).not.toContain('AU');
  });
});

describe('the file of the map', () => {
  it('contains the whole map', () => {
    expect(parseWorldMap(JSON.stringify(map))).toEqual(map);
  });

  it.each(['[]', '{"width":1,"height":1,"countries":[{}]}', '{"width":1,"countries":[]}', 'null'])(
    'is refused if it is no map: %s',
    (text) => {
      expect(() => parseWorldMap(text)).toThrow('world-map.json is not a map');
    },
  );
});

describe('the map of a page', () => {
  const render = (counts: Readonly<Record<string, number>>, selected: readonly string[] = []): string =>
    renderHtmlDocument(
      MapView({
        map,
        counts: new Map(Object.entries(counts)),
        selected: new Set(selected),
        hrefFor: (code) => `/?country=${code}`,
      }),
    );

  it('links each country with teams, and names it with its number', () => {
    const page = render({ NO: 12, SG: 1 }, ['SG']);
    expect(page.match(/<a /g)).toHaveLength(2);
    expect(page).toContain('<a href="/?country=NO" tabindex="-1" aria-label="Norway: 12 teams"><path');
    const singapore = /aria-label="Singapore: 1 team" aria-current="true"><path [^>]*class="map-1"><\/path><circle /;
    expect(page).toMatch(singapore);
  });

  it('shades more teams more', () => {
    const page = render({ NO: 1, SE: 10, DK: 100 });
    const shades = ['Norway', 'Sweden', 'Denmark'].map(
      (name) => new RegExp(`${name}:[^>]*><path[^>]*map-(\\d)`).exec(page)?.[1],
    );
    expect(shades).toEqual(['1', '3', '5']);
    expect(render({ NO: 1 })).toContain('map-1');
  });

  it('is small, and has neither scripts nor styles', () => {
    const page = render(Object.fromEntries(codes.map((code) => [code, 5])));
    expect(page).not.toMatch(/style=|<script|<style| on\w+=/);
    expect(gzipSync(page).length).toBeLessThan(40_000);
  });
});
