import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { directoryParameters } from '../../src/query/parameters.js';
import { startFleet } from '../support/case-fleet.js';
import type { RunningFleet } from '../support/case-fleet.js';
import { rawRequest } from '../support/raw-http.js';
import type { RawReply, RawRequest } from '../support/raw-http.js';

const NUMBERS = ['-1', '1.5', '1e3', 'ten', '0x10', '%2B5', '%205', '5%20', '%D9%A3', 'NaN', 'null', '1,000', '1%00'];
const BOOLEANS = ['yes', 'TRUE', 'True', '2', '-1', '00', 'on', 'null', '%20true', 'true,false'];
const PROPERTIES = [
  'colour',
  'email,',
  ',',
  'email,,host',
  'email;host',
  'EMAIL',
  '__proto__',
  '-nobody-x',
  'a'.repeat(7000),
];

/** Values that a parameter cannot have, as they are sent. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  fields: [...PROPERTIES, '-email', '*'],
  limit: NUMBERS,
  offset: NUMBERS,
  sort: [...PROPERTIES, '-', '--email', 'email%20desc', '%2Bemail'],
  envelope: BOOLEANS,
  pretty: BOOLEANS,
  callback: ['a.b', 'my_function', 'alert(1)', '%C3%A9', 'a%20b', 'a%00', '%3Cscript%3E', 'a'.repeat(65)],
  country: ['QQ', 'NOR', 'Norway', 'N', 'NO,', ',', 'NO;SE', 'EU', 'N%C3%98', '%00'],
  region: ['Atlantis', '999', '2', 'Europe,Asia', '__proto__'],
  'source-name': ['Nobody', 'mead', 'meadow,meadow', '*'],
  'last-modified': ['2026-01-01', 'x'],
};

/** They search for text, and any text can be searched for. */
const WITHOUT_WRONG_VALUES = ['team', 'q'];

const NO_UTF8 = ['%zz', '%', '%4', '%FF', '%C3', '%C3%28', '%ED%A0%80', '%C0%AF', '%F5%80%80%80'];

const UNKNOWN = [
  'limt',
  'scope',
  'before',
  'channel',
  'Fields',
  'LIMIT',
  '-x-y',
  '-meadow-',
  'constructor',
  '__proto__',
  'page',
];

const names = [...directoryParameters.map(({ name }) => name), ...directoryTeams.properties.map(({ name }) => name)];

const wrong = Object.entries(WRONG).flatMap(([name, values]) => values.map((value) => [name, value] as const));

let fleet: RunningFleet;

beforeAll(async () => {
  fleet = await startFleet('empty', { now: () => Date.UTC(2026, 5, 1) });
});

afterAll(() => fleet.close());

function ask(target: string, request: Partial<RawRequest> = {}): Promise<RawReply> {
  return rawRequest(fleet.port, { method: 'GET', headers: [], ...request, target });
}

function askTeams(query: string): Promise<RawReply> {
  return ask(`/directory/v1/teams?${query}`);
}

/** The body of an error, taken apart: its keys in order, and what its `errors` name. */
function readError({ body }: RawReply): { keys: string[]; code: unknown; message: unknown; parameters: unknown[] } {
  const error: unknown = JSON.parse(body.toString('utf8'));
  if (typeof error !== 'object' || error === null) throw new Error(`no error: ${body.toString('utf8')}`);
  const { status_code: code, message, errors } = error as Record<string, unknown>;
  const parameters = Array.isArray(errors)
    ? (errors as { parameter: unknown }[]).map(({ parameter }) => parameter)
    : [];
  return { keys: Object.keys(error), code, message, parameters };
}

function expectFault(reply: RawReply, name: string): void {
  const { keys, code, message, parameters } = readError(reply);
  expect([reply.status, code, parameters]).toEqual([400, 400, [name]]);
  expect(keys).toEqual(['status', 'status_code', 'version', 'message', 'errors']);
  expect(message).toContain(name);
}

