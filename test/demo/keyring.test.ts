import { readFileSync } from 'node:fs';
import { readKey, readKeys } from 'openpgp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import keys from '../../config/demo/generator/keys.json' with { type: 'json' };
import { startDemo } from '../support/gateway/demo-gateway.js';
import type { DemoGateway } from '../support/gateway/demo-gateway.js';
import { keyReader } from '../support/gateway/threads/key-reader.js';
import { recordsOf } from './sample-files.js';

const reader = keyReader();
let demo: DemoGateway;

beforeAll(async () => {
  demo = await startDemo(reader);
});

afterAll(async () => {
  await demo.close();
  reader.close();
});

const get = async (path: string): Promise<string> => (await fetch(`${demo.origin}${path}`)).text();

/** The lines of a keyring that name what it leaves out, except teams whose source states no key. */
function listFaultyKeys(keyring: string): readonly string[] {
  return keyring.split('\n').filter((line) => line.startsWith('  ') && !line.includes('the source states no key'));
}

const published = ['beacon', 'chronicle'].flatMap((name) =>
  recordsOf(`${name}-teams`).flatMap((team) => team['pgp-key'] ?? []),
);

describe('the keys of the samples', () => {
  it('are public keys with the stated fingerprints, of different teams', async () => {
    const armored = keys.flatMap(({ armored: text, fingerprint }) =>
      text === undefined ? [] : [{ text, fingerprint }],
    );
    expect(armored.length).toBeGreaterThan(70);
    for (const { text, fingerprint } of armored) {
      const key = await readKey({ armoredKey: text });
      expect([key.getFingerprint().toUpperCase(), key.isPrivate()]).toEqual([fingerprint, false]);
      expect(key.getUserIDs()).toEqual([
        expect.stringMatching(/ \(sample of Rollcall\) <[^>]+@[\w.-]+\.example\.\w+>$/),
      ]);
    }
    expect(new Set(keys.map(({ fingerprint }) => fingerprint.slice(-8))).size).toBe(keys.length);
  });
});

describe('the keyring of the demo', () => {
  it('has the published keys, except those that are faulty, and says why these are left out', async () => {
    const keyring = await get('/data/v1/teams.asc?scope=pgp&limit=1000');
    expect(
      listFaultyKeys(keyring)
        .map((line) => line.replace(/^ *(\S+) of .*: /, '$1: '))
        .toSorted(),
    ).toEqual([
      'beacon.clinic_cert_pl: has expired',
      'beacon.port_cert_oberluhnstadt: the source states another fingerprint',
      'beacon.telco_csirt_nl: cannot be read',
      'chronicle.ironbark-flat-grid-soc: has expired',
      'chronicle.telco-csirt: is revoked',
    ]);
    const read = await readKeys({ armoredKeys: keyring.slice(keyring.indexOf('-----BEGIN')) });
    expect(read).toHaveLength(new Set(published).size - 5);
    expect(keyring).toContain(`\nKeys: ${new Set(published).size - 5}\n`);
  });

  it('begins with the lines that docs/formats.md shows', async () => {
    const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');
    const [, path = '', shown] =
      /^curl -s 'http:[^/]*\/\/[^/]+([^']+)' \| sed .*\n```\n\n```text\n([\s\S]*?)\n```/m.exec(page) ?? [];
    expect((await get(path)).split('\n\n')[0]).toBe(shown);
  });
});
