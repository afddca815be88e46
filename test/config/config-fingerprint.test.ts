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
