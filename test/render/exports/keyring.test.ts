import { readKey, readKeys } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { renderKeyring } from '../../../src/render/exports/keyring.js';
import { createRenderInput } from '../../../src/render/render-input.js';
import type { Keyring } from '../../../src/render/render-input.js';
import { hostileTexts } from '../../support/generators/hostile-values.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

function render(keyring: Partial<Keyring>, sourceName = 'Harbour'): string {
  const { facts } = createRenderInput({});
  const sources = [{ sourceName, state: 'stale', reason: 'timeout', description: 'timed out', detail: {} }];
  const input = { teams: 1, keys: [], omitted: [], ...keyring };
  return [...renderKeyring({ keyring: input, facts: { ...facts, address: '/teams.asc', total: 3, sources } })].join('');
}

async function usableKeys(): Promise<Keyring['keys']> {
  const read = await Promise.all(openpgpKeys.map(({ armored }) => readKey({ armoredKey: armored })));
  return read.map((key) => ({ fingerprint: key.getFingerprint().toUpperCase(), packets: key.write() }));
}

/** The checksum as RFC 9580, section 6.1.1, computes it. */
function crc24(bytes: Uint8Array): number {
  let crc = 0xb704ce;
  for (const byte of bytes) {
    crc ^= byte << 16;
    for (let bit = 0; bit < 8; bit += 1) {
      crc <<= 1;
      if (crc & 0x1000000) crc ^= 0x1864cfb;
    }
  }
  return crc & 0xffffff;
}

describe('a keyring', () => {
  it('is one armored block from which all keys are read', async () => {
    const text = render({ keys: await usableKeys() });
    const block = text.slice(text.indexOf('-----BEGIN'));
    const read = await readKeys({ armoredKeys: block });
    expect(read.map((key) => key.getFingerprint().toUpperCase())).toEqual(
      openpgpKeys.map(({ fingerprint }) => fingerprint),
    );
    expect(text.match(/-----BEGIN/g)).toHaveLength(1);
  });

  it('has lines of 64 characters and a valid checksum', async () => {
    const keys = await usableKeys();
    const [, data = ''] = /KEY BLOCK-----\n\n([^]*)-----END/.exec(render({ keys })) ?? [];
    const lines = data.trimEnd().split('\n');
    expect(lines.slice(0, -2).every(({ length }) => length === 64)).toBe(true);
    const crc = crc24(Buffer.concat(keys.map(({ packets }) => packets)));
    const bytes = Buffer.from([crc >> 16, (crc >> 8) & 0xff, crc & 0xff]);
    expect(lines.at(-1)).toBe(`=${bytes.toString('base64')}`);
  });

  it('begins with the address, the sources and their states, and every key that is left out', () => {
    const omitted = [{ teamId: 'harbour.a', sourceName: 'Harbour', fingerprint: 'AB', reason: 'has expired' }];
    expect(render({ omitted })).toBe(
      [
        'OpenPGP keys of /teams.asc',
        'Teams: 1 of 3',
        'Keys: 0',
        'Source: Harbour (stale, timeout: timed out)',
        'Left out: 1',
        '  harbour.a of Harbour: AB: has expired',
        '',
      ].join('\n'),
    );
  });

  it('has no line of a source that looks like armor, and as many lines whatever the texts are', () => {
    const lineCount = (text: string): number => {
      const omitted = [{ teamId: text, sourceName: text, fingerprint: undefined, reason: 'cannot be read' }];
      const rendered = render({ omitted }, text);
      expect(rendered).not.toMatch(/-----|[^\P{Cc}\n]/u);
      return rendered.split('\n').length;
    };
    const expected = lineCount('plain');
    const armor = [
      '-----BEGIN PGP PUBLIC KEY BLOCK-----',
      'a\n-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nx',
      '\r-----END',
    ];
    for (const text of [...hostileTexts, ...armor]) expect(lineCount(text)).toBe(expected);
  });
});
