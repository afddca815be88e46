import { describe, expect, it } from 'vitest';
import { groupFingerprint } from '../../../src/identifiers/key-id.js';
import { readKeyViews } from '../../../src/source/keys/key-views.js';
import type { ReadKeys, StatedKeys } from '../../../src/source/keys/key-views.js';

const FINGERPRINT = '763306A222FB0858CDA72E262000ACB2AFA61BBA';
const SUBKEY = '314F78450F5E7B4F46356CBE6530A18404722AFA';
const OTHER = '0123456789ABCDEF0123456789ABCDEF01234567';

const details = [
  { version: 4, isSecret: false, createdAt: 0, expiresAt: 'never', isRevoked: false, emails: [], subkeys: [SUBKEY] },
] as const;

const readAll: ReadKeys = (texts) =>
  Promise.resolve(
    new Map(texts.map((text) => [text, { primary: [FINGERPRINT], subkeys: [SUBKEY], readBlocks: 1, details }])),
  );

const view = (stated: Partial<StatedKeys>): ReturnType<typeof readKeyViews> =>
  readKeyViews({ keyTexts: ['key'], stated: [], keyIds: [], ...stated }, readAll);

describe('a key and the stated fingerprint', () => {
  it.each([
    ['that of the key', FINGERPRINT.toLowerCase(), 'agrees'],
    ['that of a subkey', `0x${SUBKEY}`, 'agrees'],
    ['in groups', groupFingerprint(FINGERPRINT), 'agrees'],
    ['one of several', `${OTHER}, ${FINGERPRINT}`, 'agrees'],
    ['another one', OTHER, 'differs'],
    ['a text', 'on request', 'unstated'],
  ])('%s: %s %s', async (_title, stated, agreement) => {
    const { texts } = await view({ stated: [stated] });
    expect(texts[0]?.keys.map((key) => key.agreement)).toEqual([agreement]);
  });

  it('that no key has is listed beside the keys, and a short id that no key ends with', async () => {
    const views = await view({
      stated: [OTHER],
      keyIds: [`0x${FINGERPRINT}`, '0xAFA61BBA', '0xDEADBEEF', 'on request'],
    });
    expect([views.otherFingerprints, views.otherIds]).toEqual([[OTHER], ['DEADBEEF']]);
  });
});

describe('a fingerprint', () => {
  it('is written in groups of four', () => {
    expect(groupFingerprint(FINGERPRINT)).toBe('7633 06A2 22FB 0858 CDA7 2E26 2000 ACB2 AFA6 1BBA');
    expect(groupFingerprint('ABCD')).toBe('ABCD');
  });
});
