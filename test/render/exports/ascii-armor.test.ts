import { armor, enums, readKey } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { armorPublicKeys } from '../../../src/render/exports/ascii-armor.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';

const keys = await Promise.all(openpgpKeys.map(({ armored }) => readKey({ armoredKey: armored })));
const packets = keys.map((key) => key.write());

/** The block with its data in one line, without the empty line and the last line end. */
function joinData(block: string): string {
  return block
    .trim()
    .replaceAll('\r', '')
    .replace(/(?<=[A-Za-z\d+/])\n(?=[A-Za-z\d+/])/g, '');
}

describe('the armor of public keys', () => {
  it.each([1, 2, packets.length])('is that of openpgp, with the checksum, for the packets of %i keys', (count) => {
    const some = packets.slice(0, count);
    const expected = armor(enums.armor.publicKey, Buffer.concat(some), undefined, undefined, undefined, true);
    expect(joinData([...armorPublicKeys(some)].join(''))).toBe(joinData(expected));
  });

  it('has lines of at most 64 characters', () => {
    const lines = [...armorPublicKeys(packets)].join('').split('\n');
    expect(Math.max(...lines.slice(2).map(({ length }) => length))).toBe(64);
  });
});
