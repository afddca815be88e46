import { describe, expect, it } from 'vitest';
import {
  compareWithStatedFingerprints,
  countUnreadBlocks,
  judgeKeyValidity,
} from '../../../src/source/keys/key-judgement.js';
import type { KeyDetails } from '../../../src/source/keys/key-reader-thread.js';

const NOW = Date.UTC(2026, 0, 1);

const details = (facts: Partial<KeyDetails> = {}): KeyDetails => ({
  version: 4,
  isSecret: false,
  createdAt: 0,
  expiresAt: 'never',
  isRevoked: false,
  emails: [],
  subkeys: [],
  ...facts,
});

describe('the agreement of keys with stated fingerprints', () => {
  const facts = {
    primary: ['A', 'B'],
    subkeys: ['S'],
    readBlocks: 2,
    details: [details({ subkeys: ['S'] }), details()],
  };

  it.each([
    ['nothing', [], ['unstated', 'unstated']],
    ['one of two keys', ['A'], ['agrees', 'differs']],
    ['a subkey of one of two keys', ['S'], ['agrees', 'differs']],
    ['another key', ['X'], ['differs', 'differs']],
  ])('where the source states %s', (_title, stated, agreements) => {
    expect(compareWithStatedFingerprints(facts, stated).map(({ agreement }) => agreement)).toEqual(agreements);
  });

  it('is unknown for keys that were not read', () => {
    expect(compareWithStatedFingerprints(undefined, ['A'])).toEqual([]);
    expect(compareWithStatedFingerprints({ primary: ['A'], subkeys: [], readBlocks: 1 }, ['A'])).toEqual([]);
  });
});

describe('the unread blocks of a text', () => {
  it('are those of secret keys, and all others from which no key was read', () => {
    const [PUBLIC, SECRET] = ['PUBLIC', 'PRIVATE'].map((kind) => `-----BEGIN PGP ${kind} KEY BLOCK-----\n`);
    const text = `${PUBLIC ?? ''}${SECRET ?? ''}${PUBLIC ?? ''}-----BEGIN PGP MESSAGE-----`;
    expect(countUnreadBlocks(text, { primary: [], subkeys: [], readBlocks: 1 })).toEqual({ secret: 1, unreadable: 2 });
    expect(countUnreadBlocks(text, undefined)).toEqual({ secret: 1, unreadable: 3 });
  });
});

describe('the validity of a key', () => {
  it.each([
    ['valid', {}],
    ['valid', { expiresAt: NOW + 1 }],
    ['valid', { createdAt: NOW }],
    ['not-yet-valid', { createdAt: NOW + 1 }],
    ['expired', { expiresAt: NOW }],
    ['unverified', { expiresAt: 'unknown' }],
    ['revoked', { isRevoked: true, expiresAt: 'unknown' }],
  ] as const)('is %s: %j', (validity, facts) => {
    expect(judgeKeyValidity(details(facts), NOW)).toBe(validity);
  });
});
