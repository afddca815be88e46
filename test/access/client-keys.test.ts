import { describe, expect, it } from 'vitest';
import { isBearerToken } from '../../src/access/bearer-credential.js';
import { createClientKeys, generateClientKey, hashClientKey } from '../../src/access/client-keys.js';
import type { ClientKeyConfig } from '../../src/config/config.js';
import { fakeClock } from '../support/fake-clock.js';

const HOUR = 3_600_000;

function client(name: string, key: string, more: Partial<ClientKeyConfig> = {}): ClientKeyConfig {
  return { name, keySha256: hashClientKey(key), access: 'members', expires: undefined, rate: undefined, ...more };
}

describe('createClientKeys', () => {
  it('finds the client of each key, with its level and rate', () => {
    const rate = { requests: 5, period: 1000 };
    const clients = [client('harbour', 'one', { access: 'public' }), client('lantern', 'two', { rate })];
    const keys = createClientKeys(clients, fakeClock());
    expect(keys.find('one')).toEqual({
      state: 'found',
      client: { name: 'harbour', credential: 'key', access: 'public', rate: undefined },
    });
    expect(keys.find('two')).toEqual({
      state: 'found',
      client: { name: 'lantern', credential: 'key', access: 'members', rate },
    });
  });

  it('finds a client by either of its two keys, each with its own time', () => {
    const clock = fakeClock();
    const clients = [client('harbour', 'old', { expires: clock.now() + HOUR }), client('harbour', 'new')];
    const keys = createClientKeys(clients, clock);
    const states = (): string[] => ['old', 'new'].map((key) => keys.find(key).state);
    expect(states()).toEqual(['found', 'found']);
    clock.advance(HOUR);
    expect(states()).toEqual(['expired', 'found']);
  });

  it('refuses a key from the instant at which it expires', () => {
    const clock = fakeClock();
    const keys = createClientKeys([client('harbour', 'one', { expires: clock.now() + 1 })], clock);
    expect(keys.find('one').state).toBe('found');
    clock.advance(1);
    expect(keys.find('one').state).toBe('expired');
  });

  it.each(['', 'On', 'one ', 'ONE', hashClientKey('one')])('does not know the key %j', (key) => {
    expect(createClientKeys([client('harbour', 'one')], fakeClock()).find(key)).toEqual({ state: 'unknown' });
  });

  it('knows no key where none is configured', () => {
    expect(createClientKeys([], fakeClock()).find('one')).toEqual({ state: 'unknown' });
  });

  it('accepts a key of two entries of which one has expired', () => {
    const clock = fakeClock();
    const keys = createClientKeys([client('harbour', 'one', { expires: 0 }), client('lantern', 'one')], clock);
    expect(keys.find('one')).toMatchObject({ state: 'found', client: { name: 'lantern' } });
  });
});

describe('generateClientKey', () => {
  it('generates a key that scanners recognise and that no token looks like', () => {
    const key = generateClientKey();
    expect(key).toMatch(/^rck_[\w-]{43}$/);
    expect(isBearerToken(key)).toBe(true);
  });

  it('never generates the same key twice', () => {
    expect(new Set(Array.from({ length: 100 }, generateClientKey)).size).toBe(100);
  });
});

describe('hashClientKey', () => {
  it('returns SHA-256 in lower-case hexadecimal', () => {
    expect(hashClientKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
