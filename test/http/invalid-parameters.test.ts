import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/model/resource.js';
import { channels } from '../../src/model/resources/channels.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news, newsItem } from '../../src/model/resources/news.js';
import { outputParameters, listParameters } from '../../src/query/reserved-parameters.js';
import { resourceParameters } from '../../src/query/resource-parameters.js';
import { startCaseGateway } from '../support/cases/case-gateway.js';
import type { RunningCaseGateway } from '../support/cases/case-gateway.js';
import { rawRequest } from '../support/http/raw-http.js';
import type { RawResponse, RawRequest } from '../support/http/raw-http.js';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';

const NUMBERS = ['-1', '1.5', '1e3', 'ten', '0x10', '%2B5', '%205', '5%20', '%D9%A3', 'NaN', 'null', '1,000', '1%00'];
const BOOLEANS = ['yes', 'TRUE', 'True', '2', '-1', '00', 'on', 'null', '%20true', 'true,false'];
const COUNTRIES = ['QQ', 'NOR', 'Norway', 'N', 'NO,', ',', 'NO;SE', 'EU', 'N%C3%98', '%00'];
const REGIONS = ['Atlantis', '999', '2', 'Europe,Asia', '__proto__'];
const CALLBACKS = ['a.b', 'my_function', 'alert(1)', '%C3%A9', 'a%20b', 'a%00', '%3Cscript%3E', 'a'.repeat(65)];
const DATES = [
  'yesterday',
  '0',
  '202604',
  '2026-13-01',
  '2026-02-30',
  '02.04.2026',
  '2026-04-02T25:00:00Z',
  '2026-04-02,',
];
const SOURCE_NAMES = ['Nobody', 'mead', 'meadow,meadow', '*'];

/** Names of properties that are none, beside one that the resource has. */
function properties(own: string): readonly string[] {
  const malformed = [`${own},`, `${own},,${own}`, `${own};${own}`, own.toUpperCase()];
  return ['colour', ',', ...malformed, '__proto__', '-nobody-x', 'a'.repeat(7000)];
}

/** Values that the reserved parameters cannot have, as they are sent; of an item those of lists are left out. */
function reserved(own: string): Readonly<Record<string, readonly string[]>> {
  return {
    fields: [...properties(own), `-${own}`, '*'],
    envelope: BOOLEANS,
    pretty: BOOLEANS,
    callback: CALLBACKS,
    limit: NUMBERS,
    offset: NUMBERS,
    sort: [...properties(own), '-', `--${own}`, `${own}%20desc`, `%2B${own}`],
    'source-name': SOURCE_NAMES,
  };
}

function without<T>(all: Readonly<Record<string, T>>, names: readonly string[]): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}

/** Where a resource is asked for, and with what it cannot be. */
interface Place {
  readonly path: string;
  readonly resource: Resource;
  /** Values that a parameter cannot have. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  /** Parameters that search for text, and any text can be searched for. */
  readonly free: readonly string[];
  /** Names that are no parameters here, though they may be elsewhere. */
  readonly unknown: readonly string[];
}

const LISTS = ['limit', 'offset', 'sort', 'source-name'];
const UNKNOWN = [
  'limt',
  'Fields',
  'LIMIT',
  '-x-y',
  '-meadow-',
  'constructor',
  '__proto__',
  'page',
  '(link)',
  'content',
];
const PGP = ['pgp-id', 'pgp-fingerprint', 'pgp-key'];

