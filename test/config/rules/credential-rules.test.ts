import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fingerprintConfig } from '../../../src/config/config-fingerprint.js';
import { loadConfig } from '../../../src/config/load-config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ParsedConfig } from '../../../src/config/parse-config.js';

const SECRET = 'hunter2';

function parseCredential(form: string, others = ''): ParsedConfig {
  const source = `number: 1, data: 'https://a.example.org', ${others} credentials: { public: ${form} }`;
  const text = `sources: { a: { ${source} }, b: { number: 2, data: 'https://b.example.org', properties: [duty] } }`;
  return parseConfig(text, { SECRET, BREAK: `${SECRET}\nX-Other: 1`, LONG: SECRET.repeat(600) });
}

/** Errors of the public credential of a source as `path: message`, the path within the credential. */
function errorsOf(form: string): string[] {
  const parsed = parseCredential(form);
  if ('config' in parsed) return [];
  expect(JSON.stringify(parsed)).not.toContain(SECRET);
  return parsed.errors.map(
    ({ path, message }) => `${path.replace(/sources\.a\.credentials\.public\.?/, '')}: ${message}`,
  );
}

describe('sources.<code>.credentials', () => {
  test.each([
    ['{ bearer: "${SECRET}" }', { kind: 'bearer', token: SECRET }],
    ['{ basic: "gäte:pass:${SECRET}" }', { kind: 'basic', userPassword: `gäte:pass:${SECRET}` }],
    ['{ basic: ":" }', { kind: 'basic', userPassword: ':' }],
    ['{ header: "X-API-Key:a b" }', { kind: 'header', name: 'x-api-key', value: 'a b' }],
    ['{ header: "Authorization: Token x" }', { kind: 'header', name: 'authorization', value: 'Token x' }],
    ['{ query: "access_token=a=b&c d" }', { kind: 'query', name: 'access_token', value: 'a=b&c d' }],
  ])('accept %s', (form, credential) => {
    expect(parseCredential(form)).toMatchObject({ config: { sources: [{ credentials: { public: credential } }, {}] } });
  });

  test.each(['key', 'apikey', 'api_key', 'api-key', 'token', 'access_token', 'auth', 'sig', 'code'])(
    'accept the usual parameter %s',
    (name) => {
      expect(errorsOf(`{ query: "${name}=${SECRET}" }`)).toEqual([]);
    },
  );

  test('may differ between access levels', () => {
    const parsed = parseConfig(
      `sources: { a: { number: 1, data: 'https://a.example.org', credentials: { members: { bearer: m } } } }`,
      {},
    );
    expect(parsed).toMatchObject({
      config: { sources: [{ credentials: { members: { kind: 'bearer', token: 'm' } } }] },
    });
    expect('config' in parsed && parsed.config.sources[0]?.credentials).not.toHaveProperty('public');
  });

  test.each([
    ['{}', ': must have exactly one of bearer, basic, header and query'],
    ['', ': must have exactly one of bearer, basic, header and query'],
    ['{ bearer: "${SECRET}", query: "a=b" }', ': must have exactly one of bearer, basic, header and query'],
    ['"${SECRET}"', ': must be a mapping of keys to values'],
    ['{ bearer: "" }', 'bearer: must be a token'],
    ['{ bearer: "a ${SECRET}" }', 'bearer: must be a token'],
    ['{ bearer: "${BREAK}" }', 'bearer: must be a token'],
    ['{ bearer: "${LONG}" }', 'bearer: must be a token'],
    ['{ basic: "${SECRET}" }', 'basic: must be USER:PASSWORD'],
    ['{ basic: "a:${BREAK}" }', 'basic: must be USER:PASSWORD'],
    ['{ header: "X-Api-Key" }', 'header: must be NAME: VALUE'],
    ['{ header: "X-Api-Key: " }', 'header: must be NAME: VALUE'],
    ['{ header: "X Api: ${SECRET}" }', 'header: must be NAME: VALUE'],
    ['{ header: ": ${SECRET}" }', 'header: must be NAME: VALUE'],
    ['{ header: "X-Api-Key: ${BREAK}" }', 'header: must be NAME: VALUE'],
    ['{ header: "X-Api-Key: \\u00e9${SECRET}" }', 'header: must be NAME: VALUE'],
    ['{ header: "Host: ${SECRET}" }', 'header: must be NAME: VALUE'],
    ['{ header: "content-LENGTH: 1" }', 'header: must be NAME: VALUE'],
    ['{ header: "If-None-Match: 1" }', 'header: must be NAME: VALUE'],
    ['{ header: "Prefer: 1" }', 'header: must be NAME: VALUE'],
    ['{ query: "key" }', 'query: must be NAME=VALUE'],
    ['{ query: "key=" }', 'query: must be NAME=VALUE'],
    ['{ query: "=${SECRET}" }', 'query: must be NAME=VALUE'],
    ['{ query: "a&b=${SECRET}" }', 'query: must be NAME=VALUE'],
    ['{ query: "key=${BREAK}" }', 'query: must be NAME=VALUE'],
    ['{ cookie: "${SECRET}" }', 'cookie: unknown key'],
  ])('refuse %s', (form, error) => {
    expect(errorsOf(form)).toContainEqual(expect.stringContaining(error));
  });

  test.each([
    ...['limit', 'offset', 'sort', 'scope', 'fields', 'envelope', 'pretty', 'format', 'callback', 'q', '_', 'LIMIT'],
    ...[
      'team',
      'country',
      'region',
      'channel',
      'before',
      'after',
      'rsslink',
      'source-name',
      'email',
      'team-full',
      'duty',
    ],
  ])('refuse the parameter %s, which Rollcall sends', (name) => {
    expect(errorsOf(`{ query: "${name}=${SECRET}" }`)).toEqual(['query: names a parameter that Rollcall sends']);
  });

  test('do not change the hash of the configuration, with which guesses could be tested', () => {
    const parsed = ['{ bearer: a }', '{ bearer: b }', '{ query: "key=c" }'].map((form) => parseCredential(form));
    const hashes = parsed.map((one) => ('config' in one ? fingerprintConfig(one.config) : 'invalid'));
    expect(new Set(hashes).size).toBe(1);
    expect(hashes).not.toContain('invalid');
  });
});

