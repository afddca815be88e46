import { describe, expect, it } from 'vitest';
import { nameSharedGateway } from '../../../src/cli/serve/shared-gateway-name.js';
import { parseConfig } from '../../../src/config/parse-config.js';

function name(redis: string | undefined, settings: object = {}): string | undefined {
  const sources = { one: { number: 1, directory: 'https://one.example.org/directory' } };
  const cache = { ...(redis !== undefined && { redis }) };
  const parsed = parseConfig(JSON.stringify({ cache, sources, ...settings }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return nameSharedGateway(parsed.config);
}

const PLAIN = 'redis://cache.example.org:6379/0';

describe('the name of a gateway with cache.redis and without server.name', () => {
  it('is the same for all instances, with each address and password', () => {
    const first = name(PLAIN);
    expect(first).toMatch(/^rollcall-[0-9a-f]{16}$/);
    expect(name('redis://user:secret@cache.example.org:6379/0', { server: { port: 9_000 } })).toBe(first);
  });

  it.each([
    ['another server', name('redis://other.example.org:6379/0')],
    ['another database', name('redis://cache.example.org:6379/1')],
    ['other sources', name(PLAIN, { sources: { two: { number: 2, directory: 'https://two.example.org/directory' } } })],
  ])('is another one with %s', (_, other) => {
    expect(other).not.toBe(name(PLAIN));
  });

  it('does not exist without cache.redis', () => {
    expect(name(undefined)).toBeUndefined();
  });
});
