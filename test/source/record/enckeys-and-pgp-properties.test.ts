import { describe, expect, it } from 'vitest';
import {
  addMissingKeys,
  fromEnckeys,
  normalizeKeys,
  toEnckeys,
} from '../../../src/source/record/enckeys-and-pgp-properties.js';
import { measureCpuTime } from '../../support/cpu-time.js';

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

describe('keys of one team from two lists', () => {
  const keyBlock = (data: string, kind = 'PUBLIC KEY BLOCK'): string =>
    `-----BEGIN PGP ${kind}-----\n\n${data}\n-----END PGP ${kind}-----`;

  it('are compared block by block, whatever their kind and the text around them', () => {
    const [one, two, signature] = [keyBlock('mQENB'), keyBlock('mDMEZ'), keyBlock('iHUEA', 'SIGNATURE')];
    expect(addMissingKeys(one, `Our keys:\n${one} ${two}\n${signature}\nend`)).toBe([one, two, signature].join('\n'));
    expect(addMissingKeys(`${two}\n${one}`, one.replaceAll('\n', '\r\n'))).toBe(`${two}\n${one}`);
  });

  it('are compared as one text where that is longer than keys are read', () => {
    const many = Array.from({ length: 7_000 }, () => FINGERPRINT);
    expect(normalizeKeys(many.join(','))).toEqual([many.join(',')]);
    expect(normalizeKeys(many)).toHaveLength(1);
    expect(addMissingKeys(FINGERPRINT, many.join(','))).toBe(`${FINGERPRINT}, ${many.join(',')}`);
    expect([toEnckeys({ fingerprint: many, keyId: 'FB340B9D' }), fromEnckeys(many)]).toEqual([['0xFB340B9D'], []]);
  });

  it('are separated in a time in proportion to their length, also where blocks only begin', () => {
    const measure = (count: number): number => {
      const text = `${'-----BEGIN PGP A-----'.repeat(count)}.`;
      return Math.min(...Array.from({ length: 3 }, () => measureCpuTime(() => normalizeKeys(text))));
    };
    const short = measure(1_000);
    expect(measure(12_000) / short).toBeLessThan(60);
  });
});
