import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleNames, startSamples } from '../../src/demo/start-sample-repositories.js';
import type { RunningSamples } from '../../src/demo/start-sample-repositories.js';
import type { Raw } from './sample-files.js';
import { listOf, objectOf, recordsOf, textOf } from './sample-files.js';
import { freePort } from '../support/free-port.js';

let samples: RunningSamples;

beforeAll(async () => {
  samples = await startSamples(new Map(sampleNames.map((name) => [name, 0])));
});

afterAll(async () => {
  await samples.close();
});

function urlOf(name: string, query = ''): string {
  return `${samples.addresses.get(name)?.directory ?? ''}/teams${query}`;
}

/** The samples that have a directory interface. */
const directories = ['harbour', 'lantern', 'attic', 'quay'];

async function fetchTeams(name: string, query: string): Promise<{ response: Response; body: unknown }> {
  const response = await fetch(urlOf(name, query));
  return { response, body: await response.json() };
}

async function teams(name: string, query: string): Promise<readonly Raw[]> {
  const { body } = await fetchTeams(name, query);
  return listOf(Array.isArray(body) ? body : objectOf(body)['data']);
}

/** Fetches pages until one is empty, and returns all records. */
async function drain(name: string, limit: number): Promise<readonly Raw[]> {
  const found: Raw[] = [];
  for (;;) {
    const page = await teams(name, `?limit=${limit}&offset=${found.length}`);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

const sorted = (records: readonly Raw[]): readonly string[] => records.map((record) => JSON.stringify(record)).sort();

describe('the directory interfaces of the samples', () => {
  it.each(directories)('return each record of %s exactly once over all pages', async (name) => {
    expect(sorted(await drain(name, 100))).toEqual(sorted(recordsOf(name)));
  });

  it('serve only the path of teams, with and without extension, and only GET and HEAD', async () => {
    const base = samples.addresses.get('harbour')?.directory ?? '';
    expect((await fetch(`${base}/teams.json?limit=1`)).status).toBe(200);
    expect((await fetch(`${base}/team`)).status).toBe(404);
    expect((await fetch(base.replace('directory', 'data'))).status).toBe(404);
    expect((await fetch(`${base}/teams`, { method: 'HEAD' })).headers.get('x-total-count')).not.toBeNull();
    const refused = await fetch(`${base}/teams`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

describe('the harbour', () => {
  it('returns an indented bare list of at most 100 records, with metadata in header fields', async () => {
    const response = await fetch(urlOf('harbour', '?limit=500'));
    const text = await response.text();
    expect(listOf(JSON.parse(text))).toHaveLength(100);
    expect(text).toMatch(/^\[\n {4}\{\n {8}"/);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-version')).toBe('1.0');
    expect(response.headers.get('x-total-count')).toBe(String(recordsOf('harbour').length));
    expect(response.headers.get('last-modified')).toBe('Tue, 01 Sep 2026 06:00:00 GMT');
    expect(response.headers.get('content-encoding')).toBe('gzip');
  });

  it('returns only the count for limit=0, with an envelope and without white space when requested', async () => {
    const response = await fetch(urlOf('harbour', '?limit=0&envelope=1&pretty=0&country=NL,nz'));
    const countries = (record: Raw): unknown[] => [record['country-code'], record['additional-country-code']].flat();
    const total = recordsOf('harbour').filter((record) =>
      countries(record).some((code) => code === 'NL' || code === 'NZ'),
    );
    expect(await response.text()).toBe(
      `{"status":"OK","status_code":200,"version":"1.0","total":${total.length},` +
        '"last-modified":"Tue, 01 Sep 2026 06:00:00 GMT","limit":0,"offset":0,"data":[]}',
    );
  });

  it('searches all properties except last-modified with q and names with team, ignoring case and diacritics', async () => {
    expect(await teams('harbour', '?q=THORSVIK%20rope')).toHaveLength(0);
    expect((await teams('harbour', '?q=THORSVIK%20quay')).map((team) => team['short-team-name'])).toEqual([
      'Vault SOC',
    ]);
    expect(await teams('harbour', '?q=%2B00:00')).toHaveLength(0);
    expect(await teams('harbour', '?team=thorsvik')).toHaveLength(2);
    expect(await teams('harbour', '?team=Iceland%20quay')).toHaveLength(0);
  });

  it('filters by any property, also by an item of a list', async () => {
    const [first] = await teams('harbour', '?-harbour-member-type=liaison&limit=1');
    expect(first?.['-harbour-member-type']).toBe('Liaison');
    expect(await teams('harbour', '?short-team-name=delta-cert')).toHaveLength(2);
    const [twin] = await teams(
      'harbour',
      '?additional-country-code=dk&short-team-name=stra%C3%9Fen-cert%20GRO%E1%BA%9EFELD',
    );
    expect(twin?.['country-code']).toBe('DE');
  });

  it('sorts by several properties in both directions, with missing values last', async () => {
    const type = (team: Raw): unknown => team['-harbour-member-type'];
    const up = await teams('harbour', '?sort=-harbour-member-type,-last-modified&limit=100');
    expect(up.slice(0, 80).every((team) => type(team) === 'Full Member')).toBe(true);
    expect(up.map((team) => String(team['last-modified']))[0]).toMatch(/^2026-07/);
    const down = await teams('harbour', '?sort=--harbour-member-type&limit=1');
    expect(down.map(type)).toEqual(['Liaison']);
    const [last] = await teams('harbour', `?sort=--harbour-member-type&offset=${recordsOf('harbour').length - 1}`);
    expect(last?.['short-team-name']).toBeDefined();
    expect(last).not.toHaveProperty('-harbour-member-type');
  });

  it('narrows records to the requested fields, in the order of the record', async () => {
    const [team] = await teams('harbour', '?fields=email,short-team-name&short-team-name=N-CSIRT-NO');
    expect(Object.keys(team ?? {})).toEqual(['short-team-name', 'email']);
  });

  it.each([
    'limit=-1',
    'offset=x',
    'envelope=yes',
    'country=Norway',
    'fields=a',
    'sort=-b',
    'regio=Europe',
    'last-modified=1',
  ])('rejects %s with a message that names the parameter or property', async (query) => {
    const { response, body } = await fetchTeams('harbour', `?${query}`);
    expect(response.status).toBe(400);
    const [parameter = '', value = ''] = query.split('=');
    const message = String(objectOf(body)['message']);
    expect(message).toMatch(new RegExp(`^${parameter} `));
    if (['fields', 'sort'].includes(parameter)) expect(message).toContain(value.slice(-1));
  });

  it('returns 304 when If-Modified-Since equals Last-Modified', async () => {
    const headers = { 'if-modified-since': 'Tue, 01 Sep 2026 06:00:00 GMT' };
    const response = await fetch(urlOf('harbour'), { headers });
    expect([response.status, await response.text()]).toEqual([304, '']);
  });
});

describe('the lantern', () => {
  it('limits each page to 20 records and reports that limit in its envelope', async () => {
    const { body } = await fetchTeams('lantern', '?limit=100&offset=5');
    const { data, ...head } = objectOf(body);
    expect(listOf(data)).toHaveLength(20);
    expect(head).toEqual({
      status: 'OK',
      status_code: 200,
      version: '1.0',
      total: recordsOf('lantern').length,
      'last-modified': 'Fri, 14 Aug 2026 18:30:00 GMT',
      limit: 20,
      offset: 5,
    });
    expect(await teams('lantern', '?limit=3&envelope=false')).toHaveLength(3);
  });
});

describe('the attic', () => {
  it('counts only the page, and sends no total, no version and no compression', async () => {
    const { response, body } = await fetchTeams('attic', '?limit=7&offset=3');
    expect(body).toEqual({ status: 200, length: 7, data: recordsOf('attic').slice(3, 10) });
    const absent = ['x-total-count', 'x-version', 'last-modified', 'content-encoding'];
    expect(absent.filter((name) => response.headers.has(name))).toEqual([]);
  });

  it('ignores filters, sort, fields and invalid values', async () => {
    const plain = await teams('attic', '');
    expect(plain).toHaveLength(50);
    expect(await teams('attic', '?country=NO&q=nothing&sort=-email&fields=email&limit=some&envelope=false')).toEqual(
      plain,
    );
  });

  it('sends the property __proto__', async () => {
    const text = await (await fetch(urlOf('attic', '?limit=1000'))).text();
    expect(text).toContain('"__proto__":{"source-name"');
  });
});

describe('the ledger', () => {
  const address = (): string => samples.addresses.get('ledger')?.document ?? '';

  it('serves its file as CSV, whatever the query', async () => {
    const response = await fetch(`${address()}?limit=1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('last-modified')).toBe('Mon, 28 Sep 2026 07:15:00 GMT');
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe(textOf('ledger.csv'));
  });

  it('returns 304 when If-Modified-Since equals Last-Modified', async () => {
    const headers = { 'if-modified-since': 'Mon, 28 Sep 2026 07:15:00 GMT' };
    const response = await fetch(address(), { headers });
    expect([response.status, await response.text()]).toEqual([304, '']);
  });

  it('has no interface', async () => {
    const { directory, data } = samples.addresses.get('ledger') ?? {};
    expect([directory, data]).toEqual([undefined, undefined]);
    const { origin } = new URL(address());
    for (const path of ['/directory/v1/teams', '/data/v1/teams', '/'])
      expect((await fetch(origin + path)).status, path).toBe(404);
  });
});

describe('the gazette', () => {
  const feeds = (): readonly string[] => samples.addresses.get('gazette')?.feeds ?? [];

  it.each([
    ['advisories.rss', 'application/rss+xml; charset=utf-8', 'Fri, 25 Sep 2026 09:15:00 GMT'],
    ['bulletins.atom', 'application/atom+xml; charset=utf-8', 'Mon, 28 Sep 2026 06:30:00 GMT'],
  ])('serves %s with its media type, and a 304 for its Last-Modified', async (name, type, lastModified) => {
    const address = feeds().find((url) => url.endsWith(`/${name}`)) ?? '';
    const response = await fetch(address);
    const { headers } = response;
    expect([response.status, headers.get('content-type'), headers.get('last-modified')]).toEqual([
      200,
      type,
      lastModified,
    ]);
    expect(await response.text()).toBe(textOf(`gazette-${name}`));
    const unchanged = await fetch(address, { headers: { 'if-modified-since': lastModified } });
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
  });

  it('has no interface and no document', async () => {
    const { directory, data, document } = samples.addresses.get('gazette') ?? {};
    expect([directory, data, document]).toEqual([undefined, undefined, undefined]);
    const { origin } = new URL(feeds()[0] ?? '');
    for (const path of ['/data/v1/news', '/teams.csv', '/'])
      expect((await fetch(origin + path)).status, path).toBe(404);
  });
});

describe('starting and stopping', () => {
  it('rejects an unknown sample, and lists the known ones', async () => {
    await expect(startSamples(new Map([['cellar', 0]]))).rejects.toThrow(
      'sample cellar does not exist; known: harbour, lantern, attic, chronicle, beacon, quay, ledger, gazette',
    );
  });

  it('rejects when a port is in use, and closes the samples already started', async () => {
    const usedPort = new URL(urlOf('harbour')).port;
    const free = await freePort();
    const ports = new Map([
      ['lantern', free],
      ['attic', Number(usedPort)],
    ]);
    await expect(startSamples(ports)).rejects.toThrow(`port ${usedPort} of 127.0.0.1 is in use (samples.attic); `);
    await expect(fetch(`http://127.0.0.1:${free}/directory/v1/teams`)).rejects.toThrow();
  });

  it('stops while a client has sent half a request', async () => {
    const short = await startSamples(new Map([['attic', 0]]));
    const address = short.addresses.get('attic')?.directory ?? '';
    const client = connect(Number(new URL(address).port), '127.0.0.1');
    client.write('GET /directory/v1/teams HTTP/1.1\r\nHost: attic\r\n');
    await (await fetch(`${address}/teams`)).text(); // by now the server has read the half request
    const cut = once(client, 'close');
    await short.close();
    await cut;
  });
});
