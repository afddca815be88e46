import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';

const SOURCES = 'sources: { own: { number: 1, directory: https://a.example.org } }';

function errorsOf(settings: string): readonly string[] {
  const parsed = parseConfig(`${settings}\n${SOURCES}`, {});
  return 'errors' in parsed ? parsed.errors.map(({ path, message }) => `${path}: ${message}`) : [];
}

describe('the settings of a shared memory', () => {
  test.each([
    'redis://127.0.0.1',
    'redis://127.0.0.1:6379/0',
    'rediss://user:secret@redis.example.org:6380/15',
    'redis://:secret@[::1]:6379',
  ])('accept the address %s', (address) => {
    expect(errorsOf(`cache: { redis: "${address}" }`)).toEqual([]);
  });

  test.each([
    'http://127.0.0.1',
    'redis://',
    'redis://127.0.0.1/zero',
    'redis://127.0.0.1?db=1',
    'redis://127.0.0.1:x',
    '127.0.0.1:6379',
  ])('refuse %s as an address, without repeating it', (address) => {
    expect(errorsOf(`cache: { redis: "${address}" }`)).toEqual([
      'cache.redis: must be an address such as redis://user:password@127.0.0.1:6379/0 (or rediss), with reserved characters percent-encoded',
    ]);
  });

  test('refuse a secret that is short enough to be guessed', () => {
    expect(errorsOf('cache: { redis: "redis://127.0.0.1", redis-key: "too short" }')).toEqual([
      'cache.redis-key: must be a secret of at least 32 characters',
    ]);
  });

  test('a secret requires an address', () => {
    const secret = 'k'.repeat(32);
    expect(errorsOf(`cache: { redis-key: ${secret} }`)).toEqual(['cache.redis-key: requires cache.redis']);
    expect(errorsOf(`cache: { redis: "redis://127.0.0.1", redis-key: ${secret} }`)).toEqual([]);
  });
});
