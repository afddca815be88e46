import { describe, expect, it } from 'vitest';
import { fingerprintConfig, fingerprintServing } from '../../src/config/config-fingerprint.js';
import type { Config } from '../../src/config/config.js';
import { parseConfig } from '../../src/config/parse-config.js';

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