describe('a parameter with a wrong value', () => {
  it.each(wrong)('%s=%s is a 400 that names it', async (name, value) => {
    expectFault(await askTeams(`${name}=${value}`), name);
  });

  it('is in the table above for every parameter that can have one', () => {
    const tried = [...Object.keys(WRONG), ...WITHOUT_WRONG_VALUES];
    expect(directoryParameters.map(({ name }) => name).filter((name) => !tried.includes(name))).toEqual([]);
  });

  it.each(names)('%s that is not UTF-8 is a 400 that names it', async (name) => {
    for (const value of NO_UTF8) expectFault(await askTeams(`${name}=${value}`), name);
  });

  it.each(names)('%s that is there twice is a 400 that names it', async (name) => {
    for (const query of [`${name}=&${name}=`, `${name}&pretty=1&${name}`.replace('&pretty=1&pretty', '&pretty')]) {
      expectFault(await askTeams(query), name);
    }
  });

  it.each(UNKNOWN)('the unknown %s is a 400 that names it', async (name) => {
    for (const query of [name, `${name}=`, `${name}=1`]) expectFault(await askTeams(query), name);
  });

  it('is told together with all others', async () => {
    const { parameters } = readError(await askTeams('limit=x&offset=y&sort=z&colour=blue&q=%zz&q=&region=Mars'));
    expect(parameters).toEqual(expect.arrayContaining(['limit', 'offset', 'sort', 'colour', 'q', 'region']));
  });
});

const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
const byte = fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code));
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((unicode) => encodeURIComponent(unicode));
const garbage = fc.oneof(fc.string({ unit: visible }), fc.string({ unit: byte, maxLength: 20 }), text);
const values = fc.oneof(garbage, fc.constantFrom(...wrong.map(([, value]) => value), ...NO_UTF8));
const pair = fc.tuple(fc.oneof(fc.constantFrom(...names, ...UNKNOWN), garbage), values).map((both) => both.join('='));
const query = fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));
const path = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('/directory/v1/teams', '/directory/v1/teams.json') },
  garbage.map((rest) => `/directory/v1/${rest}`),
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
function readJson({ headers, body }: RawReply): unknown {
  const written = body.toString('utf8');
  const script = headers.get('content-type')?.startsWith('text/javascript') === true;
  return JSON.parse(script ? written.replace(/^\/\*\*\/[A-Za-z0-9]+\(|\);$/g, '') : written);
}

/** What would be wrong with an answer to anything; undefined where nothing is. */
function complaint({ method }: RawRequest, reply: RawReply): string | undefined {
  const { status, headers, body } = reply;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  // What is no HTTP is answered with a body, whatever it begins with.
  if (body.length === 0) return method === 'HEAD' || status === 204 ? undefined : 'no body';
  if (headers.get('content-length') !== String(body.length)) return 'a wrong length';
  const json = readJson(reply);
  if (Array.isArray(json)) return status === 200 ? undefined : 'a list';
  const { version, data, message } = json as Record<string, unknown>;
  if (version !== '1.0') return 'no version';
  return (data === undefined) === (typeof message === 'string') ? undefined : 'neither data nor message';
}

describe('garbage', () => {
  it('is answered, never by a failure, and in a shape that is known', { timeout: 120_000 }, async () => {
    const batches = fc.asyncProperty(fc.array(request, { minLength: 25, maxLength: 25 }), async (requests) => {
      const replies = await Promise.all(requests.map((each) => rawRequest(fleet.port, each)));
      const complaints = requests.flatMap((each, at) => (replies[at] && complaint(each, replies[at])) ?? []);
      expect(complaints).toEqual([]);
    });
    await fc.assert(batches, { numRuns: 120 });
  });

  it('harms nobody who comes after it', async () => {
    const reply = await askTeams('limit=1');
    expect([reply.status, reply.body.toString('utf8')]).toEqual([200, '[]']);
  });
});
