import { describe, expect, it } from 'vitest';
import { findCountries } from '../../src/countries/country-list.js';
import { countries } from '../../src/model/resources/countries.js';
import type { Query } from '../../src/model/query.js';
import { parseQuery } from '../../src/query/parse-query.js';
import { defaultScopeAccess } from '../../src/model/resources/team-scopes.js';
import { regionNames } from '../../src/region/region.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse } from '../support/gateway/test-gateway.js';

/** The countries and areas of UN M49 in Africa. They are listed here because the data of CLDR is under test. */
const AFRICA = (
  'DZ EG LY MA SD TN EH ' +
  'IO BI KM DJ ER ET TF KE MG MW MU YT MZ RE RW SC SO SS UG TZ ZM ZW ' +
  'AO CM CF TD CG CD GQ GA ST ' +
  'BW SZ LS NA ZA ' +
  'BJ BF CV CI GM GH GN GW LR ML MR NE NG SH SN SL TG'
).split(' ');

function queryOf(parameters: string): Query {
  const parsed = parseQuery(
    parameters,
    {
      vocabulary: { resource: countries, sourceNames: [], codes: [], properties: [], aggregate: false },
      limit: { default: 300, max: 300 },
      envelope: true,
      scopeAccess: defaultScopeAccess,
    },
    'public',
  );
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.query;
}

/** The alpha-2 codes of the countries that a query selects, in order. */
async function codesOf(parameters: string): Promise<string[]> {
  return (await findCountries(queryOf(parameters))).records.map(({ id }) => id);
}

describe('findCountries', () => {
  it('has the 249 countries of ISO 3166-1 and XK, each with name, continent and both codes', async () => {
    const { total, records } = await findCountries(queryOf(''));
    expect(total).toBe(250);
    const incomplete = records.filter(({ id, values: [name, region, alpha2, alpha3] }) => {
      return typeof name !== 'string' || typeof region !== 'string' || alpha2 !== id || typeof alpha3 !== 'string';
    });
    expect(incomplete.map(({ id }) => id)).toEqual([]);
  });

  it('has in Africa what UN M49 has there, which is more than the 57 that FIRST has', async () => {
    expect((await codesOf('region=africa')).sort()).toEqual(AFRICA.sort());
    expect(AFRICA.length).toBe(60);
  });

  it('has each country in exactly one continent, of which its region is the name', async () => {
    const continents = ['Africa', 'Antarctica', 'Asia', 'Europe', 'North America', 'Oceania', 'South America'];
    const found = await Promise.all(
      continents.map((name) => findCountries(queryOf(`region=${encodeURIComponent(name)}`))),
    );
    expect(found.reduce((sum, { total }) => sum + total, 0)).toBe(250);
    for (const [at, { records }] of found.entries())
      expect(new Set(records.map(({ values: [, region] }) => region))).toEqual(new Set([continents[at]]));
  });

  it('knows every region that teams can be filtered by', async () => {
    for (const name of regionNames) expect((await codesOf(`region=${encodeURIComponent(name)}`)).length).not.toBe(0);
  });

  it('is ordered by folded name, so that letters with diacritics are among the others', async () => {
    expect((await codesOf('')).slice(0, 5)).toEqual(['AF', 'AX', 'AL', 'DZ', 'AS']);
  });

  it.each([
    ['q=turkey', ['TR']],
    ['q=burma', ['MM']],
    ['q=cote%20ivoire', ['CI']],
    ['q=grc', ['GR']],
    ['q=antarctica', ['AQ']],
    ['q=ukr', ['UA']],
    ['q=north%20africa%20zz', []],
    ['q=guinea&region=oceania', ['PG']],
    ['region=830&sort=-alpha-2', ['JE', 'GG']],
    ['sort=alpha-3&limit=2&offset=2', ['AO', 'AI']],
    ['offset=250', []],
  ])('finds for %s', async (parameters, codes) => {
    expect(await codesOf(parameters)).toEqual(codes);
  });
});

/** The list over HTTP (decisions 2.41). */
describe('/data/v1/countries', () => {
  it('lists a country by the code of the scope, with the properties of the table and no others', async () => {
    const source = { directory: 'http://127.0.0.1:9/directory/v1', properties: ['timezone'] };
    const gateway = await startGateway({ sources: { harbour: source } });
    const get = (query: string): Promise<GatewayResponse> =>
      gateway.get(`/data/v1/countries?envelope=0&q=algeria&${query}`);
    expect((await get('scope=public')).json).toEqual({ DZ: { country: 'Algeria', region: 'Africa' } });
    expect((await get('scope=iso')).json).toEqual({ DZA: { country: 'Algeria', region: 'Africa' } });
    expect((await get('scope=full&fields=alpha-3')).json).toEqual({ DZ: { 'alpha-3': 'DZA' } });
    for (const name of ['timezone', '-harbour-berth', 'source-name']) {
      expect((await get(`fields=${name}`)).status, name).toBe(400);
      expect((await get(`sort=${name}`)).status, name).toBe(400);
    }
    await gateway.close();
  });
});
