import { PUBLIC_KEY_BEGIN, PUBLIC_KEY_END } from '../../text/repair-pgp-armor.js';

/** Bytes of a line of data: 64 characters. */
const BYTES_PER_LINE = 48;

/** One armored block with checksum, in pieces (RFC 9580, section 6.2). */
export function* armorPublicKeys(packets: readonly Uint8Array[]): Generator<string, void, undefined> {
  yield `${PUBLIC_KEY_BEGIN}\n\n`;
  let rest = new Uint8Array();
  let crc = CRC24_INIT;
  for (const some of packets) {
    crc = updateCrc24(crc, some);
    const bytes = Buffer.concat([rest, some]);
    const end = bytes.length - (bytes.length % BYTES_PER_LINE);
    yield formatLines(bytes.subarray(0, end));
    rest = bytes.subarray(end);
  }
  yield formatLines(rest);
  yield `=${Buffer.from([crc >> 16, (crc >> 8) & 0xff, crc & 0xff]).toString('base64')}\n`;
  yield `${PUBLIC_KEY_END}\n`;
}

function formatLines(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('base64')
    .replace(/.{1,64}/g, '$&\n');
}

const CRC24_INIT = 0xb704ce;
const CRC24_POLYNOMIAL = 0x1864cfb;

/** The checksum of OpenPGP by the top byte of the state. */
const CRC24_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 16;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x800000 ? (crc << 1) ^ CRC24_POLYNOMIAL : crc << 1;
  return crc & 0xffffff;
});

function updateCrc24(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (const byte of bytes) crc = ((crc << 8) & 0xffffff) ^ (CRC24_TABLE[((crc >> 16) ^ byte) & 0xff] ?? 0);
  return crc;
}
