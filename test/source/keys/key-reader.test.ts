import { PacketList, armor as armorPackets, enums, generateKey, readKey } from 'openpgp';
import type { AnyPacket, Key } from 'openpgp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openpgpKeys, openpgpKeyStates } from '../../support/openpgp-keys.js';
import { moduleFromCode } from '../../support/gateway/threads/worker-modules.js';
import type { KeyFacts } from '../../../src/source/keys/key-reader-thread.js';
import type { KeyReader } from '../../../src/source/keys/key-reader.js';
import { PUBLIC_KEY_BEGIN } from '../../../src/text/repair-pgp-armor.js';
import type { Publish } from '../../../src/events/event.js';

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

/** Reads texts of one source with their packets. No text is late. */
async function readPackets(
  reader: KeyReader,
  texts: readonly string[],
): Promise<ReadonlyMap<string, KeyFacts> | undefined> {
  const read = await reader.readPackets(texts.map((text) => ({ text, source: 'one' })));
  return read && new Map([...read].flatMap(([text, facts]) => (facts === 'late' ? [] : [[text, facts] as const])));
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
    const read = (await reader.read([alpha.armored], { depth: 'details' })).get(alpha.armored);
    expect(read?.details).toEqual([{ ...facts, emails: ['alpha@example.org'], subkeys: alpha.subkeys }]);
    expect((await reader.read([alpha.armored])).get(alpha.armored)?.details).toBeUndefined();
  });

  it('returns the expiry and the revocation of a key, and none for a key without a valid signature', async () => {
    const { expiring, revoked, unsigned } = openpgpKeyStates;
    const read = await reader.read([expiring.armored, revoked.armored, unsigned.armored], { depth: 'details' });
    const detailsOf = ({ armored }: { armored: string }): unknown => read.get(armored)?.details;
    expect(detailsOf(expiring)).toMatchObject([{ expiresAt: Date.UTC(2026, 6, 1), isRevoked: false }]);
    expect(detailsOf(revoked)).toMatchObject([{ isRevoked: true }]);
    expect(detailsOf(unsigned)).toMatchObject([{ expiresAt: 'unknown' }]);
  });

  it('returns the packets of each key with its details, where that is requested', async () => {
    const text = `${alpha.armored}\n${beta.armored}`;
    const details = (await readPackets(reader, [text, 'on request']))?.get(text)?.details ?? [];
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
    const read = await readPackets(reader, texts);
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
  const opened: KeyReader[] = [];
  const open = (reader: KeyReader): KeyReader => {
    opened.push(reader);
    return reader;
  };
  afterEach(() => {
    for (const one of opened.splice(0)) one.close();
  });

  /** Returns the number of the call as the fingerprint of each text. */
  const COUNTS = 'let calls = 0; export default () => ({ primary: [String(calls++)], subkeys: [] });';

  it('receives each text once', async () => {
    const reader = open(keyReader({ module: moduleFromCode(COUNTS) }));
    expect((await reader.read(['a', 'b', 'a'])).get('b')?.primary).toEqual(['1']);
    const again = await reader.read(['b', 'a', 'c']);
    expect(['a', 'b', 'c'].map((text) => again.get(text)?.primary)).toEqual([['0'], ['1'], ['2']]);
  });

  it('receives each text once for packets, also from callers at once', async () => {
    const reader = open(keyReader({ module: moduleFromCode(COUNTS) }));
    const all = await Promise.all([readPackets(reader, ['a', 'b']), readPackets(reader, ['a', 'b', 'c'])]);
    expect(all.map((read) => read?.get('b')?.primary)).toEqual([['1'], ['1']]);
    expect(all[1]?.get('c')?.primary).toEqual(['2']);
  });

  it('receives a text of each source in turn, and next one of the source whose texts have taken less time', async () => {
    const reader = open(
      keyReader({
        module: moduleFromCode(
          `let calls = 0;
          export default () => new Promise((resolve) => setTimeout(resolve, 20, { primary: [String(calls++)], subkeys: [] }));`,
        ),
      }),
    );
    const [, other] = await Promise.all([
      reader.read(['a', 'b', 'c', 'd'], { source: 'slow' }),
      reader.read(['z'], { source: 'other' }),
    ]);
    expect(other.get('z')?.primary).toEqual(['1']);
  });

  /** Never returns for a text that contains `endless`. */
  const ENDLESS = `export default ({ text }) => {
    while (text.includes('endless'));
    return { primary: [text], subkeys: [], readBlocks: 1 };
  };`;

  it('leaves out alone a text that takes too long, and does not receive it again at once', async () => {
    const errors: string[] = [];
    const publish: Publish = (event) => errors.push('error' in event ? String(event.error) : event.type);
    const reader = open(keyReader({ module: moduleFromCode(ENDLESS), timeout: 3_000, publish }));
    const endless = `${PUBLIC_KEY_BEGIN} endless`;
    for (const more of ['a', 'b']) {
      const read = await readPackets(reader, [endless, more]);
      expect([read?.get(endless)?.slowBlocks, read?.get(more)?.primary]).toEqual([1, [more]]);
    }
    expect(errors).toEqual([
      expect.stringMatching(/^a key of one is left out for ten minutes: .* longer than 3000 ms$/),
    ]);
  });

  it('is not waited for longer than the patience of a response lasts', async () => {
    const reader = open(keyReader({ module: moduleFromCode(ENDLESS), patience: 50 }));
    const texts = ['endless', 'a'].map((text) => ({ text, source: 'one' }));
    expect(await reader.readPackets(texts)).toEqual(new Map(texts.map(({ text }) => [text, 'late'])));
  });

  it.each([
    ['that cannot start', new URL('file:///nowhere/thread.js')],
    ['that throws', moduleFromCode("export default () => { throw new Error('broken'); };")],
  ])('%s leaves keys unknown, is reported once, and is not restarted at once', async (_title, module) => {
    const errors: unknown[] = [];
    const reader = open(keyReader({ module, publish: (event) => errors.push(event) }));
    expect(await reader.read([alpha.armored])).toEqual(new Map());
    expect(await reader.read([alpha.armored, beta.armored])).toEqual(new Map());
    expect(await readPackets(reader, [alpha.armored])).toBeUndefined();
    expect(errors).toHaveLength(1);
  });
});
