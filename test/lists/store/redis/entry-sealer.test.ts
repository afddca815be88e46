import { describe, expect, it } from 'vitest';
import { EntrySealer, ForgedEntryError } from '../../../../src/lists/store/redis/entry-sealer.js';

const SECRET = 'a secret of more than thirty-two characters';
const content = Buffer.from('{"id":"3f1e0a8c","name":"Example CERT"}');

/** What may not be opened. */
function isRefused(sealer: EntrySealer, purpose: string, sealed: Buffer): boolean {
  try {
    sealer.open(purpose, sealed);
    return false;
  } catch (error) {
    if (error instanceof ForgedEntryError) return true;
    throw error;
  }
}

describe.each([
  ['a key', SECRET],
  ['no key', undefined],
])('an entry sealer with %s', (_, secret) => {
  it.each([
    ['some content', content],
    ['no content', Buffer.alloc(0)],
    ['a megabyte', Buffer.alloc(2 ** 20, 'x')],
  ])('opens what another instance sealed: %s', (__, original) => {
    const sealed = new EntrySealer(secret).seal('head', original);
    expect(new EntrySealer(secret).open('head', sealed).equals(original)).toBe(true);
  });

  it('gives a text always the same name, and another text another one', () => {
    const name = new EntrySealer(secret).hashName('source-1 teams');
    expect(name).toMatch(/^[\w-]{43}$/);
    expect(new EntrySealer(secret).hashName('source-1 teams')).toBe(name);
    expect(new EntrySealer(secret).hashName('source-1 team')).not.toBe(name);
  });

  it('refuses content of another form, and nothing', () => {
    const sealer = new EntrySealer(secret);
    expect(isRefused(sealer, 'head', Buffer.alloc(0))).toBe(true);
    expect(isRefused(sealer, 'head', Buffer.from('{"id":"3f1e0a8c"}'))).toBe(true);
  });
});

describe('an entry sealer', () => {
  const sealer = new EntrySealer(SECRET);

  it('refuses content in which any one bit of any byte was changed', () => {
    const sealed = sealer.seal('head', content);
    for (let at = 0; at < sealed.length * 8; at += 1) {
      const altered = Buffer.from(sealed);
      altered[at >> 3] = (altered[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect([at, isRefused(sealer, 'head', altered)]).toEqual([at, true]);
    }
  });

  it('refuses content that was shortened by any number of bytes, or lengthened', () => {
    const sealed = sealer.seal('head', content);
    for (let length = 0; length < sealed.length; length += 1) {
      expect([length, isRefused(sealer, 'head', sealed.subarray(0, length))]).toEqual([length, true]);
    }
    expect(isRefused(sealer, 'head', Buffer.concat([sealed, Buffer.of(0)]))).toBe(true);
  });

  it('refuses content that was stored for another purpose', () => {
    const first = sealer.seal('records 0', content);
    expect(isRefused(sealer, 'records 1', first)).toBe(true);
    expect(isRefused(sealer, 'records 0', first)).toBe(false);
  });

  it('refuses content of an instance with another key, and gives names that differ', () => {
    const other = new EntrySealer(`${SECRET}.`);
    expect(isRefused(other, 'head', sealer.seal('head', content))).toBe(true);
    expect(other.hashName('teams')).not.toBe(sealer.hashName('teams'));
  });

  it('with a key refuses what was written without one, and the other way round', () => {
    const open = new EntrySealer(undefined);
    expect(() => sealer.open('head', open.seal('head', content))).toThrow('written without the cache.redis-key');
    expect(() => open.open('head', sealer.seal('head', content))).toThrow('not configured here');
    expect(open.hashName('teams')).not.toBe(sealer.hashName('teams'));
  });

  it('never seals the same content in the same way, and shows nothing of it', () => {
    const sealed = sealer.seal('head', content);
    expect(sealer.seal('head', content).equals(sealed)).toBe(false);
    expect(sealed.includes('Example')).toBe(false);
  });
});