const PLACES: readonly Place[] = [
  {
    path: '/directory/v1/teams',
    resource: directoryTeams,
    wrong: { ...reserved('email'), country: COUNTRIES, region: REGIONS, 'last-modified': ['2026-01-01', 'x'] },
    free: ['team', 'q'],
    unknown: [...UNKNOWN, 'scope', 'before', 'channel', 'id', 'team-full', 'membership'],
  },
  {
    path: '/data/v1/teams',
    resource: dataTeams,
    wrong: {
      ...reserved('email'),
      fields: [...properties('email'), ...PGP],
      sort: [...properties('email'), ...PGP, '-pgp-key', '(country-name)'],
      country: COUNTRIES,
      region: REGIONS,
      scope: ['secret', 'PUBLIC', 'public,pgp', '%20pgp', '__proto__'],
      'last-modified': ['2026-01-01', 'x'],
    },
    free: ['team', 'q'],
    unknown: [...UNKNOWN, ...PGP, 'before', 'channel', 'short-team-name', 'enckeys', '(country-name)', 'u'],
  },
  {
    path: '/data/v1/news',
    resource: news,
    wrong: { ...reserved('title'), offset: [...NUMBERS, '10000', '99999999999999999999'], before: DATES, after: DATES },
    free: ['channel', 'link', 'q'],
    unknown: [...UNKNOWN, 'scope', 'country', 'region', 'team', 'title', 'published', 'rsslink', '-meadow-x'],
  },
  {
    path: '/data/v1/news/1001',
    resource: newsItem,
    wrong: without(reserved('content'), LISTS),
    free: [],
    unknown: [...UNKNOWN, ...LISTS, 'q', 'id', 'before', 'channel', 'scope'],
  },
  {
    path: '/data/v1/channels',
    resource: channels,
    wrong: reserved('rss'),
    free: ['channel', 'link', 'rsslink', 'q'],
    unknown: [...UNKNOWN, 'scope', 'country', 'before', 'after', 'title', 'rss', 'team'],
  },
];

const NO_UTF8 = ['%zz', '%', '%4', '%FF', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%F5%80%80%80'];

/** All parameters of a place, those that are filters too. */
function namesAt({ resource }: Place): string[] {
  const {
    hasPropertyFilters: filters,
    pgpKeyProperties: keys,
    knownExtraProperties: extra,
    trailingProperty: trailing,
  } = resource;
  if (resource === newsItem) return outputParameters.map(({ name }) => name);
  const known = [...listParameters, ...resourceParameters[resource.name]];
  const more = filters
    ? [...resource.properties, ...extra, ...(trailing ? [trailing] : [])]
    : [{ name: 'source-name' }];
  return [...new Set([...known, ...more].map(({ name }) => name))].filter((name) => !keys.includes(name));
}

let fleet: RunningCaseGateway;

beforeAll(async () => {
  fleet = await startCaseGateway('empty', { now: () => Date.UTC(2026, 5, 1) });
});

afterAll(() => fleet.close());

function ask(target: string): Promise<RawResponse> {
  return rawRequest(fleet.port, { method: 'GET', headers: [], target });
}

/** The body of an error, taken apart: its keys in order, and what its `errors` name. */
function readError({ body }: RawResponse): { keys: string[]; code: unknown; message: unknown; parameters: unknown[] } {
  const error: unknown = JSON.parse(body.toString('utf8'));
  if (typeof error !== 'object' || error === null) throw new Error(`no error: ${body.toString('utf8')}`);
  const { status_code: code, 'status-code': dataCode, message, errors } = error as Record<string, unknown>;
  const parameters = Array.isArray(errors)
    ? (errors as { parameter: unknown }[]).map(({ parameter }) => parameter)
    : [];
  return { keys: Object.keys(error), code: code ?? dataCode, message, parameters };
}

function expectFault(reply: RawResponse, name: string, { resource }: Place): void {
  const { keys, code, message, parameters } = readError(reply);
  expect([reply.status, code, parameters]).toEqual([400, 400, [name]]);
  const statusCode = resource.interfaceName === 'data' ? 'status-code' : 'status_code';
  expect(keys).toEqual(['status', statusCode, 'version', 'message', 'errors']);
  expect(message).toContain(name);
}

describe.each(PLACES)('a parameter of $path', (place) => {
  const { path, wrong, free, unknown } = place;
  const names = namesAt(place);
  const values = Object.entries(wrong).flatMap(([name, all]) => all.map((value) => [name, value] as const));

  it.each(values)('%s=%s is a 400 that names it', async (name, value) => {
    expectFault(await ask(`${path}?${name}=${value}`), name, place);
  });

  it('is in the table above if it can have a wrong value', () => {
    const { resource } = place;
    const known = [
      ...(resource === newsItem ? outputParameters : listParameters),
      ...resourceParameters[resource.name],
    ];
    const tried = [...Object.keys(wrong), ...free];
    expect(known.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
  });

  it.each(names)('%s that is not UTF-8 is a 400 that names it', async (name) => {
    for (const value of NO_UTF8) expectFault(await ask(`${path}?${name}=${value}`), name, place);
  });

  it.each(names)('%s that is there twice is a 400 that names it', async (name) => {
    for (const query of [`${name}=&${name}=`, `${name}&pretty=1&${name}`.replace('&pretty=1&pretty', '&pretty')]) {
      expectFault(await ask(`${path}?${query}`), name, place);
    }
  });

  it.each(unknown)('%s, which is none, is a 400 that names it', async (name) => {
    for (const query of [name, `${name}=`, `${name}=1`]) expectFault(await ask(`${path}?${query}`), name, place);
  });

  it('is told together with all others', async () => {
    const several = Object.entries(wrong).map(([name, [value = '']]) => `${name}=${value}`);
    const { parameters } = readError(await ask(`${path}?${several.join('&')}&colour=blue`));
    expect(parameters).toEqual(expect.arrayContaining([...Object.keys(wrong), 'colour']));
  });
});

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((unicode) => encodeURIComponent(unicode));
const garbage = fc.oneof(fc.string({ unit: visible }), fc.string({ unit: byte, maxLength: 20 }), text);
const wrongValues = PLACES.flatMap(({ wrong }) => Object.values(wrong).flat());
const names = [...new Set(PLACES.flatMap((place) => [...namesAt(place), ...place.unknown]))];
const values = fc.oneof(garbage, fc.constantFrom(...new Set(wrongValues), ...NO_UTF8));
const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), garbage), values).map((both) => both.join('='));
const query = fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...PLACES.flatMap((place) => [place.path, `${place.path}.json`])) },
  garbage.map((rest) => `/directory/v1/${rest}`),
  garbage.map((rest) => `/data/v1/news/${rest}`),
  garbage.map((rest) => `/${rest}`),
  garbage.filter((target) => target !== ''),
);
const request = fc.record({
  method: fc.oneof({ weight: 9, arbitrary: fc.constant('GET') }, fc.constantFrom('HEAD', 'POST', 'OPTIONS', 'TRACE')),
  target: fc.tuple(path, query).map((parts) => parts.join('?')),
  headers: fc.array(
    garbage.map((value) => `Accept: ${value}`),
    { maxLength: 1 },
  ),
});

