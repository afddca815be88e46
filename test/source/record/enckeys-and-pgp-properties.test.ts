import { describe, expect, it } from 'vitest';
import { toEnckeys } from '../../../src/source/record/enckeys-and-pgp-properties.js';

const FINGERPRINT = 'CB2C563AE4D614152198E11195ED49E4FB340B9D';

describe('toEnckeys', () => {
  it.each<[title: string, fingerprint: string | undefined, id: string | undefined, keys: string[] | undefined]>([
    [
      'returns fingerprints without the key ids of the same keys',
      FINGERPRINT,
      '0x95ed49e4fb340b9d',
      [`0x${FINGERPRINT}`],
    ],
    ['returns fingerprints without the short key ids of the same keys', FINGERPRINT, 'FB340B9D', [`0x${FINGERPRINT}`]],
    ['returns key ids where there is no fingerprint', undefined, '95ED49E4, FB340B9D', ['0x95ED49E4', '0xFB340B9D']],
    [
      'returns capitals in one piece',
      'cb2c 563a e4d6 1415 2198  e111 95ed 49e4 fb34 0b9d',
      undefined,
      [`0x${FINGERPRINT}`],
    ],
    ['ignores text that is not a key', 'on request', '', undefined],
  ])('%s', (_title, fingerprint, id, keys) => {
    expect(toEnckeys({ fingerprint, keyId: id })).toEqual(keys);
  });
});
