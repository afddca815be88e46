import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';

const ADDRESS = 'https://cert.example.org/rss.xml';

/** The errors of a configuration with one source of feeds, below `sources.one`. */
function errorsOf(source: object, settings: object = {}, environment: Readonly<Record<string, string>> = {}): string[] {
  const text = JSON.stringify({ ...settings, sources: { one: { number: 1, feed: ADDRESS, ...source } } });
  const parsed = parseConfig(text, environment);
  return 'errors' in parsed ? parsed.errors.map(({ path, message }) => `${path.slice(12)}: ${message}`) : [];
}

it.each(['directory', 'data', 'site'])('refuses %s beside a feed', (key) => {
  expect(errorsOf({ [key]: 'https://cert.example.org' })).toEqual([`${key}: is not a setting of a feed`]);
});

it.each([
  ['document', { url: 'https://cert.example.org/', map: { team: 'name' } }],
  ['resources', ['news']],
  ['aggregate', 'true'],
  ['prefixes', ['two']],
  ['properties', ['sector']],
  ['coverage', { countries: ['AT'] }],
  ['tolerates', ['total']],
  ['all-keys-public', 'true'],
  ['supports', { teams: { total: 'true' } }],
  ['page-size', '10'],
  ['drain-threshold', '10'],
])('refuses the setting %s, which has no meaning for a feed', (key, value) => {
  expect(errorsOf({ [key]: value })).toContain(`${key}: is not a setting of a feed`);
});

it('accepts how and how often a feed is requested', () => {
  const times = { ttl: '15m', 'stale-while-revalidate': '0s', 'stale-if-error': '7d' };
  const requests = {
    timeout: '2s',
    retries: '0',
    concurrency: '8',
    'max-body': '1MiB',
    required: 'true',
  };
  expect(errorsOf({ ...times, ...requests, 'source-name': 'CERT', 'confirm-shrink': '5m', proxy: 'none' })).toEqual([]);
});

it('requires an interface, a document or a feed', () => {
  expect(errorsOf({ feed: undefined })).toEqual([': needs directory, data or both, or a document or feed']);
});

describe('addresses and titles', () => {
  it('occur once in a source', () => {
    const feed = [
      { url: 'https://cert.example.org', title: 'Été 2026' },
      'https://CERT.example.org/',
      { url: ADDRESS, title: 'ETE 2026' },
    ];
    expect(errorsOf({ feed })).toEqual([
      'feed[1]: is the same as sources.one.feed[0].url',
      'feed[2].title: is the same as sources.one.feed[0].title',
    ]);
  });

  it('may occur again in another source', () => {
    const feed = [{ url: ADDRESS, title: 'Advisories' }];
    const text = JSON.stringify({ sources: { one: { number: 1, feed }, two: { number: 2, feed } } });
    expect(parseConfig(text, {})).toHaveProperty('config');
  });

  it('differ where the query or its order differs', () => {
    expect(errorsOf({ feed: [`${ADDRESS}?a=1&b=2`, `${ADDRESS}?b=2&a=1`, ADDRESS] })).toEqual([]);
  });
});

describe('the origins of feeds', () => {
  const feed = [ADDRESS, 'https://cert.example.org/ics.xml', { url: 'http://cert.example.org/http.xml' }];
  const message = (what: string): string =>
    `must have the scheme, host and port of the first feed: ${what} are sent to one origin only`;

  it('may differ without credentials and header fields', () => {
    expect(errorsOf({ feed, credentials: {}, headers: {} })).toEqual([]);
  });

  it.each([
    ['credentials', { public: { bearer: 'token' } }],
    ['headers', { 'X-Tenant': 'north' }],
  ])('must not differ with %s', (key, value) => {
    expect(errorsOf({ feed, [key]: value })).toEqual([`feed[2].url: ${message(key)}`]);
    expect(errorsOf({ feed: feed.slice(0, 2), [key]: value })).toEqual([]);
    expect(errorsOf({ feed: [ADDRESS, 'https://cert.example.org:8443/'], [key]: value })).toEqual([
      `feed[1]: ${message(key)}`,
    ]);
  });
});

describe('the address of a feed', () => {
  it.each(['key', 'api_key', 'apikey', 'access_token', 'Token', 'auth', 'password', 'sig'])(
    'must not have the query parameter %s, because clients see it',
    (name) => {
      const address = `https://cert.example.org/rss?lang=en&${name}=1`;
      const [error, ...others] = errorsOf({ feed: [ADDRESS, { url: address }] });
      expect(others).toEqual([]);
      expect(error).toContain(
        `feed[1].url: has the parameter ${name}, and clients see the address as rss of its channel`,
      );
    },
  );

  it.each(['lang', 'f', 'keyword', 'tokens', 'author'])('may have the query parameter %s', (name) => {
    expect(errorsOf({ feed: `https://cert.example.org/rss?${name}=1` })).toEqual([]);
  });
});

describe('the connection to feeds', () => {
  const tls = {};

  it('has tls where one of them has an https address', () => {
    expect(errorsOf({ feed: 'http://cert.example.org/', tls })).toEqual(['tls: needs an address with https']);
    expect(errorsOf({ feed: [{ url: 'http://cert.example.org/' }], tls })).toEqual([
      'tls: needs an address with https',
    ]);
    expect(errorsOf({ feed: ['http://cert.example.org/', { url: ADDRESS }], tls })).toEqual([]);
  });

  it('reports an invalid proxy of the environment that would be used', () => {
    const environment = { https_proxy: 'ftp://proxy.example.org' };
    expect(errorsOf({ feed: ['http://cert.example.org/'] }, {}, environment)).toEqual([]);
    for (const feed of [ADDRESS, [{ url: ADDRESS }]])
      expect(errorsOf({ feed }, {}, environment)[0]).toContain(': the environment variable https_proxy must be');
  });
});
