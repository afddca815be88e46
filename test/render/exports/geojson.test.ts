import { describe, expect, it } from 'vitest';
import { renderGeojson } from '../../../src/render/exports/geojson.js';
import { createRenderInput } from '../../../src/render/render-input.js';
import type { CountryCounts } from '../../../src/render/render-input.js';
import { readFeatureCollection } from '../../support/formats/geojson-reader.js';

function render(countries: Partial<CountryCounts>): ReturnType<typeof readFeatureCollection> {
  const input = createRenderInput({});
  const sources = [{ sourceName: 'Lagoon', state: 'failed', reason: 'status', detail: { status: 500 } }];
  const facts = { ...input.facts, total: 7, completeness: 'partial', sources } as const;
  return readFeatureCollection(
    [...renderGeojson({ countries: { ...input.countries, ...countries }, facts }, { pretty: false })].join(''),
  );
}

describe('GeoJSON', () => {
  it('has a feature for each country, by its code, with a point and the number of teams', () => {
    const { features } = render({ counts: new Map([['SE', 2], ['NO', 3]]) }); // prettier-ignore
    expect(features.map(({ properties }) => properties)).toEqual([
      { country: 'NO', name: 'Norway', teams: 3, region: 'Europe' },
      { country: 'SE', name: 'Sweden', teams: 2, region: 'Europe' },
    ]);
    expect(features[0]?.geometry).toMatchObject({ type: 'Point' });
  });

  it('has a feature without a geometry for a country that the map does not have', () => {
    expect(render({ counts: new Map([['BV', 1]]) }).features).toMatchObject([{ id: 'BV', geometry: null }]);
  });

  it('states the access level of members data, the date, and the part of each source that is known', () => {
    const input = createRenderInput({});
    const sources = [
      { sourceName: 'Delta', state: 'fresh', detail: {}, records: 300, unfetched: 200 },
      { sourceName: 'Lagoon', state: 'partial', reason: 'too-large', detail: {}, total: 300 },
    ];
    const facts = { ...input.facts, access: 'members', newest: 0, sources } as const;
    const [text = ''] = renderGeojson({ ...input, facts }, { pretty: true });
    expect(text).toContain('\n    "type": "FeatureCollection"');
    expect(readFeatureCollection(text).members).toMatchObject({
      access: 'members',
      'last-modified': 'Thu, 01 Jan 1970 00:00:00 GMT',
      sources: [
        { 'source-name': 'Delta', state: 'fresh', records: 300, 'teams-not-counted': 200 },
        { 'source-name': 'Lagoon', state: 'partial', reason: 'too-large', total: 300 },
      ],
    });
  });

  it('states the total, the teams that are in no feature, and every source with its state', () => {
    const { members } = render({ withoutCountry: 4, uncounted: 2 });
    expect(members).toEqual({
      total: 7,
      completeness: 'partial',
      'teams-without-country': 4,
      'teams-not-counted': 2,
      sources: [{ 'source-name': 'Lagoon', state: 'failed', reason: 'status', status: 500 }],
    });
  });
});
