import { describe, expect, it } from 'vitest';
import type { KeyFacts } from '../../../src/source/keys/key-reader-thread.js';
import { KeyFactsCache } from '../../../src/source/keys/key-facts-cache.js';

function factsOf(size: number): KeyFacts {
  const facts = { version: 4, isSecret: false, createdAt: 0, expiresAt: 'never', isRevoked: false } as const;
  return {
    primary: [],
    subkeys: [],
    readBlocks: 1,
    details: [{ ...facts, emails: [], subkeys: [], packets: new Uint8Array(size) }],
  };
}

describe('the cache of keys', () => {
  it('returns what was put, also for a text that cannot be read', () => {
    const cache = new KeyFactsCache(20_000);
    const facts = factsOf(100);
    cache.put('a', facts);
    cache.put('b', null);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([facts, null, undefined]);
  });

  it('evicts the least recently used packets first, and counts each text once', () => {
    const cache = new KeyFactsCache(20_000);
    for (const text of ['a', 'a', 'b']) cache.put(text, factsOf(8_000));
    cache.get('a');
    cache.put('c', factsOf(8_000));
    expect(['a', 'b', 'c'].map((text) => cache.get(text) !== undefined)).toEqual([true, false, true]);
    cache.put('d', factsOf(30_000));
    expect(['a', 'c', 'd'].map((text) => cache.get(text))).toEqual([undefined, undefined, undefined]);
  });
});
