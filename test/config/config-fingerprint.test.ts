import { describe, expect, it } from 'vitest';
import { fingerprintConfig, fingerprintServing, fingerprintSources } from '../../src/config/config-fingerprint.js';
import type { Config } from '../../src/config/config.js';
import { parseConfig } from '../../src/config/parse-config.js';

const FEEDS = ['https://one.example.org/all.xml', 'https://one.example.org/ics.xml?lang=en'];

/** Changes of the registration of {@link FEEDS}. */
const CHANGED_FEEDS: readonly object[] = [
  { feed: FEEDS.slice(1) },
  { feed: FEEDS.toReversed() },
  { feed: [FEEDS[0], 'https://one.example.org/ics.xml?lang=fr'] },
  { feed: [FEEDS[0], { url: FEEDS[1], title: 'Industrial control systems' }] },
];

function feedsWith(settings: object): Config {
  const source = { number: 1, feed: FEEDS, ...settings };
  const parsed = parseConfig(JSON.stringify({ cache: { disk: 'snapshots' }, sources: { one: source } }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

function configWith(settings: object): Config {
  const source = { number: 1, directory: 'https://one.example.org/directory/v1', ...settings };
  const parsed = parseConfig(JSON.stringify({ sources: { one: source } }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config;
}

describe('fingerprintServing', () => {
  const fingerprint = (settings: object): string => fingerprintServing(configWith(settings));

  it.each([
    { ttl: '2m' },
    { 'stale-while-revalidate': '2m' },
    { 'stale-if-error': '2m' },
    { 'confirm-shrink': '2m' },
    { 'drain-threshold': 7 },
    { 'source-name': 'Another name' },
  ])('differs where instances may serve a list at another moment, or another list: %j', (settings) => {
    expect(fingerprint(settings)).not.toBe(fingerprint({}));
  });

  it('does not depend on credentials, which the hash would let others guess', () => {
    expect(fingerprint({ credentials: { public: { bearer: 'one' } } })).toBe(
      fingerprint({ credentials: { public: { bearer: 'two' } } }),
    );
  });

  it('differs from the hash of stored fingerprints, which times do not change', () => {
    expect(fingerprintConfig(configWith({ ttl: '2m' }))).toBe(fingerprintConfig(configWith({})));
  });
});

describe('the fingerprints of feeds', () => {
  const definition = ({ sources }: Config): readonly string[] =>
    fingerprintSources(sources).map(({ fingerprints }) => fingerprints.definition);

  it.each(CHANGED_FEEDS)(
    'differ after a change of the list or of a title, and leave stored snapshots valid: %j',
    (changed) => {
      for (const fingerprint of [fingerprintConfig, fingerprintServing])
        expect(fingerprint(feedsWith(changed))).not.toEqual(fingerprint(feedsWith({})));
      expect(definition(feedsWith(changed))).toEqual(definition(feedsWith({})));
    },
  );

  it('do not depend on how the list is written', () => {
    for (const fingerprint of [fingerprintConfig, fingerprintServing, definition])
      expect(fingerprint(feedsWith({ feed: FEEDS.map((url) => ({ url })) }))).toEqual(fingerprint(feedsWith({})));
  });
});

/** Settings of the only source, or below a section, by the fingerprints that they change. */
const CHANGES: readonly (readonly [fingerprints: string, settings: Readonly<Record<string, unknown>>])[] = [
  ['', { timeout: '2s', retries: 3, concurrency: 2, headers: { 'X-A': 'b' }, proxy: 'none' }],
  ['', { credentials: { members: { bearer: 'a' } } }],
  ['definition', { credentials: { public: { bearer: 'a' } } }],
  ['config serving definition', { number: 2 }],
  ['config serving definition', { 'source-name': 'Other' }],
  ['config serving definition', { site: 'https://www.example.org' }],
  ['config serving definition', { directory: 'https://two.example.org' }],
  ['config serving definition', { aggregate: true }],
  ['config serving definition', { prefixes: ['two'] }],
  ['config serving', { resources: ['teams'] }],
  ['config serving', { coverage: { countries: ['BR'] } }],
  ['config serving context', { properties: ['duty'] }],
  ['config serving', { 'all-keys-public': true }],
  ...['ttl', 'stale-while-revalidate', 'stale-if-error', 'confirm-shrink'].map(
    (key) => ['serving', { [key]: '9m' }] as const,
  ),
  ...['page-size', 'drain-threshold', 'max-body'].map((key) => ['serving', { [key]: 9 }] as const),
  ['serving', { required: true }],
  ['serving', { tolerates: ['drift'] }],
  ...['teams', 'news', 'channels'].map((path) => ['serving', { supports: { [path]: { total: true } } }] as const),
  ['', { server: { name: 'a', host: '::1', port: 0, explorer: { enabled: false }, deadline: '1s', log: 'none' } }],
  ['', { server: { 'log-level': 'warn', 'trust-proxy': ['loopback'], limits: { rate: '1/1s' } } }],
  [
    '',
    { admin: { port: 0, ready: 'data' }, cache: { memory: '1GiB', disk: 'a', redis: 'redis://a' }, samples: { a: 1 } },
  ],
  ['', { access: { clients: [{ name: 'a', 'key-sha256': 'a'.repeat(64), access: 'members' }] } }],
  ['config serving', { server: { 'public-url': 'https://a.example.org' } }],
  ['config serving', { server: { limit: { default: 9 } } }],
  ['config serving', { server: { limit: { max: 900 } } }],
  ...['pgp', 'minimal', 'country'].map(
    (scope) => ['config serving', { access: { scopes: { [scope]: 'members' } } }] as const,
  ),
  ['serving', { defaults: { ttl: '9m' } }],
];

describe('a change of a setting', () => {
  const SECTIONS = ['server', 'admin', 'cache', 'access', 'samples', 'defaults'];

  function fingerprintsWith(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, string | undefined>> {
    const isSection = ([key]: readonly [string, unknown]): boolean => SECTIONS.includes(key);
    const [sections, ofSource] = [true, false].map((wanted) =>
      Object.fromEntries(Object.entries(settings).filter((entry) => isSection(entry) === wanted)),
    );
    const urls = { directory: 'https://one.example.org', data: 'https://one.example.org/data' };
    const parsed = parseConfig(
      JSON.stringify({ ...sections, sources: { one: { number: 1, ...urls, ...ofSource } } }),
      {},
    );
    if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
    const { config } = parsed;
    const ofRecords = fingerprintSources(config.sources)[0]?.fingerprints;
    return { config: fingerprintConfig(config), serving: fingerprintServing(config), ...ofRecords };
  }

  it.each(CHANGES)('changes the fingerprints "%s": %j', (fingerprints, settings) => {
    const before = fingerprintsWith({});
    const changed = Object.entries(fingerprintsWith(settings)).filter(([name, value]) => before[name] !== value);
    expect(changed.map(([name]) => name).join(' ')).toBe(fingerprints);
  });
});
