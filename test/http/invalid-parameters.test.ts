import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Resource } from '../../src/model/resource.js';
import { channels } from '../../src/model/resources/channels.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news, newsItem } from '../../src/model/resources/news.js';
import { outputParameters, listParameters } from '../../src/query/reserved-parameters.js';
import { resourceParameters } from '../../src/query/resource-parameters.js';
import { startCaseGateway } from '../support/gateway/case-gateway.js';
import type { RunningCaseGateway } from '../support/gateway/case-gateway.js';
import { rawRequest } from '../support/http/raw-http.js';
import type { RawResponse, RawRequest } from '../support/http/raw-http.js';
import { generatedRuns } from '../support/generated-runs.js';

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

/** Invalid lists of properties, and a few built from a property that the resource has. */
function properties(own: string): readonly string[] {
  const malformed = [`${own},`, `${own},,${own}`, `${own};${own}`, own.toUpperCase()];
  return ['colour', ',', ...malformed, '__proto__', '-nobody-x', 'a'.repeat(7000)];
}

/** Invalid values of the reserved parameters, percent-encoded as sent. */
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

/** A path of a resource, with its invalid parameters. */
interface Endpoint {
  readonly path: string;
  readonly resource: Resource;
  /** Invalid values by parameter. */
  readonly invalid: Readonly<Record<string, readonly string[]>>;
  /** Search parameters, of which every text is a valid value. */
  readonly free: readonly string[];
  /** Names that are not parameters of this endpoint, though they may be of others. */
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

const ENDPOINTS: readonly Endpoint[] = [
  {
    path: '/directory/v1/teams',
    resource: directoryTeams,
    invalid: { ...reserved('email'), country: COUNTRIES, region: REGIONS, 'last-modified': ['2026-01-01', 'x'] },
    free: ['team', 'q'],
    unknown: [...UNKNOWN, 'scope', 'before', 'channel', 'id', 'team-full', 'membership'],
  },
  {
    path: '/data/v1/teams',
    resource: dataTeams,
    invalid: {
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
    invalid: {
      ...reserved('title'),
      offset: [...NUMBERS, '10000', '99999999999999999999'],
      before: DATES,
      after: DATES,
    },
    free: ['channel', 'link', 'q'],
    unknown: [...UNKNOWN, 'scope', 'country', 'region', 'team', 'title', 'published', 'rsslink', '-meadow-x'],
  },
  {
    path: '/data/v1/news/1001',
    resource: newsItem,
    invalid: without(reserved('content'), LISTS),
    free: [],
    unknown: [...UNKNOWN, ...LISTS, 'q', 'id', 'before', 'channel', 'scope'],
  },
  {
    path: '/data/v1/channels',
    resource: channels,
    invalid: reserved('rss'),
    free: ['channel', 'link', 'rsslink', 'q'],
    unknown: [...UNKNOWN, 'scope', 'country', 'before', 'after', 'title', 'rss', 'team'],
  },
];

const INVALID_UTF8 = ['%zz', '%', '%4', '%FF', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%F5%80%80%80'];

/** All parameters of an endpoint, filters included. */
function namesAt({ resource }: Endpoint): string[] {
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

let caseGateway: RunningCaseGateway;

beforeAll(async () => {
  caseGateway = await startCaseGateway('empty', { now: () => Date.UTC(2026, 5, 1) });
});

afterAll(() => caseGateway.close());

function getTarget(target: string): Promise<RawResponse> {
  return rawRequest(caseGateway.port, { method: 'GET', headers: [], target });
}

/** The parts of an error body: its keys in order, its status code and message, and the parameters that `errors` names. */
function readError({ body }: RawResponse): { keys: string[]; code: unknown; message: unknown; parameters: unknown[] } {
  const error: unknown = JSON.parse(body.toString('utf8'));
  if (typeof error !== 'object' || error === null) throw new Error(`no error: ${body.toString('utf8')}`);
  const { status_code: code, 'status-code': dataCode, message, errors } = error as Record<string, unknown>;
  const parameters = Array.isArray(errors)
    ? (errors as { parameter: unknown }[]).map(({ parameter }) => parameter)
    : [];
  return { keys: Object.keys(error), code: code ?? dataCode, message, parameters };
}

function expectParameterError(reply: RawResponse, name: string, { resource }: Endpoint): void {
  const { keys, code, message, parameters } = readError(reply);
  expect([reply.status, code, parameters]).toEqual([400, 400, [name]]);
  const statusCode = resource.interfaceName === 'data' ? 'status-code' : 'status_code';
  expect(keys).toEqual(['status', statusCode, 'version', 'message', 'errors']);
  expect(message).toContain(name);
}

describe.each(ENDPOINTS)('a parameter of $path', (endpoint) => {
  const { path, invalid, free, unknown } = endpoint;
  const names = namesAt(endpoint);
  const values = Object.entries(invalid).flatMap(([name, all]) => all.map((value) => [name, value] as const));

  it.each(values)('%s=%s is a 400 that names it', async (name, value) => {
    expectParameterError(await getTarget(`${path}?${name}=${value}`), name, endpoint);
  });

  it('is in the table above if it can have an invalid value', () => {
    const { resource } = endpoint;
    const known = [
      ...(resource === newsItem ? outputParameters : listParameters),
      ...resourceParameters[resource.name],
    ];
    const tried = [...Object.keys(invalid), ...free];
    expect(known.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
  });

  it.each(names)('%s that is not UTF-8 is a 400 that names it', async (name) => {
    for (const value of INVALID_UTF8) expectParameterError(await getTarget(`${path}?${name}=${value}`), name, endpoint);
  });

  it.each(names)('%s sent twice is a 400 that names it', async (name) => {
    for (const query of [`${name}=&${name}=`, `${name}&pretty=1&${name}`.replace('&pretty=1&pretty', '&pretty')]) {
      expectParameterError(await getTarget(`${path}?${query}`), name, endpoint);
    }
  });

  it.each(unknown)('%s, which is unknown, is a 400 that names it', async (name) => {
    for (const query of [name, `${name}=`, `${name}=1`])
      expectParameterError(await getTarget(`${path}?${query}`), name, endpoint);
  });

  it('with an invalid value is reported together with all others', async () => {
    const several = Object.entries(invalid).map(([name, [value = '']]) => `${name}=${value}`);
    const { parameters } = readError(await getTarget(`${path}?${several.join('&')}&colour=blue`));
    expect(parameters).toEqual(expect.arrayContaining([...Object.keys(invalid), 'colour']));
  });
});

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((unicode) => encodeURIComponent(unicode));
const garbage = fc.oneof(fc.string({ unit: visible }), fc.string({ unit: byte, maxLength: 20 }), text);
const invalidValues = ENDPOINTS.flatMap(({ invalid }) => Object.values(invalid).flat());
const names = [...new Set(ENDPOINTS.flatMap((endpoint) => [...namesAt(endpoint), ...endpoint.unknown]))];
const values = fc.oneof(garbage, fc.constantFrom(...new Set(invalidValues), ...INVALID_UTF8));
const pair = fc.tuple(fc.oneof(fc.constantFrom(...names), garbage), values).map((both) => both.join('='));
const query = fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));
const path = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...ENDPOINTS.flatMap((endpoint) => [endpoint.path, `${endpoint.path}.json`])),
  },
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

/** The JSON of a response, also of a JSONP response. */
function readJson({ headers, body }: RawResponse): unknown {
  const written = body.toString('utf8');
  const script = headers.get('content-type')?.startsWith('text/javascript') === true;
  return JSON.parse(script ? written.replace(/^\/\*\*\/[A-Za-z0-9]+\(|\);$/g, '') : written);
}

/** A violation of the form that every response must have; undefined where there is none. */
function findViolation({ method }: RawRequest, reply: RawResponse): string | undefined {
  const { status, headers, body } = reply;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  // A request that is not valid HTTP gets a body, whatever its method.
  if (body.length === 0) return method === 'HEAD' || status === 204 ? undefined : 'no body';
  if (headers.get('content-length') !== String(body.length)) return 'a wrong length';
  // The page for browsers.
  if (headers.get('content-type')?.startsWith('text/html') === true) return undefined;
  const json = readJson(reply);
  if (Array.isArray(json)) return status === 200 ? undefined : 'a list';
  const { version, data, message } = json as Record<string, unknown>;
  if (version !== '1.0' && version !== '1') return 'no version';
  return (data === undefined) === (typeof message === 'string') ? undefined : 'neither data nor message';
}

describe('a random request', () => {
  it('gets a well-formed response that is not a 5xx', async () => {
    const batches = fc.asyncProperty(fc.array(request, { minLength: 25, maxLength: 25 }), async (requests) => {
      const replies = await Promise.all(requests.map((each) => rawRequest(caseGateway.port, each)));
      const violations = requests.flatMap((each, at) => (replies[at] && findViolation(each, replies[at])) ?? []);
      expect(violations).toEqual([]);
    });
    await fc.assert(batches, { numRuns: generatedRuns({ usual: 40, long: 200 }) });
  });

  it.each(['//!@?fields=#', '//[?#', '/directory/v1/teams?q=#'])(
    'gets a well-formed response when its target has a bare #: %s',
    async (target) => {
      const reply = await rawRequest(caseGateway.port, { method: 'GET', target, headers: [] });
      expect(reply.body.toString('utf8')).not.toContain('<');
    },
  );

  it('does not affect later requests', async () => {
    for (const { path } of ENDPOINTS.filter(({ resource }) => resource !== newsItem)) {
      const reply = await getTarget(`${path}?limit=1&envelope=0`);
      expect([reply.status, reply.body.toString('utf8')]).toEqual([200, '[]']);
    }
  });
});
