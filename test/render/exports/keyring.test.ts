import { readKey, readKeys } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { renderKeyring } from '../../../src/render/exports/keyring.js';
import { createRenderInput } from '../../../src/render/render-input.js';
import type { Keyring, ResponseFacts } from '../../../src/render/render-input.js';
import { hostileTexts } from '../../support/generators/hostile-values.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

function render(keyring: Partial<Keyring>, sourceName = 'Harbour', more: Partial<ResponseFacts> = {}): string {
  const { facts } = createRenderInput({});
  const sources = [{ sourceName, state: 'stale', reason: 'timeout', description: 'timed out', detail: {} }];
  const input = { teams: 1, keys: [], omitted: [], ...keyring };
  return [
    ...renderKeyring({ keyring: input, facts: { ...facts, address: '/teams.asc', total: 3, sources, ...more } }),
  ].join('');
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

  it('has a key that several teams state once', async () => {
    const keys = await usableKeys();
    expect(render({ keys: [...keys, ...keys] })).toBe(render({ keys }));
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

  it('counts a key once that several teams have, and has no line about keys that are left out where none is', () => {
    const keys = ['AB', 'AB', 'CD'].map((fingerprint) => ({ fingerprint, packets: Uint8Array.of(1) }));
    const [lines = ''] = render({ keys }).split('\n\n');
    expect(lines.split('\n').slice(1)).toEqual([
      'Teams: 1 of 3',
      'Keys: 2',
      'Source: Harbour (stale, timeout: timed out)',
    ]);
  });

  it('states the access level of members data', () => {
    expect(render({}, 'Harbour', { access: 'members' }).split('\n')[1]).toBe('Access: members');
  });

  it('states the source, the fingerprint and the reason of a key however long the other texts are', () => {
    const long = 'x'.repeat(5_000);
    const omitted = [
      { teamId: long, sourceName: long, fingerprint: 'AB', reason: 'has expired' },
      { teamId: 'harbour.b', sourceName: 'Harbour', fingerprint: undefined, reason: 'cannot be read', blocks: 3 },
    ];
    const cut = `${'x'.repeat(300)}…`;
    const lines = render({ omitted }, long, { address: `/teams.asc?q=${long}` }).split('\n');
    expect(lines.slice(0, 1)).toEqual([`OpenPGP keys of /teams.asc?q=${'x'.repeat(1_000 - 13)}…`]);
    expect(lines.slice(3, -1)).toEqual([
      `Source: ${cut} (stale, timeout: timed out)`,
      'Left out: 4',
      `  ${cut} of ${cut}: AB: has expired`,
      '  harbour.b of Harbour: no fingerprint: cannot be read (3 blocks)',
    ]);
  });

  it('replaces characters that end or reorder a line, and four hyphens', () => {
    const omitted = [
      { teamId: 'a\u2028b\u202ec\u2066d----e', sourceName: 'H', fingerprint: 'AB', reason: 'is revoked' },
    ];
    expect(render({ omitted })).toContain('\n  a\ufffdb\ufffdc\ufffdd---e of H: AB: is revoked\n');
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
