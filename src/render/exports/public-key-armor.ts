import { MAX_KEY_TEXT_LENGTH, findPublicKeyBlocks, isPgpArmor } from '../../text/repair-pgp-armor.js';
import { armorPublicKeys } from './ascii-armor.js';

/**
 * New armor, a block for each block of the text, without anything else that it contains; undefined if there is no
 * public key, or if it cannot be proved that none of the keys is secret (decisions 3.16). A source may publish its
 * secret key by mistake, also as a public one. OpenPGP programs refuse some armor that can be read: with another
 * checksum, or with further white space.
 */
export function extractPublicKeys(text: string): string | undefined {
  const blocks = text.length > MAX_KEY_TEXT_LENGTH ? [] : findPublicKeyBlocks(text);
  const keys = blocks.flatMap((block) => readPublicPackets(block) ?? []);
  if (keys.length === 0 || keys.length < blocks.length) return undefined;
  return keys.map((packets) => [...armorPublicKeys([packets])].join('')).join('');
}

/** Undefined if the armor cannot be read, or a packet is not part of a public key. */
function readPublicPackets(block: string): Buffer | undefined {
  if (!isPgpArmor(block)) return undefined;
  const lines = block.split('\n').map((line) => line.trimEnd());
  // The data is between the empty line and the last one; a line that begins with `=` is the checksum.
  const data = lines.slice(lines.indexOf('') + 1, -1).filter((line) => !line.startsWith('='));
  if (!/^[^=]+={0,2}$/.test(data.join(''))) return undefined;
  const packets = Buffer.from(data.join(''), 'base64');
  return consistsOfPublicPackets(packets) ? packets : undefined;
}

/** Signature, key, user id, subkey, user attribute; marker, trust and padding. */
const PUBLIC_PACKETS: ReadonlySet<number> = new Set([2, 6, 13, 14, 17, 10, 12, 21]);

/** The bytes are whole packets (RFC 9580, section 4.2) of public keys. */
function consistsOfPublicPackets(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    const header = readPacketHeader(bytes, at);
    if (header === undefined || !PUBLIC_PACKETS.has(header.type)) return false;
    at = header.end;
  }
  return at === bytes.length;
}

/** `end` is after the packet. Undefined if the header is damaged, or has a length that no key has. */
function readPacketHeader(bytes: Buffer, at: number): { readonly type: number; readonly end: number } | undefined {
  const tag = bytes[at] ?? 0;
  if (tag < 0x80) return undefined;
  const isLegacy = tag < 0xc0;
  const size = isLegacy ? LEGACY_LENGTH_SIZES[tag & 0x3] : findLengthSize(bytes[at + 1] ?? 0);
  const from = at + (isLegacy ? 1 : size === 4 ? 2 : 1);
  if (size === undefined || from + size > bytes.length) return undefined;
  const number = bytes.readUIntBE(from, size);
  const length = !isLegacy && size === 2 ? number - TWO_OCTET_BIAS : number;
  return { type: isLegacy ? (tag & 0x3f) >> 2 : tag & 0x3f, end: from + size + length };
}

/** Bytes of a length by the last bits of a legacy header (RFC 9580, section 4.2.2). */
const LEGACY_LENGTH_SIZES: readonly (number | undefined)[] = [1, 2, 4];

/** Lengths of two bytes begin with 192, and count from 192 (RFC 9580, section 4.2.1.2). */
const TWO_OCTET_BIAS = (192 << 8) - 192;

/** By the first byte; 4 follow 255 (RFC 9580, section 4.2.1). A partial length is not for keys. */
function findLengthSize(first: number): number | undefined {
  if (first < 192) return 1;
  if (first < 224) return 2;
  return first === 255 ? 4 : undefined;
}
