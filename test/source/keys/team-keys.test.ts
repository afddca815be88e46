import { describe, expect, it } from 'vitest';
import { listTeamKeys } from '../../../src/source/keys/team-keys.js';
import type { KeyViews } from '../../../src/source/keys/key-views.js';
import type { ReadableKey } from '../../../src/source/keys/key-judgement.js';

const KEY = 'E437A7260123456789ABCDEF0123456789ABCDEF';
const SUBKEY = '1'.repeat(40);
const OTHER = '2'.repeat(40);

const nothing: KeyViews = { texts: [], otherFingerprints: [], otherIds: [], otherTexts: [], isCut: false };

const read: ReadableKey = {
  ...{ fingerprint: KEY, version: 4, isSecret: false, createdAt: 0, expiresAt: 'never', isRevoked: false },
  ...{ emails: [], subkeys: [SUBKEY], agreement: 'agrees' },
};

const published = (key: ReadableKey, secret = 0): KeyViews => ({
  ...nothing,
  texts: [{ text: 'armored', keys: [key], unread: { secret, unreadable: 0 } }],
});

describe('the keys of a team', () => {
  it('have all records that state or publish them, a subkey as its key', () => {
    const views = [
      { ...nothing, otherFingerprints: [SUBKEY, OTHER] },
      published(read),
      { ...nothing, otherFingerprints: [KEY] },
    ];
    expect(listTeamKeys(views)).toEqual([
      { digits: KEY, records: [1, 0, 2], read, publisher: 1 },
      { digits: OTHER, records: [0] },
    ]);
  });

  it('have a key id of another record beside them: it may be that of another key', () => {
    const views = [
      { ...nothing, otherFingerprints: [KEY], otherIds: ['89ABCDEF'] },
      { ...nothing, otherIds: ['89ABCDEF'] },
    ];
    expect(listTeamKeys(views)).toEqual([
      { digits: KEY, records: [0] },
      { digits: '89ABCDEF', records: [1] },
    ]);
  });

  it('are saved from no record with a secret key', () => {
    expect(listTeamKeys([published(read, 1), published({ ...read, isSecret: true })])).toEqual([
      { digits: KEY, records: [0, 1], read },
    ]);
    expect(listTeamKeys([published(read, 1), published(read)])).toMatchObject([{ publisher: 1 }]);
  });
});