describe('${file:PATH}', () => {
  test('reads a file in the folder of the configuration file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-files-'));
    try {
      await writeFile(join(folder, 'token'), `${SECRET}\n`);
      const file = join(folder, 'rollcall.yaml');
      const write = (form: string): Promise<void> =>
        writeFile(
          file,
          `sources: { a: { number: 1, data: 'https://a.example.org', credentials: { public: ${form} } } }`,
        );
      await write('{ basic: "${USER}:${file:token}" }');
      expect(await loadConfig(file, { USER: 'gateway' })).toMatchObject({
        config: { sources: [{ credentials: { public: { kind: 'basic', userPassword: `gateway:${SECRET}` } } }] },
      });
      await write('{ bearer: "${file:none}", basic: "${file:token}" }');
      const parsed = await loadConfig(file, {});
      expect(parsed).toMatchObject({
        errors: [
          { path: 'sources.a.credentials.public.bearer', message: 'the file none cannot be read: ENOENT' },
          { path: 'sources.a.credentials.public.basic', message: expect.stringContaining('USER:PASSWORD') as unknown },
        ],
      });
      expect(JSON.stringify(parsed)).not.toContain(SECRET);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('is not searched for further variables, and is an error without a reader of files', () => {
    const text = "sources: { a: { number: 1, data: 'https://a.example.org', source-name: '${file:x}' } }";
    const read = parseConfig(text, {}, undefined, { folder: '.', readFile: () => ({ content: '${HOME}' }) });
    expect(read).toMatchObject({ config: { sources: [{ sourceName: '${HOME}' }] } });
    expect(parseConfig(text, {})).toMatchObject({ errors: [{ path: 'sources.a.source-name' }] });
  });

  test.each(['${file:}', '${file:a', '${file:a{b}}', '${files:a}'])('needs a path and a brace: not %s', (value) => {
    const parsed = parseConfig(
      `sources: { a: { number: 1, data: 'https://a.example.org', source-name: '${value}' } }`,
      {},
      undefined,
      { folder: '.', readFile: () => ({ content: 'x' }) },
    );
    expect(parsed).toMatchObject({
      errors: [{ message: expect.stringContaining('a variable must have the form') as unknown }],
    });
  });
});
