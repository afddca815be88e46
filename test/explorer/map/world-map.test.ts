import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { MAP_HEIGHT, MAP_WIDTH, listMapCodes } from '../../../src/explorer/map/world-map-file.js';
import { createWorldMap, renderWorldMap } from '../../../src/explorer/map/world-map.js';
import { closePageGateways, startPageGateway } from '../../support/gateway/page-gateway.js';

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
      expect(path).toMatch(/^(?:m(?:-?\d+[ -]\d+ ?)+z)*$/);
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
    expect(gzipSync(file).length).toBeLessThan(21_000);
  });
});

describe('the map of a page', () => {
  afterEach(closePageGateways);

  it('links each country with teams, names it with its number, and shades more teams more', async () => {
    const teams = [...repeat('SG', 1), ...repeat('SE', 10), ...repeat('DK', 100)];
    const file = { path: '/assets/map.svg', contentType: 'text/plain', bytes: Buffer.from('') };
    const explorerAssets = { map: { ...file, codes: new Set(codes) }, script: file, style: file };
    const { page } = await startPageGateway({ harbour: { teams } }, {}, { explorerAssets });
    const map = (await page('/')).part('map');
    expect(
      [...map.matchAll(/<a href="([^"]*)"[^>]*><title>([^<]*)<.*?#([A-Z]*)" fill-opacity="([^"]*)"/g)].map(
        ([, ...a]) => a,
      ),
    ).toEqual(
      expect.arrayContaining([
        ['/?country=SG', 'Singapore: 1 team', 'SG', '0.2'],
        ['/?country=SE', 'Sweden: 10 teams', 'SE', '0.5'],
        ['/?country=DK', 'Denmark: 100 teams', 'DK', '1.0'],
      ]),
    );
    expect(map.match(/: \d+ teams?</g)).toHaveLength(3);
  });
});

function repeat(country: string, count: number): object[] {
  return Array.from({ length: count }, (_, at) => ({ 'short-team-name': `${country} ${at}`, 'country-code': country }));
}
