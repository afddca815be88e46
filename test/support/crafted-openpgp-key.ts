import { createHash } from 'node:crypto';
import { armor, enums } from 'openpgp';

/** A key of DSA (RFC 9580, section 5.5.5.2) that is made to be verified slowly. */
export interface CraftedKey {
  /** Bits of its numbers `p` and `q`. Each is the power of two less one. */
  readonly p: number;
  readonly q: number;
  /** Number of signatures on its user id. None is valid, but each has the right beginning of the digest. */
  readonly signatures: number;
}

const SHA256 = 8;
const DSA = 17;
const CREATED = [0x68, 0, 0, 0];

/** Returns the key in armor. */
export function craftKey({ p, q, signatures }: CraftedKey): string {
  const ones = (bits: number): Buffer => Buffer.alloc(bits / 8, 0xff);
  const numbers = [ones(p), ones(q), ones(p - 8), ones(p - 8)].map(writeNumber);
  const key = Buffer.concat([Buffer.from([4, ...CREATED, DSA]), ...numbers]);
  const userId = Buffer.from('A team <team@example.org>');
  // `s` is invertible modulo `q`, because it is a power of two.
  const values = [ones(q - 8), Buffer.concat([Buffer.from([0x40]), Buffer.alloc(q / 8 - 1)])].map(writeNumber);
  const signed = Array.from({ length: signatures }, (_, at) => writeSignature({ key, userId, values, at }));
  const packets = [writePacket(6, key), writePacket(13, userId), ...signed.map((one) => writePacket(2, one))];
  return armor(enums.armor.publicKey, Buffer.concat(packets));
}

interface SignatureParts {
  readonly key: Buffer;
  readonly userId: Buffer;
  readonly values: readonly Buffer[];
  /** Seconds by which it is later than the first one. */
  readonly at: number;
}

/** A certification of a user id by the key itself (RFC 9580, sections 5.2.3 and 5.2.4). */
function writeSignature({ key, userId, values, at }: SignatureParts): Buffer {
  const keyData = Buffer.concat([Buffer.from([0x99]), writeLength(key.length, 2), key]);
  const keyId = createHash('sha1').update(keyData).digest().subarray(12);
  const subpackets = Buffer.concat([Buffer.from([5, 2, 0x68, 0, at >> 8, at & 0xff, 9, 16]), keyId]);
  const head = Buffer.concat([Buffer.from([4, 0x13, DSA, SHA256]), writeLength(subpackets.length, 2), subpackets]);
  const user = Buffer.concat([Buffer.from([0xb4]), writeLength(userId.length, 4), userId]);
  const trailer = Buffer.concat([Buffer.from([4, 0xff]), writeLength(head.length, 4)]);
  const digest = createHash('sha256')
    .update(Buffer.concat([keyData, user, head, trailer]))
    .digest();
  return Buffer.concat([head, Buffer.from([0, 0]), digest.subarray(0, 2), ...values]);
}

/** A multiprecision integer (RFC 9580, section 3.2). */
function writeNumber(bytes: Buffer): Buffer {
  const bits = bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24;
  return Buffer.concat([writeLength(bits, 2), bytes]);
}

function writePacket(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), writeLength(body.length, 4), body]);
}

function writeLength(length: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(length, 0, size);
  return bytes;
}