/** The JSON of an answer, that in a call of a function too. */
function readJson({ headers, body }: RawResponse): unknown {
  const written = body.toString('utf8');
  const script = headers.get('content-type')?.startsWith('text/javascript') === true;
  return JSON.parse(script ? written.replace(/^\/\*\*\/[A-Za-z0-9]+\(|\);$/g, '') : written);
}

/** What would be wrong with an answer to anything; undefined where nothing is. */
function complaint({ method }: RawRequest, reply: RawResponse): string | undefined {
  const { status, headers, body } = reply;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  // What is no HTTP is answered with a body, whatever it begins with.
  if (body.length === 0) return method === 'HEAD' || status === 204 ? undefined : 'no body';
  if (headers.get('content-length') !== String(body.length)) return 'a wrong length';
  const json = readJson(reply);
  if (Array.isArray(json)) return status === 200 ? undefined : 'a list';
  const { version, data, message } = json as Record<string, unknown>;
  if (version !== '1.0' && version !== '1') return 'no version';
  return (data === undefined) === (typeof message === 'string') ? undefined : 'neither data nor message';
}

describe('garbage', () => {
  it('is answered, never by a failure, and in a shape that is known', { timeout: GENERATED_TIMEOUT }, async () => {
    const batches = fc.asyncProperty(fc.array(request, { minLength: 25, maxLength: 25 }), async (requests) => {
      const replies = await Promise.all(requests.map((each) => rawRequest(fleet.port, each)));
      const complaints = requests.flatMap((each, at) => (replies[at] && complaint(each, replies[at])) ?? []);
      expect(complaints).toEqual([]);
    });
    await fc.assert(batches, { numRuns: generatedRuns({ usual: 40, long: 200 }), ...SHRINK_LIMIT });
  });

  it.each(['//!@?fields=#', '//[?#', '/directory/v1/teams?q=#'])(
    'is answered in a shape that is known where a target holds a bare #: %s',
    async (target) => {
      const reply = await rawRequest(fleet.port, { method: 'GET', target, headers: [] });
      expect(reply.body.toString('utf8')).not.toContain('<');
    },
  );

  it('harms nobody who comes after it', async () => {
    for (const { path } of PLACES.filter(({ resource }) => resource !== newsItem)) {
      const reply = await ask(`${path}?limit=1&envelope=0`);
      expect([reply.status, reply.body.toString('utf8')]).toEqual([200, '[]']);
    }
  });
});
