import {
  PacketList,
  PublicSubkeyPacket,
  SignaturePacket,
  UnparseablePacket,
  enums,
  readKeys as parseKeys,
} from 'openpgp';
import type { AnyPacket, Key } from 'openpgp';
import { findPublicKeyBlocks } from '../../text/repair-pgp-armor.js';

/** Hexadecimal, in capitals, of one armored text. */
export interface KeyFingerprints {
  /** In the order of the text. */
  readonly primary: readonly string[];
  readonly subkeys: readonly string[];
  /** Armored public keys from which keys were read. The others are damaged, too old or too new. */
  readonly readBlocks: number;
  /** Armored public keys that take too long to check, not among the keys. Absent: none. */
  readonly slowBlocks?: number;
}

export interface KeyFacts extends KeyFingerprints {
  /** Of the primary keys, in the order of the text. Absent unless requested. */
  readonly details?: readonly KeyDetails[];
}

/** As far as a key's signatures are valid. Times are in milliseconds since 1970. */
export interface KeyDetails {
  /** Of its packet: 4, or 6 (RFC 9580, section 5.5.2). */
  readonly version: number;
  /** The text contains the secret key. */
  readonly isSecret: boolean;
  readonly createdAt: number;
  /** `unknown`: no valid signature states whether the key expires. */
  readonly expiresAt: number | 'never' | 'unknown';
  readonly isRevoked: boolean;
  readonly emails: readonly string[];
  readonly subkeys: readonly string[];
  /** Of version 4 and below, in binary form. Absent unless requested. */
  readonly packets?: Uint8Array;
}

/** Details take as long again as fingerprints, because signatures are verified; `packets` includes details. */
export type KeyReadDepth = 'fingerprints' | 'details' | 'packets';

export interface KeyReadRequest {
  readonly text: string;
  readonly depth: KeyReadDepth;
}

/** Of packets that all programs read. */
const MAX_VERSION = 4;

/** Entry point of `KeyReader`'s worker thread. Null if no block can be read: no key, damaged, too old or too new. */
export default function readKeyText({ text, depth }: KeyReadRequest): Promise<KeyFacts | null> {
  return readFacts(text, depth).catch(() => null);
}

async function readFacts(text: string, depth: KeyReadDepth): Promise<KeyFacts | null> {
  const blocks = findPublicKeyBlocks(text);
  const parsed = await Promise.all(blocks.map((armoredKeys) => parseKeys({ armoredKeys }).catch(() => [])));
  const readable = parsed.filter(({ length }) => length > 0);
  if (readable.length === 0) return null;
  const checked = depth === 'fingerprints' ? readable : takeQuickBlocks(readable);
  const keys = checked.flat();
  const slowBlocks = readable.length - checked.length;
  return {
    readBlocks: checked.length,
    ...(slowBlocks > 0 && { slowBlocks }),
    primary: keys.map((key) => key.getFingerprint().toUpperCase()),
    subkeys: keys.flatMap(listSubkeys),
    ...(depth !== 'fingerprints' && { details: await Promise.all(keys.map((key) => readDetails(key, depth))) }),
  };
}

/**
 * Bits in a primary key (decisions 4.24): modulus `n` and exponent `e` of RSA, `p` and `q` of DSA. A signature with
 * 16,384 bits of `p` and `q` takes 5 s; within these limits about 20 ms.
 */
const MAX_BITS: Readonly<Record<string, number>> = { n: 16_384, e: 64, p: 4_096, q: 512 };

/** Verified for one text, of RSA keys up to 4,096 bits and Ed25519 keys. */
const MAX_SIGNATURES = 1_000;

/** For how many of these a signature of any other key counts, which takes up to 40 ms. */
const SLOW_FACTOR = 10;

/** Leaves out blocks with a key that takes too long to check, or too many signatures for the rest of the maximum. */
function takeQuickBlocks(blocks: readonly (readonly Key[])[]): readonly (readonly Key[])[] {
  let left = MAX_SIGNATURES;
  return blocks.filter((keys) => {
    const signatures = keys.reduce(
      (sum, key) => sum + countVerifiedSignatures(key) * (isQuick(key) ? 1 : SLOW_FACTOR),
      0,
    );
    if (signatures > left || !keys.every(hasBoundedNumbers)) return false;
    left -= signatures;
    return true;
  });
}

/** As `readDetails` verifies: those on the key itself, and its own ones on its user ids. */
function countVerifiedSignatures(key: Key): number {
  const ofUsers = key.users.map(
    ({ selfCertifications, revocationSignatures }) => selfCertifications.length + revocationSignatures.length,
  );
  const direct = key
    .toPacketList()
    .filter((one) => one instanceof SignaturePacket && one.signatureType === enums.signature.key);
  return ofUsers.reduce((sum, count) => sum + count, key.revocationSignatures.length + direct.length);
}

/** Of the longest RSA key that is verified in half a millisecond. */
const QUICK_RSA_BITS = 4_096;

function isQuick({ keyPacket }: Key): boolean {
  const { ed25519, eddsaLegacy } = enums.publicKey;
  const { n } = numbersOf(keyPacket.publicParams);
  return n === undefined ? [ed25519, eddsaLegacy].includes(keyPacket.algorithm) : countBits(n) <= QUICK_RSA_BITS;
}

function hasBoundedNumbers({ keyPacket }: Key): boolean {
  const numbers = numbersOf(keyPacket.publicParams);
  return Object.entries(MAX_BITS).every(([name, most]) => countBits(numbers[name]) <= most);
}

/** The library types them as an object. */
function numbersOf(parameters: object): Readonly<Record<string, unknown>> {
  return { ...parameters };
}

function countBits(number: unknown): number {
  return number instanceof Uint8Array ? number.length * 8 : 0;
}

function listSubkeys(key: Key): readonly string[] {
  return key.getSubkeys().map((subkey) => subkey.getFingerprint().toUpperCase());
}

async function readDetails(key: Key, depth: KeyReadDepth): Promise<KeyDetails> {
  return {
    version: key.keyPacket.version,
    isSecret: key.isPrivate(),
    createdAt: key.getCreationTime().getTime(),
    expiresAt: toExpiry(await key.getExpirationTime()),
    isRevoked: await key.isRevoked(),
    emails: key.users.flatMap(({ userID }) => userID?.email ?? []),
    subkeys: listSubkeys(key),
    ...(depth === 'packets' && { packets: writePackets(key) }),
  };
}

/** Without packets that are damaged or of a later version: GnuPG imports no key that follows such a packet. */
function writePackets(key: Key): Uint8Array {
  const packets = new PacketList<AnyPacket>();
  packets.push(...key.toPacketList().filter(isWidelyReadable));
  return packets.write();
}

function isWidelyReadable(packet: AnyPacket): boolean {
  const isVersioned = packet instanceof SignaturePacket || packet instanceof PublicSubkeyPacket;
  return !(packet instanceof UnparseablePacket) && !(isVersioned && packet.version > MAX_VERSION);
}

/** The library returns Infinity for never, and null where no signature is valid. */
function toExpiry(expiration: Awaited<ReturnType<Key['getExpirationTime']>>): KeyDetails['expiresAt'] {
  if (expiration === null) return 'unknown';
  return typeof expiration === 'number' ? 'never' : expiration.getTime();
}
