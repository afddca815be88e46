import { describe, expect, it } from 'vitest';
import { toEnckeys } from '../../../src/source/record/convert-enckeys.js';

const FINGERPRINT = 'CB2C563AE4D614152198E11195ED49E4FB340B9D';

describe('enckeys', () => {
  it.each<[title: string, fingerprint: string | undefined, id: string | undefined, keys: string[] | undefined]>([
    ['are fingerprints, and no id of theirs', FINGERPRINT, '0x95ed49e4fb340b9d', [`0x${FINGERPRINT}`]],
    ['are no short id of theirs either', FINGERPRINT, 'FB340B9D', [`0x${FINGERPRINT}`]],
    ['are ids where there is no fingerprint', undefined, '95ED49E4, FB340B9D', ['0x95ED49E4', '0xFB340B9D']],
    ['are nothing that is no key', 'on request', '', undefined],
  ])('%s', (_title, fingerprint, id, keys) => {
    expect(toEnckeys({ fingerprint, keyId: id })).toEqual(keys);
  });
});
