import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.js';
import { noCapability } from '../../src/model/registration/capability.js';
import { type ConfigError } from '../../src/config/yaml/config-parts.js';
import { type Environment } from '../../src/config/yaml/expand-variables.js';
import { parseConfig } from '../../src/config/parse-config.js';

const HASH_A = 'a'.repeat(64);
const HASH_B = 'b'.repeat(64);

const source = `sources: { first: { number: 1, directory: 'https://api.example.org/v1' } }\n`;

function configOf(text: string, environment: Environment = {}): Config {
  const parsed = parseConfig(text, environment);
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

function errorsOf(text: string, environment: Environment = {}): readonly ConfigError[] {
  const parsed = parseConfig(text, environment);
  return 'errors' in parsed ? parsed.errors : [];
}

/** Each error as `line:column path: message`. */
const formattedErrors = (text: string, environment: Environment = {}): string[] =>
  errorsOf(text, environment).map(
    ({ line, column, path, message }) => `${String(line)}:${String(column)} ${path}: ${message}`,
  );

describe('parseConfig with a valid configuration', () => {
  test('applies every default with one registered source', () => {
    expect(configOf(source)).toEqual({
      server: {
        name: undefined,
        host: '127.0.0.1',
        port: 8080,
        publicUrl: undefined,
        explorer: { enabled: true },
        limit: { default: 100, max: 10_000 },
        deadline: 10_000,
        log: 'all',
        logLevel: 'info',
        trustProxy: [],
        limits: { rate: undefined },
      },
      admin: { host: '127.0.0.1', port: 9090, ready: 'listeners', keySha256: undefined },
      cache: { memory: 268_435_456 },
      access: {
        scopes: { public: 'public', pgp: 'public', minimal: 'public', country: 'public', members: 'members' },
        clients: [],
        issuer: undefined,
      },
      samples: new Map(),
      sources: [
        {
          code: 'first',
          number: 1,
          sourceName: 'first',
          site: undefined,
          origin: { kind: 'directory', directory: 'https://api.example.org/v1' },
          resources: ['teams'],
          required: false,
          aggregate: false,
          prefixes: [],
          coverage: { countries: [] },
          properties: [],
          tolerates: [],
          allKeysPublic: false,
          ttl: 60_000,
          staleWhileRevalidate: 300_000,
          staleIfError: 86_400_000,
          credentials: {},
          connection: { tls: undefined, proxies: undefined },
          headers: {},
          confirmShrink: 600_000,
          timeout: 5000,
          retries: 1,
          concurrency: 4,
          pageSize: 100,
          drainThreshold: 5000,
          supports: {},
          maxBody: 16_777_216,
        },
      ],
    });
  });

  test('accepts every key', () => {
    const config = configOf(`
server:
  name: rollcall-example
  host: "::1"
  port: 0
  public-url: https://irt.example.org/base/
  explorer: { enabled: false }
  limit: { default: 10, max: 20 }
  deadline: 1.5s
  log: none
  log-level: warn
  trust-proxy: [loopback, 192.0.2.1, "2001:db8::/32"]
  limits: { rate: 600/1m }
admin: { host: localhost, port: 0, ready: data, key-sha256: 0F4C9C1A24EA9A2BA6BD3A7BD0F8E7F7BD7C1DC02B1BA2B0FD5AD6A1A0F58C11 }
cache:
  memory: 1GiB
  disk: var/snapshots
  redis: rediss://gateway:secret@redis.example.org/2
  redis-key: ${'k'.repeat(32)}
access:
  scopes: { pgp: members, country: public }
  clients:
    - { name: desk, key-sha256: ${HASH_A.toUpperCase()}, access: members, expires: 2027-03-31, rate: 10/1s }
    - { name: portal, key-sha256: ${HASH_B}, access: public, expires: "2027-03-31T12:00:00+02:00" }
  issuer:
    url: https://id.example.org/realms/csirt/
    audience: rollcall
    members-claim: { groups: csirt, "https://example.org/role": "*" }
    rate: 5/2m
samples: { harbour: 8101, lagoon: 8102 }
sources:
  first:
    number: 999
    source-name: FIRST.Org
    site: https://www.example.org
    directory: https://api.example.org/global-irt/v1
    data: https://api.example.org/data/v1
    resources: [teams, news]
    required: true
    aggregate: true
    prefixes: [ti, apnic-irt]
    coverage: { countries: [br, UK] }
    properties: [duty_Officer-2]
    tolerates: [drift, total]
    all-keys-public: true
    ttl: 1h
    stale-while-revalidate: 0s
    stale-if-error: 2h
    credentials: { public: { header: "X-Api-Key:  one: two" }, members: { basic: "gateway:a:b" } }
    headers: { X-Tenant: north }
    proxy: http://proxy.example.org:3128
    confirm-shrink: 3h
    timeout: 250ms
    retries: 0
    concurrency: 1
    page-size: 20
    drain-threshold: 0
    supports:
      teams: { filters: [country, -ti-x, duty_Officer-2], sort: [-short-team-name, team, --ti-x], search: true, total: true, exact: true }
      news: { filters: [before], sort: [-published] }
      channels:
    max-body: 1MiB
`);
    expect(config.server).toEqual({
      name: 'rollcall-example',
      host: '::1',
      port: 0,
      publicUrl: 'https://irt.example.org/base',
      explorer: { enabled: false },
      limit: { default: 10, max: 20 },
      deadline: 1500,
      log: 'none',
      logLevel: 'warn',
      trustProxy: ['loopback', '192.0.2.1', '2001:db8::/32'],
      limits: { rate: { requests: 600, period: 60_000 } },
    });
    expect(config.admin).toEqual({
      host: 'localhost',
      port: 0,
      ready: 'data',
      keySha256: '0f4c9c1a24ea9a2ba6bd3a7bd0f8e7f7bd7c1dc02b1ba2b0fd5ad6a1a0f58c11',
    });
    expect(config.cache).toEqual({
      memory: 2 ** 30,
      disk: 'var/snapshots',
      redis: 'rediss://gateway:secret@redis.example.org/2',
      redisKey: 'k'.repeat(32),
    });
    expect(config.access).toEqual({
      scopes: { public: 'public', pgp: 'members', minimal: 'public', country: 'public', members: 'members' },
      clients: [
        {
          name: 'desk',
          keySha256: HASH_A,
          access: 'members',
          expires: Date.UTC(2027, 2, 31),
          rate: { requests: 10, period: 1000 },
        },
        {
          name: 'portal',
          keySha256: HASH_B,
          access: 'public',
          expires: Date.UTC(2027, 2, 31, 10),
          rate: undefined,
        },
      ],
      issuer: {
        url: 'https://id.example.org/realms/csirt/',
        audience: 'rollcall',
        membersClaim: new Map([
          ['groups', 'csirt'],
          ['https://example.org/role', '*'],
        ]),
        rate: { requests: 5, period: 120_000 },
      },
    });
    expect([...config.samples]).toEqual([
      ['harbour', 8101],
      ['lagoon', 8102],
    ]);
    expect(config.sources).toEqual([
      {
        code: 'first',
        number: 999,
        sourceName: 'FIRST.Org',
        site: 'https://www.example.org/',
        origin: {
          kind: 'both',
          directory: 'https://api.example.org/global-irt/v1',
          data: 'https://api.example.org/data/v1',
        },
        resources: ['teams', 'news'],
        required: true,
        aggregate: true,
        prefixes: ['ti', 'apnic-irt'],
        coverage: { countries: ['BR', 'GB'] },
        properties: ['duty_Officer-2'],
        tolerates: ['drift', 'total'],
        allKeysPublic: true,
        ttl: 3_600_000,
        staleWhileRevalidate: 0,
        staleIfError: 7_200_000,
        credentials: {
          public: { kind: 'header', name: 'x-api-key', value: 'one: two' },
          members: { kind: 'basic', userPassword: 'gateway:a:b' },
        },
        headers: { 'x-tenant': 'north' },
        connection: {
          tls: undefined,
          proxies: { http: 'http://proxy.example.org:3128/', https: 'http://proxy.example.org:3128/', noProxy: '' },
        },
        confirmShrink: 10_800_000,
        timeout: 250,
        retries: 0,
        concurrency: 1,
        pageSize: 20,
        drainThreshold: 0,
        supports: {
          teams: {
            filters: ['country', '-ti-x', 'duty_Officer-2'],
            sort: ['-short-team-name', 'team', '--ti-x'],
            search: true,
            total: true,
            exact: true,
          },
          news: { ...noCapability, filters: ['before'], sort: ['-published'] },
          channels: noCapability,
        },
        maxBody: 2 ** 20,
      },
    ]);
  });

  test.each([
    ['with the data interface has all three', "data: 'https://a.example.org'", ['teams', 'news', 'channels']],
    [
      'with both interfaces has all three',
      "data: 'https://a.example.org', directory: 'https://a.example.org'",
      ['teams', 'news', 'channels'],
    ],
    ['with the directory interface has teams', "directory: 'https://a.example.org'", ['teams']],
    [
      'with a list of resources has those',
      "data: 'https://a.example.org', resources: [channels, news]",
      ['channels', 'news'],
    ],
    [
      'with an empty list of resources has all',
      "data: 'https://a.example.org', resources: []",
      ['teams', 'news', 'channels'],
    ],
  ])('determines the resources of a source: one %s', (_, keys, resources) => {
    expect(configOf(`sources: { a: { number: 1, ${keys} } }`).sources[0]?.resources).toEqual(resources);
  });

  test('accepts a source with the data interface only', () => {
    const [registered] = configOf("sources: { a: { number: 1, data: 'HTTPS://A.example.org/data/v1/' } }").sources;
    expect(registered).toMatchObject({ origin: { kind: 'data', data: 'https://a.example.org/data/v1' } });
    expect(registered?.site).toBeUndefined();
  });

  test('applies defaults to every source, and lets a source override them', () => {
    const { sources } = configOf(`
defaults: { ttl: 2m, stale-while-revalidate: 1m, timeout: 1s, concurrency: 2, page-size: 50, drain-threshold: 7, max-body: 1KiB }
sources:
  b: { number: 2, directory: 'https://b.example.org' }
  a: { number: 1, directory: 'https://a.example.org', ttl: 3m, stale-while-revalidate: 0s, timeout: 2s, concurrency: 3, page-size: 60, drain-threshold: 0, max-body: 2KiB }
`);
    expect(sources).toMatchObject([
      { code: 'a', ttl: 180_000, timeout: 2000, concurrency: 3, pageSize: 60, drainThreshold: 0, maxBody: 2048 },
      { code: 'b', ttl: 120_000, timeout: 1000, concurrency: 2, pageSize: 50, drainThreshold: 7, maxBody: 1024 },
    ]);
    expect(sources).toMatchObject([{ staleWhileRevalidate: 0 }, { staleWhileRevalidate: 60_000 }]);
  });

  test('sorts sources by number, not by their order in the file', () => {
    const { sources } = configOf(`
sources:
  z: { number: 20, directory: 'https://z.example.org' }
  a: { number: 100, directory: 'https://a.example.org' }
  m: { number: 3, directory: 'https://m.example.org' }
`);
    expect(sources.map(({ code }) => code)).toEqual(['m', 'z', 'a']);
  });

  test('accepts empty sections, a byte order mark and CR LF', () => {
    expect(configOf(`\uFEFFserver:\r\ndefaults: ~\r\nsamples:\r\n${source}`)).toEqual(configOf(source));
  });

  test.each([
    ['HTTPS://API.Example.org:443/v1///', 'https://api.example.org/v1'],
    ['http://127.0.0.1:8101/', 'http://127.0.0.1:8101'],
    ['http://[::1]:8101/a%20b', 'http://[::1]:8101/a%20b'],
  ])('normalizes the address %s to %s', (written, read) => {
    const text = `sources: { first: { number: 1, directory: '${written}' } }`;
    expect(configOf(text).sources[0]?.origin).toMatchObject({ directory: read });
  });

  test('accepts a name for Via of up to 64 characters', () => {
    const name = 'n'.repeat(64);
    expect(configOf(`${source}server: { name: ${name} }`).server.name).toBe(name);
    expect(errorsOf(`${source}server: { name: ${name}n }`)).toMatchObject([{ path: 'server.name' }]);
  });

  test('allows several listeners with port 0', () => {
    expect(configOf(`${source}server: { port: 0 }\nadmin: { port: 0 }\nsamples: { a: 0, b: 0 }`).samples.size).toBe(2);
  });
});

describe('environment variables', () => {
  test('are substituted in text, numbers, booleans, durations, sizes and list items', () => {
    const config = configOf(
      `
server: { port: "\${PORT}", explorer: { enabled: "\${PAGES}" }, deadline: '\${SECONDS}s', public-url: 'https://\${HOST}/\${BASE}' }
cache: { memory: "\${MEMORY}MiB" }
sources: { first: { number: "\${NUMBER}", directory: "\${URL}", prefixes: ["\${PREFIX}"] } }`,
      {
        PORT: '8181',
        PAGES: 'false',
        SECONDS: '3',
        HOST: 'irt.example.org',
        BASE: 'x',
        MEMORY: '2',
        NUMBER: '12',
        URL: 'https://api.example.org',
        PREFIX: 'ti',
      },
    );
    expect(config.server).toMatchObject({ port: 8181, explorer: { enabled: false }, deadline: 3000 });
    expect(config.server.publicUrl).toBe('https://irt.example.org/x');
    expect(config.cache.memory).toBe(2 ** 21);
    expect(config.sources[0]).toMatchObject({
      number: 12,
      origin: { directory: 'https://api.example.org' },
      prefixes: ['ti'],
    });
  });

  test('are substituted as text, without parsing YAML or further variables in them', () => {
    const text = source.replace('number: 1', 'number: 1, source-name: "${NAME}"');
    expect(configOf(text, { NAME: '${OTHER}: [x]', OTHER: 'no' }).sources[0]?.sourceName).toBe('${OTHER}: [x]');
  });

  test('that are not set are all reported, without other errors of the value', () => {
    expect(formattedErrors(`server: { port: "\${PORT}\${OFFSET}" }\n${source}`)).toEqual([
      '1:17 server.port: the environment variable PORT is not set; the environment variable OFFSET is not set',
    ]);
    expect(
      formattedErrors(`server:\n  name: "\${constructor}"\n  log: \${LOG}\n${source}`, { LOG: undefined }),
    ).toEqual([
      '2:9 server.name: the environment variable constructor is not set',
      '3:8 server.log: the environment variable LOG is not set',
    ]);
  });

  test.each(['${', '${}', '${1X}', '${A B}', 'x${A-B}y'])('require a valid name: not %s', (value) => {
    expect(formattedErrors(`server: { name: '${value}' }\n${source}`, { A: 'a' })).toEqual([
      '1:17 server.name: a variable must have the form ${NAME}, with letters, digits and _, or ${file:PATH}',
    ]);
  });

  test('are not substituted in keys', () => {
    expect(formattedErrors(`"\${A}": 1\n${source}`, { A: 'admin' })).toEqual([
      '1:1 ["${A}"]: unknown key; known keys: server, admin, cache, access, samples, defaults, sources',
    ]);
  });

  test('never show their values in an error', () => {
    const secret = 'hunter2 ?#@';
    const keys = ['name', 'host', 'port', 'public-url', 'deadline', 'log'];
    const server = keys.map((key) => `  ${key}: '\${SECRET}'\n`).join('');
    const text = `server:\n${server}sources:
  a: { number: "\${SECRET}", directory: "\${SECRET}", source-name: "\${SECRET}", prefixes: ["\${SECRET}"], max-body: "\${SECRET}" }
  b: { number: 1, directory: 'https://b.example.org', source-name: "\${SECRET}", properties: ["\${SECRET}"], ttl: "\${SECRET}" }`;
    const errors = errorsOf(text, { SECRET: secret });
    expect(errors.map(({ path }) => path)).toEqual([
      ...keys.map((key) => `server.${key}`),
      'sources.a.number',
      'sources.a.directory',
      'sources.a.prefixes[0]',
      'sources.a.max-body',
      'sources.b.source-name',
      'sources.b.properties[0]',
      'sources.b.ttl',
    ]);
    expect(JSON.stringify(errors)).not.toContain('hunter2');
  });
});

describe('configuration errors', () => {
  test('are reported together, in the order of the file', () => {
    expect(
      formattedErrors(`server:
  prot: 8080
  log: loud
  log: all
sources:
  first:
    source-name: "\${NAME}"
    directory: ftp://api.example.org
  ti: { number: 1, directory: 'https://ti.example.org', audience: { members: 5 } }
  se: { number: 1, directory: *x }
`),
    ).toEqual([
      '2:3 server.prot: unknown key; did you mean port?',
      '3:8 server.log: must be none, errors or all',
      '4:3 server.log: duplicate key',
      '6:3 sources.first.number: is required: a whole number from 1 to 999',
      '7:18 sources.first.source-name: the environment variable NAME is not set',
      '8:16 sources.first.directory: must be an absolute http or https URL without credentials, query and fragment',
      expect.stringMatching(/^9:57 sources.ti.audience: unknown key; known keys: number, source-name, /),
      '10:17 sources.se.number: is the same as sources.ti.number',
      '10:31 sources.se.directory: aliases (*name) are not supported; write the value out',
    ]);
  });

  test.each([
    ['an empty file', '', '1:1 : the file is empty; a configuration must be a mapping of keys to values'],
    ['comments alone', '# x\n', '1:1 : the file is empty; a configuration must be a mapping of keys to values'],
    ['a list', '\n- a', '2:1 : a configuration must be a mapping of keys to values'],
    ['a text', 'hello', '1:1 : a configuration must be a mapping of keys to values'],
    ['a null', '~', '1:1 : a configuration must be a mapping of keys to values'],
  ])('reject %s', (_, text, error) => {
    expect(formattedErrors(text)).toEqual([error]);
  });

  test('of the YAML syntax have a position', () => {
    expect(errorsOf('server:\n  port: [80\n')).toMatchObject([{ path: '', line: 3, column: 1 }]);
    expect(formattedErrors('a: 1\n b: 2')).toEqual(['2:3 : not valid YAML: bad indentation of a mapping entry']);
  });

  test('count columns in characters, and lines by LF, CR LF and CR', () => {
    const text = `# 😀\r\n\rserver: { name: "é 😀", port: x }\n${source}`;
    expect(errorsOf(text)).toMatchObject([
      { path: 'server.name', line: 3, column: 17 },
      { path: 'server.port', line: 3, column: 30 },
    ]);
  });

  test('do not count a byte order mark as a character', () => {
    expect(errorsOf(`\uFEFFport: 1\n${source}`)).toMatchObject([{ path: 'port', line: 1, column: 1 }]);
  });

  test('treat __proto__ and constructor as unknown keys, without changing a prototype', () => {
    const text = `__proto__: { polluted: 1 }
server: { constructor: 1, limit: { __proto__: 2 } }
samples: { __proto__: 81 }
sources:
  __proto__: { number: 1, directory: 'https://a.example.org' }
  constructor: { number: 2, directory: 'https://b.example.org' }`;
    expect(errorsOf(text).map(({ path }) => path)).toEqual([
      '__proto__',
      'server.constructor',
      'server.limit.__proto__',
      'samples.__proto__',
      'sources.__proto__',
    ]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.each(['access', 'cache.redis'])('reject %s, whose feature is not built yet', (path) => {
    const nested = path.split('.').reduceRight((inner, key) => `{ ${key}: ${inner} }`, '1');
    expect(errorsOf(`${nested.slice(2, -2)}\n${source}`)).toMatchObject([{ path }]);
  });

  test('for a missing required key have the position of the key of its mapping', () => {
    expect(formattedErrors('sources:\n  first:\n  ti: { number: 2 }')).toEqual([
      expect.stringMatching(/^2:3 sources.first.number: is required: /),
      '2:3 sources.first: needs directory, data or both, or a document or feed',
      '3:3 sources.ti: needs directory, data or both, or a document or feed',
    ]);
  });

  test.each([
    ['missing', 'server: {}', '1:1'],
    ['empty', 'server: {}\nsources:', '2:1'],
    ['an empty mapping', 'server: {}\nsources: {}', '2:10'],
  ])('require at least one source when sources is %s', (_, text, place) => {
    expect(formattedErrors(text)).toEqual([`${place} sources: must register at least one source`]);
  });

  test.each([
    ['server: 1', 'server', 'must be a mapping'],
    ['server: { limit: [1] }', 'server.limit', 'must be a mapping'],
    ['samples: [a]', 'samples', 'must be a mapping'],
    ['cache: &x { memory: ~ }', 'cache.memory', 'size'],
    ['server: { port: }', 'server.port', 'from 0 to 65535'],
    ['server: { port: 65536 }', 'server.port', 'from 0 to 65535'],
    ['server: { port: -1 }', 'server.port', 'from 0 to 65535'],
    ['server: { port: 80.5 }', 'server.port', 'from 0 to 65535'],
    ['server: { port: 1e3 }', 'server.port', 'from 0 to 65535'],
    ['server: { port: 0080 }', 'server.port', 'from 0 to 65535'],
    ['server: { port: [80] }', 'server.port', 'from 0 to 65535'],
    ['server: { port: { a: 1 } }', 'server.port', 'from 0 to 65535'],
    ['server: { host: "a b" }', 'server.host', 'host name'],
    ['server: { name: "a b" }', 'server.name', 'token'],
    ['server: { name: "" }', 'server.name', 'token'],
    ['server: { explorer: { enabled: yes } }', 'server.explorer.enabled', 'true or false'],
    ['server: { explorer: { enabled: constructor } }', 'server.explorer.enabled', 'true or false'],
    ['server: { log: ALL }', 'server.log', 'none, errors or all'],
    ['server: { deadline: 10 }', 'server.deadline', 'duration'],
    ['server: { deadline: 0s }', 'server.deadline', 'duration'],
    ['defaults: { concurrency: 0 }', 'defaults.concurrency', 'at least 1'],
    ['defaults: { concurrency: 9007199254740993 }', 'defaults.concurrency', 'at least 1'],
    ['server: { limit: { max: 0 } }', 'server.limit.max', 'at least 1'],
    ['server: { public-url: irt.example.org }', 'server.public-url', 'absolute http'],
    ['server: { public-url: "https://irt.example.org/?" }', 'server.public-url', 'absolute http'],
    ['server: { public-url: "https://irt.example.org/#x" }', 'server.public-url', 'absolute http'],
    ['server: { public-url: "https:///irt.example.org" }', 'server.public-url', 'absolute http'],
    ['server: { public-url: "https://irt.example.org:99999" }', 'server.public-url', 'absolute http'],
    ['cache: { memory: 0 }', 'cache.memory', 'size'],
    ['cache: { memory: 256MB }', 'cache.memory', 'size'],
    ['cache: { disk: "" }', 'cache.disk', 'path of a file'],
    ['cache: { disk: var/ }', 'cache.disk', 'path of a file'],
    ['cache: { disk: .. }', 'cache.disk', 'path of a file'],
    ['cache: { disk: var/. }', 'cache.disk', 'path of a file'],
    ['cache: { disk: "a\\tb" }', 'cache.disk', 'path of a file'],
    ['cache: { disk: [a] }', 'cache.disk', 'path of a file'],
    ['samples: { Harbour: 1 }', 'samples.Harbour', 'must be a code'],
    ['samples: { harbour: x }', 'samples.harbour', 'from 0 to 65535'],
    ['defaults: { page-size: 0 }', 'defaults.page-size', 'at least 1'],
    ['defaults: { drain-threshold: -1 }', 'defaults.drain-threshold', 'whole number of at least 0'],
    ['defaults: { drain-threshold: 1.5 }', 'defaults.drain-threshold', 'whole number of at least 0'],
  ])('reject %s', (text, path, message) => {
    expect(errorsOf(`${source}${text}`)).toEqual([
      expect.objectContaining({ path, line: 2, message: expect.stringContaining(message) as unknown }),
    ]);
  });

  test.each([
    ['number: 0', 'number', '1 to 999'],
    ['number: 1000', 'number', '1 to 999'],
    ['number: x', 'number', '1 to 999'],
    ['source-name: ""', 'source-name', 'at least one character'],
    ['source-name: "a\\nb"', 'source-name', 'control characters'],
    ['source-name: [a]', 'source-name', 'at least one character'],
    ['directory: https://user@api.example.org', 'directory', 'without credentials'],
    ['directory: https://user:pass@api.example.org', 'directory', 'without credentials'],
    ['directory: "https://api.example.org?x=1"', 'directory', 'without credentials, query'],
    ['data: api.example.org/data/v1', 'data', 'absolute http'],
    ['data: https://user@api.example.org', 'data', 'without credentials'],
    ['site: www.example.org', 'site', 'absolute http'],
    ['site: "https://www.example.org/?x"', 'site', 'without credentials, query'],
    ['resources: teams', 'resources', 'must be a list'],
    ['resources: [team]', 'resources[0]', 'teams, news or channels'],
    ['resources: [teams, News]', 'resources[1]', 'teams, news or channels'],
    ['aggregate: 1', 'aggregate', 'true or false'],
    ['prefixes: ti', 'prefixes', 'must be a list'],
    ['coverage: { countries: [BR, XX] }', 'coverage.countries[1]', 'must be an ISO 3166-1 alpha-2 country code'],
    ['prefixes: [a, TI]', 'prefixes[1]', 'must be a code'],
    ['prefixes: [a, [b]]', 'prefixes[1]', 'must be a code'],
    ['properties: [duty officer]', 'properties[0]', 'property name'],
    ['properties: [~]', 'properties[0]', 'property name'],
    ['properties: [duty, email]', 'properties[1]', 'is already a property of teams'],
    ['properties: [-email]', 'properties[0]', 'is already a property of teams'],
    ['properties: [last-modified]', 'properties[0]', 'is already a property of teams'],
    ['properties: [duty, limit]', 'properties[1]', 'is a parameter of queries'],
    ['properties: [team]', 'properties[0]', 'is a parameter of queries'],
    ['properties: [__proto__]', 'properties[0]', 'is not allowed as a property name'],
    ['properties: [constructor]', 'properties[0]', 'is not allowed as a property name'],
    ['properties: [duty, rank, duty]', 'properties[2]', 'is the same as sources.first.properties[0]'],
    ['ttl: 25d', 'ttl', 'duration'],
    ['max-body: 1kb', 'max-body', 'size'],
    ['drain-threshold: x', 'drain-threshold', 'whole number of at least 0'],
    ['supports: 5', 'supports', 'must be a mapping'],
    ['supports: { teams: 5 }', 'supports.teams', 'must be a mapping'],
    ['supports: { team: {} }', 'supports.team', 'unknown key; did you mean teams?'],
    ['supports: { teams: { filter: [] } }', 'supports.teams.filter', 'unknown key; did you mean filters?'],
    ['supports: { teams: { filters: country } }', 'supports.teams.filters', 'must be a list'],
    ['supports: { teams: { filters: [[country]] } }', 'supports.teams.filters[0]', 'must be a name'],
    ['supports: { teams: { search: 1 } }', 'supports.teams.search', 'true or false'],
  ])('reject a source with %s', (text, path, message) => {
    const [key = ''] = text.split(':');
    const complete = { number: '1', directory: 'https://api.example.org' };
    const others = Object.entries(complete).filter(([name]) => name !== key);
    const lines = [...others.map(([name, value]) => `${name}: ${value}`), text].map((line) => `    ${line}\n`);
    expect(errorsOf(`sources:\n  first:\n${lines.join('')}`)).toEqual([
      expect.objectContaining({ path: `sources.first.${path}`, message: expect.stringContaining(message) as unknown }),
    ]);
  });
});

describe('rules between keys', () => {
  const sources = (...more: string[]): string =>
    `sources:\n${more.map((text, index) => `  ${text.replace('}', `, directory: 'https://${String(index)}.example.org' }`)}\n`).join('')}`;

  test('codes consist of lower-case letters, digits and -, and begin with a letter', () => {
    expect(
      formattedErrors(sources('1st: { number: 1 }', 'Ti: { number: 2 }', '"": { number: 3 }', 'a-1: { number: 4 }')),
    ).toEqual([
      '2:3 sources.1st: the key must be a code: [a-z][a-z0-9-]*',
      '3:3 sources.Ti: the key must be a code: [a-z][a-z0-9-]*',
      '4:3 sources[""]: the key must be a code: [a-z][a-z0-9-]*',
    ]);
  });

  test('a code is unique', () => {
    expect(formattedErrors(sources('a: { number: 1 }', 'a: { number: 2 }'))).toEqual(['3:3 sources.a: duplicate key']);
  });

  test('a number is unique, which is checked also where another key of the source is invalid', () => {
    expect(
      formattedErrors(sources('a: { number: 7, ttl: x }', 'b: { number: 8 }', 'c: { number: 7 }', 'd: { number: 7 }')),
    ).toEqual([
      expect.stringMatching(/^2:24 sources.a.ttl: /),
      '4:16 sources.c.number: is the same as sources.a.number',
      '5:16 sources.d.number: is the same as sources.a.number',
    ]);
  });

  test('news and channels are on the data interface only', () => {
    expect(formattedErrors(sources('a: { number: 1, resources: [teams, news, channels] }'))).toEqual([
      '2:38 sources.a.resources[1]: is only on the data interface',
      '2:44 sources.a.resources[2]: is only on the data interface',
    ]);
    const data = "sources: { a: { number: 1, data: 'https://a.example.org', resources: [teams, news] } }";
    expect(formattedErrors(data)).toEqual([]);
  });

  test('all-keys-public requires the data interface', () => {
    expect(formattedErrors(sources('a: { number: 1, all-keys-public: true }'))).toEqual([
      '2:19 sources.a.all-keys-public: is only on the data interface',
    ]);
    const data = "sources: { a: { number: 1, data: 'https://a.example.org', all-keys-public: true } }";
    expect(formattedErrors(data)).toEqual([]);
  });

  test('a source-name is unique regardless of case and diacritics', () => {
    const text = sources(
      'a: { number: 1, source-name: "Cafe\u0301" }',
      'b: { number: 2, source-name: CAFÉ }',
      'c: { number: 3, source-name: Cafe }',
    );
    expect(formattedErrors(text)).toEqual([
      '3:32 sources.b.source-name: is the same as sources.a.source-name',
      '4:32 sources.c.source-name: is the same as sources.a.source-name',
    ]);
  });

  test('a source-name is not the code of another source, but may be that of its own', () => {
    const text = sources('a: { number: 1, source-name: B }', 'b: { number: 2 }', 'c: { number: 3, source-name: C }');
    expect(formattedErrors(text)).toEqual(['2:32 sources.a.source-name: is the code of sources.b']);
  });

  test('a prefix is not the code of another source, but may be that of its own', () => {
    expect(formattedErrors(sources('a: { number: 1, prefixes: [x, b, a] }', 'b: { number: 2 }'))).toEqual([
      '2:33 sources.a.prefixes[1]: is the code of sources.b',
    ]);
  });

  test.each([
    ['admin: { ready: never }', '2:17 admin.ready: must be listeners or data'],
    ['admin: { port: 8080 }', '2:16 admin.port: is the same as server.port (by default 8080)'],
    ['server: { port: 9090 }', '2:17 server.port: is the same as admin.port (by default 9090)'],
    ['samples: { a: 8080 }', '2:15 samples.a: is the same as server.port (by default 8080)'],
    ['samples: { a: 81, b: 81 }', '2:22 samples.b: is the same as samples.a'],
    ['admin: { port: 81 }\nserver: { port: 81 }', '3:17 server.port: is the same as admin.port'],
  ])('listeners have different ports: %s', (text, error) => {
    expect(formattedErrors(`${source}${text}`)).toEqual([error]);
  });

  test.each([
    ['{ default: 30, max: 20 }', '1:29 server.limit.default: is more than server.limit.max'],
    ['{ default: 20000 }', '1:29 server.limit.default: is more than server.limit.max (by default 10000)'],
    ['{ max: 50 }', '1:25 server.limit.max: is less than server.limit.default (by default 100)'],
  ])('the default limit does not exceed the maximum: %s', (limit, error) => {
    expect(formattedErrors(`server: { limit: ${limit} }\n${source}`)).toEqual([error]);
  });
});

describe('parseConfig with any text', () => {
  const valid = `
server: { name: a, port: "\${PORT}", limit: { default: 1, max: 2 }, deadline: 1s }
admin: { port: 0 }
samples: { a: 8101 }
sources:
  first: &x
    number: 1
    directory: https://api.example.org/v1
    prefixes: [a, 'b']
  ti: { number: 2, directory: "https://ti.example.org", source-name: |-
    text }`;
  const pieces = [
    '__proto__',
    '&x ',
    '*x',
    '!!map ',
    '? ',
    ': ',
    '- ',
    '\n',
    '\t',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '${',
    '}',
    '---\n',
    '#',
    '\0',
    '\uD800',
    '😀',
    'server:',
    '  sources:',
    '~',
    '|\n',
    '%TAG',
  ];
  const chunk = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 5 }));

  function check(text: string): void {
    const parsed = parseConfig(text, { PORT: '81' });
    if ('config' in parsed) return;
    expect(parsed.errors.length).toBeGreaterThan(0);
    const lines = text.split(/\r\n|\r|\n/).length;
    for (const { line, column, message } of parsed.errors) {
      expect(line >= 1 && line <= lines && column >= 1 && message !== '').toBe(true);
    }
    const places = parsed.errors.map(({ line, column }) => line * 1e6 + column);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }

  test('reserves the code rollcall, as the code of a source, a prefix and in names of properties', () => {
    const text =
      'sources:\n  rollcall: { number: 1, directory: "https://a.example.org", prefixes: [rollcall], properties: [-rollcall-id] }';
    const reserved = 'the code rollcall is reserved for this gateway';
    expect(formattedErrors(text)).toEqual([
      `2:3 sources.rollcall: ${reserved}`,
      `2:73 sources.rollcall.prefixes[0]: ${reserved}`,
      '2:97 sources.rollcall.properties[0]: is reserved for this gateway',
    ]);
  });

  test('returns a configuration or errors in order for random text', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 40 }), (chunks) => {
        check(chunks.join(''));
      }),
    );
  });

  test('returns a configuration or errors in order for a mutated valid configuration', () => {
    const mutation = fc.tuple(fc.nat(valid.length), fc.nat(12), chunk);
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const cut = (text: string, [at, length, piece]: [number, number, string]): string =>
          text.slice(0, at) + piece + text.slice(at + length);
        check(mutations.reduce(cut, valid));
      }),
      { numRuns: 500 },
    );
  });

  test('returns one error for very deep nesting', () => {
    expect(errorsOf('['.repeat(100_000))).toHaveLength(1);
    expect(errorsOf('a: '.repeat(1000))).toHaveLength(1);
  });
});
