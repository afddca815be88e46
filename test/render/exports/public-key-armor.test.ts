import { armor, enums, generateKey, readKey } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { extractPublicKeys } from '../../../src/render/exports/public-key-armor.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

const [alpha, beta] = openpgpKeys.map(({ armored }) => armored.trim());
if (alpha === undefined || beta === undefined) throw new Error('no keys');

const { privateKey } = await generateKey({ userIDs: [{ name: 'A team' }], format: 'object' });

/** Packets in the armor of a public key. */
const asPublic = (packets: Uint8Array): string => armor(enums.armor.publicKey, packets);

const HEAD = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n';
const END = '\n-----END PGP PUBLIC KEY BLOCK-----';

/** The packets of an armored block in Base64. */
async function packetsOf(block: string): Promise<string> {
  return Buffer.from((await readKey({ armoredKey: block })).write()).toString('base64');
}

/** The block with this line as its checksum. */
function withChecksum(block: string, line: string): string {
  return block.replace(/(?:\n=[A-Za-z\d+/]{4})?\n-----END/, `\n${line}\n-----END`);
}

describe('the public keys of a text', () => {
  it.each([
    ['one key', alpha, [alpha]],
    ['two keys and the text around them', `Our keys:\n${alpha}\nor\n${beta}\nBye`, [alpha, beta]],
    ['CR LF', alpha.replaceAll('\n', '\r\n'), [alpha]],
    ['a secret key beside a public one', `${alpha}\n${privateKey.armor()}`, [alpha]],
    ['a wrong checksum', withChecksum(alpha, '=AAAA'), [alpha]],
    ['no-break spaces at the ends of lines', alpha.replaceAll('\n', '\u00a0\n'), [alpha]],
    ['headers', alpha.replace(HEAD, `${HEAD}Comment: of a team\nHash: SHA256\n`), [alpha]],
  ])('are written anew, with a block for each: %s', async (_title, text, blocks) => {
    const extracted = extractPublicKeys(text) ?? '';
    const found = extracted.split(END).slice(0, -1);
    for (const block of found)
      expect(block).toMatch(new RegExp(`^\\n?${HEAD}\\n(?:[A-Za-z\\d+/=]+\\n)+=[A-Za-z\\d+/]{4}$`));
    const packets = await Promise.all(found.map((block) => packetsOf(block.trimStart() + END)));
    expect(packets).toEqual(await Promise.all(blocks.map(packetsOf)));
  });

  it('have the right checksum in place of a wrong one', async () => {
    const key = await readKey({ armoredKey: alpha });
    const [checksum = ''] =
      /^=.{4}$/m.exec(armor(enums.armor.publicKey, key.write(), undefined, undefined, undefined, true)) ?? [];
    expect(checksum).not.toBe('');
    expect(extractPublicKeys(withChecksum(alpha, '=AAAA'))).toContain(`\n${checksum}${END}`);
  });

  it.each([
    ['a secret key', privateKey.armor()],
    ['a secret key in the armor of a public one', asPublic(privateKey.write())],
    ['a secret key in legacy packets', asPublic(Buffer.from([0x94, 1, 4]))],
    ['a public and a secret key, one of them in the wrong armor', `${alpha}\n${asPublic(privateKey.write())}`],
    ['a packet of partial length', asPublic(Buffer.from([0xc6, 0xe0, 4]))],
    [
      'a packet of partial length with as many bytes',
      asPublic(Buffer.concat([Buffer.from([0xc6, 0xe0]), Buffer.alloc(0xe0)])),
    ],
    [
      'a packet of partial length with as many bytes as a length of two bytes would state',
      asPublic(Buffer.concat([Buffer.from([0xc6, 0xe0, 0]), Buffer.alloc(0xe000 - 0xbf40)])),
    ],
    [
      'a packet of partial length with as many bytes as a length of four bytes would state',
      asPublic(Buffer.from([0xc6, 0xe1, 0, 0, 0, 1, 4])),
    ],
    ['a packet whose first bit is not set', asPublic(Buffer.from([0x58, 1, 4]))],
    ['a packet that is cut', asPublic(Buffer.from([0xc6, 5, 4]))],
    ['a message', asPublic(Buffer.from([0xcb, 1, 4]))],
    ['padding within the data', alpha.replace(/=\n/, '==\nlA==\n')],
    ['a block without an end', alpha.slice(0, -10)],
    ['another text', 'on request'],
    ['a text of more than 256 KiB', alpha + '\n'.repeat(256 * 1024)],
  ])('are none in %s', (_title, text) => {
    expect(extractPublicKeys(text)).toBeUndefined();
  });

  it('are those of a text whose last packet is empty', () => {
    const packets = Buffer.from([0xc6, 1, 4, 0xcc, 0]);
    expect(extractPublicKeys(asPublic(packets))).toContain(`\n\n${packets.toString('base64')}\n`);
  });

  it('are found in linear time where many begin and none ends', () => {
    expect(extractPublicKeys('-----BEGIN PGP PUBLIC KEY BLOCK-----'.repeat(100_000))).toBeUndefined();
  });
});
