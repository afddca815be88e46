import { PacketList, armor as armorPackets, enums, generateKey, readKey } from 'openpgp';
import type { AnyPacket, Key } from 'openpgp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { keyReader } from '../../support/threads/key-reader.js';
import { openpgpKeys, openpgpKeyStates } from '../../support/openpgp-keys.js';
import { moduleFromCode } from '../../support/threads/worker-modules.js';
import type { KeyReader } from '../../../src/source/keys/key-reader.js';

const [alpha, beta] = openpgpKeys;
if (alpha === undefined || beta === undefined) throw new Error('no keys');

/** A version 3 key of the year 2000, in the form of PGP 2.6, with made-up numbers. */
const VERSION_3 = armor(
  Buffer.from([0x99, 0, 17, 3, 0x38, 0x6d, 0x43, 0x80, 0, 0, 1, 0, 16, 0x80, 1, 0, 16, 0x80, 3, 0]),
);

function armor(data: Buffer): string {
  const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} PGP PUBLIC KEY BLOCK-----`);
  return [begin, '', data.toString('base64'), end].join('\n');
}

function readPublicKey(armoredKey: string): Promise<Key> {
  return readKey({ armoredKey });
}

function writePackets(packets: readonly AnyPacket[]): Uint8Array {
  const list = new PacketList<AnyPacket>();
  list.push(...packets);
  return list.write();
}

function versionOf(packet: AnyPacket): unknown {
  return 'version' in packet ? packet.version : undefined;
}

describe('reading of keys', () => {
  const reader = keyReader();
  afterAll(() => {
    reader.close();
  });

  it('returns the fingerprints of keys and subkeys for each text', async () => {
    const { fingerprint, subkeys, armored } = alpha;
    expect(await reader.read([armored, beta.armored])).toEqual(
      new Map([
        [armored, { primary: [fingerprint], subkeys, readBlocks: 1 }],
        [beta.armored, { primary: [beta.fingerprint], subkeys: beta.subkeys, readBlocks: 1 }],
      ]),
    );
  });

  it('returns the fingerprints of all keys of a text', async () => {
    const text = `${alpha.armored}\n${beta.armored}`;
    expect((await reader.read([text])).get(text)?.primary).toEqual([alpha.fingerprint, beta.fingerprint]);
  });

  it('returns the keys of a text of which one block is damaged, and how many blocks were read', async () => {
    const damaged = beta.armored.replace(/\n(?:.+\n){6}=/, '\n=');
    const text = [alpha.armored, damaged, VERSION_3, beta.armored].join('\n');
    expect((await reader.read([text])).get(text)).toMatchObject({
      primary: [alpha.fingerprint, beta.fingerprint],
      readBlocks: 2,
    });
  });

  it('returns what keys say about themselves, where that is requested', async () => {
    const facts = {
      version: 4,
      isSecret: false,
      createdAt: Date.UTC(2026, 0, 1),
      expiresAt: 'never',
      isRevoked: false,
    };
    const read = (await reader.read([alpha.armored], 'details')).get(alpha.armored);
    expect(read?.details).toEqual([{ ...facts, emails: ['alpha@example.org'], subkeys: alpha.subkeys }]);
    expect((await reader.read([alpha.armored])).get(alpha.armored)?.details).toBeUndefined();
  });

  it('returns the expiry and the revocation of a key, and none for a key without a valid signature', async () => {
    const { expiring, revoked, unsigned } = openpgpKeyStates;
    const read = await reader.read([expiring.armored, revoked.armored, unsigned.armored], 'details');
    const detailsOf = ({ armored }: { armored: string }): unknown => read.get(armored)?.details;
    expect(detailsOf(expiring)).toMatchObject([{ expiresAt: Date.UTC(2026, 6, 1), isRevoked: false }]);
    expect(detailsOf(revoked)).toMatchObject([{ isRevoked: true }]);
    expect(detailsOf(unsigned)).toMatchObject([{ expiresAt: 'unknown' }]);
  });

  it('returns the packets of each key with its details, where that is requested', async () => {
    const text = `${alpha.armored}\n${beta.armored}`;
    const details = (await reader.readPackets([text, 'on request']))?.get(text)?.details ?? [];
    const fingerprints = await Promise.all(
      details.map(async ({ packets = new Uint8Array() }) => (await readKey({ binaryKey: packets })).getFingerprint()),
    );
    expect(fingerprints.map((one) => one.toUpperCase())).toEqual([alpha.fingerprint, beta.fingerprint]);
  });

  it('names secret keys and versions, and leaves packets out that a key of version 4 does not have', async () => {
    const userIDs = [{ name: 'A team' }];
    const [secret, later] = [
      await generateKey({ userIDs, format: 'object' }),
      await generateKey({ userIDs, format: 'object', config: { v6Keys: true } }),
    ];
    const laterPackets = later.publicKey.toPacketList().slice(1);
    const mixed = Buffer.concat([(await readPublicKey(alpha.armored)).write(), writePackets(laterPackets)]);
    const texts = [secret.privateKey.write(), later.publicKey.write(), mixed].map((bytes) =>
      armorPackets(enums.armor.publicKey, bytes),
    );
    const read = await reader.readPackets(texts);
    const details = texts.map((text) => read?.get(text)?.details?.[0]);
    expect(details).toMatchObject([
      { version: 4, isSecret: true },
      { version: 6, isSecret: false },
      { version: 4, isSecret: false },
    ]);
    const [, , { packets = new Uint8Array() } = {}] = details;
    expect((await readKey({ binaryKey: packets })).toPacketList().map(versionOf)).not.toContain(6);
    expect((await readKey({ binaryKey: mixed })).toPacketList().map(versionOf)).toContain(6);
  });

  it.each([
    ['of version 3', VERSION_3],
    ['with truncated data', alpha.armored.replace(/\n(?:.+\n){6}=/, '\n=')],
    ['that is not OpenPGP', armor(Buffer.from('a sample, no key'))],
    ['that is not armored', 'on request'],
    ['that is empty', ''],
    ['of a megabyte', armor(Buffer.alloc(2 ** 20, 'key'))],
  ])('returns nothing for a key %s', async (_title, text) => {
    expect(await reader.read([text, beta.armored])).toEqual(
      new Map([[beta.armored, { primary: [beta.fingerprint], subkeys: beta.subkeys, readBlocks: 1 }]]),
    );
  });
});

describe('worker thread of the key reader', () => {
  const open: KeyReader[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  /** Returns the number of texts of the call as the fingerprint of each text. */
  const COUNTS = 'export default ({ texts }) => texts.map(() => ({ primary: [String(texts.length)], subkeys: [] }));';

  it('receives each text once', async () => {
    const reader = keyReader({ module: moduleFromCode(COUNTS) });
    open.push(reader);
    expect((await reader.read(['a', 'b', 'a'])).get('a')?.primary).toEqual(['2']);
    const again = await reader.read(['b', 'a', 'c']);
    expect(['a', 'b', 'c'].map((text) => again.get(text)?.primary)).toEqual([['2'], ['2'], ['1']]);
  });

  it('receives each text once for packets, also from callers at once', async () => {
    const reader = keyReader({ module: moduleFromCode(COUNTS) });
    open.push(reader);
    const texts = Array.from({ length: 100 }, (_, at) => `${at}`);
    const all = await Promise.all([reader.readPackets(texts), reader.readPackets([...texts, 'new'])]);
    expect(all.map((read) => read?.get('99')?.primary)).toEqual([['36'], ['36']]);
    expect(all[1]?.get('new')?.primary).toEqual(['1']);
  });

  it('receives many texts in parts', async () => {
    const reader = keyReader({ module: moduleFromCode(COUNTS) });
    open.push(reader);
    const texts = Array.from({ length: 100 }, (_, at) => `${at}`);
    const read = await reader.read(texts);
    expect([read.size, read.get('0')?.primary, read.get('99')?.primary]).toEqual([100, ['64'], ['36']]);
  });

  it.each([
    ['that cannot start', new URL('file:///nowhere/thread.js')],
    ['that throws', moduleFromCode("export default () => { throw new Error('broken'); };")],
  ])('%s leaves keys unknown, is reported once, and is not restarted at once', async (_title, module) => {
    const errors: string[] = [];
    const reader = keyReader({ module, onError: ({ message }) => errors.push(message) });
    open.push(reader);
    expect(await reader.read([alpha.armored])).toEqual(new Map());
    expect(await reader.read([alpha.armored, beta.armored])).toEqual(new Map());
    expect(await reader.readPackets([alpha.armored])).toBeUndefined();
    expect(errors).toHaveLength(1);
  });
});
