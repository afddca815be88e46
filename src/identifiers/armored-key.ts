import { createHash } from 'node:crypto';
import { PUBLIC_KEY_BEGIN } from '../text/repair-pgp-armor.js';

/** In characters of Base64: the largest primary key, of RSA with 16,384 bits. */
const MAX_KEY_LENGTH = 4_000;

/** Headers before the data, without their line ends. */
const MAX_HEADERS_LENGTH = 400;

/**
 * Fingerprint of the first public key of a text, in capitals: in ASCII armour, with or without line ends, and as long as
 * its primary key is complete. Signatures are not checked. Undefined for any other text.
 */
export function readArmoredFingerprint(text: string): string | undefined {
  const begin = text.indexOf(PUBLIC_KEY_BEGIN);
  if (begin < 0) return undefined;
  const from = begin + PUBLIC_KEY_BEGIN.length;
  const data = text.slice(from, from + 2 * MAX_KEY_LENGTH).replace(/\s+/g, '');
  for (const { index } of data.slice(0, MAX_HEADERS_LENGTH).matchAll(PACKET_START)) {
    const [base64 = ''] = /^[a-z\d+/]+/i.exec(data.slice(index, index + MAX_KEY_LENGTH)) ?? [];
    const body = readPublicKeyPacket(Buffer.from(base64, 'base64'));
    if (body !== undefined) return computeFingerprint(body);
  }
  return undefined;
}

/** Base64 of the first octet of a public key, in the legacy and in the present format. */
const PACKET_START = /[mx]/g;

const PUBLIC_KEY_TAG = 6;

/** Body of the packet at the beginning (RFC 9580, sections 4.2 and 5.5.1.1). */
function readPublicKeyPacket(bytes: Buffer): Buffer | undefined {
  const [head = 0, first = 0, second = 0] = bytes;
  const isPresent = (head & 0x40) !== 0;
  if ((isPresent ? head & 0x3f : (head >> 2) & 0x0f) !== PUBLIC_KEY_TAG) return undefined;
  const octets = isPresent ? (first < 192 ? 1 : first < 224 ? 2 : 5) : 2 ** (head & 3);
  if (bytes.length < 1 + octets || octets > 5) return undefined;
  const length =
    isPresent && octets === 2
      ? ((first - 192) << 8) + second + 192
      : octets === 5
        ? bytes.readUInt32BE(2)
        : bytes.readUIntBE(1, octets);
  const body = bytes.subarray(1 + octets, 1 + octets + length);
  return body.length === length && VERSIONS.has(body[0] ?? 0) ? body : undefined;
}

const VERSIONS: ReadonlySet<number> = new Set([4, 6]);

/** RFC 9580, section 5.5.4. */
function computeFingerprint(body: Buffer): string {
  const isVersion6 = body[0] === 6;
  const head = Buffer.alloc(isVersion6 ? 5 : 3);
  head.writeUInt8(isVersion6 ? 0x9b : 0x99);
  head.writeUIntBE(body.length, 1, head.length - 1);
  return createHash(isVersion6 ? 'sha256' : 'sha1')
    .update(head)
    .update(body)
    .digest('hex')
    .toUpperCase();
}
