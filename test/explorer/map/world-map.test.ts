import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { renderHtmlDocument } from '../../../src/html/html.js';
import { MapView } from '../../../src/explorer/map/map-view.js';
import { MAP_HEIGHT, MAP_WIDTH, listMapCodes } from '../../../src/explorer/map/world-map-file.js';
import { createWorldMap, renderWorldMap } from '../../../src/explorer/map/world-map.js';

const countries = createWorldMap();
const codes = countries.flatMap(({ code }) => code ?? []);

describe('the world map', () => {
  it('has each country once, also the smallest ones and Kosovo, under the code of the list', () => {
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(['NO', 'SG', 'MT', 'XK', 'FJ', 'NZ', 'GB', 'TW', 'PS', 'CD', 'TL']));
    expect(codes.length).toBeGreaterThan(230);
  });

  it('shows each country as an outline inside the map, or by a marker', () => {
    for (const { code, path, marker } of countries) {
      expect(path).toMatch(/^(?:m-?\d+[ -]\d+l(?:-?\d+[ -]\d+ ?)+z)*$/);
      if (path === '') expect([code, marker !== undefined || code === undefined]).toEqual([code, true]);
      const [x = 0, y = 0] = marker ?? [];
      expect(x >= 0 && x <= MAP_WIDTH && y >= 0 && y <= MAP_HEIGHT).toBe(true);
    }
    const marked = countries.filter(({ marker }) => marker !== undefined).map(({ code }) => code);
    expect(marked).toEqual(expect.arrayContaining(['SG', 'MT', 'BH', 'LI']));
    expect(marked).not.toContain('AU');
  });
});

describe('the file of the map', () => {
  const file = renderWorldMap(countries);

  it('has each country under its code, without colours, and is small', () => {
    expect(listMapCodes(file)).toEqual(new Set(codes));
    expect(file).toMatch(/<path id="NO" d="m[^"]*"\/>.*<g id="SG"><path d="[^"]*"\/><circle [^>]*\/><\/g>/);
    expect(file).not.toMatch(/style|fill|<script| on\w+=/);
    expect(gzipSync(file).length).toBeLessThan(40_000);
  });
});

describe('the map of a page', () => {
  const render = (counts: Readonly<Record<string, number>>, selected: readonly string[] = []): string =>
    renderHtmlDocument(
      MapView({
        map: { codes: new Set(codes) },
        file: '/assets/map.svg',
        counts: new Map(Object.entries(counts)),
        selected: new Set(selected),
        hrefFor: (code) => `/?country=${code}`,
      }),
    );

  it('links each country with teams, and names it with its number', () => {
    const page = render({ NO: 12, SG: 1 }, ['SG']);
    expect(page.match(/<a /g)).toHaveLength(2);
    expect(page).toContain('<a href="/?country=NO" tabindex="-1" aria-label="Norway: 12 teams"><use');
    const singapore =
      'aria-label="Singapore: 1 team" aria-current="true"><use href="/assets/map.svg#SG" class="map-1">';
    expect(page).toContain(singapore);
  });

  it('shades more teams more', () => {
    const page = render({ NO: 1, SE: 10, DK: 100 });
    const shades = ['Norway', 'Sweden', 'Denmark'].map(
      (name) => new RegExp(`${name}:[^>]*><use[^>]*map-(\\d)`).exec(page)?.[1],
    );
    expect(shades).toEqual(['1', '3', '5']);
    expect(render({ NO: 1 })).toContain('map-1');
  });
});
