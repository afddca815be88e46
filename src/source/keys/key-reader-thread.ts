import { PacketList, PublicSubkeyPacket, SignaturePacket, UnparseablePacket, readKeys as parseKeys } from 'openpgp';
import type { AnyPacket, Key } from 'openpgp';
import { findPublicKeyBlocks } from '../../text/repair-pgp-armor.js';

/** Fingerprints of the keys in an armored text: hexadecimal, in capitals. */
export interface KeyFingerprints {
  /** Of the primary keys, in the order of the text. */
  readonly primary: readonly string[];
  readonly subkeys: readonly string[];
  /** Number of armored public keys in the text from which keys were read. The others are damaged, too old or too new. */
  readonly readBlocks: number;
}

/** What is known of the keys in an armored text. */
export interface KeyFacts extends KeyFingerprints {
  /** Of the primary keys, in the order of the text. Absent where only the fingerprints were requested. */
  readonly details?: readonly KeyDetails[];
}

/** What one key says about itself, as far as its signatures are valid. Times are in milliseconds since 1970. */
export interface KeyDetails {
  /** Version of its packet: 4, or 6 (RFC 9580, section 5.5.2). */
  readonly version: number;
  /** Whether the text contains the secret key. */
  readonly isSecret: boolean;
  readonly createdAt: number;
  /** `unknown`: no valid signature of the key states whether it expires. */
  readonly expiresAt: number | 'never' | 'unknown';
  readonly isRevoked: boolean;
  /** E-mail addresses of its user ids. */
  readonly emails: readonly string[];
  /** Fingerprints of its subkeys. */
  readonly subkeys: readonly string[];
  /** Its packets of version 4 and below in binary form. Absent where they were not requested. */
  readonly packets?: Uint8Array;
}

/**
 * What the thread reads of each text: fingerprints only; details of each key, which take as long again, because signatures
 * are verified; or details and the packets.
 */
export type KeyReadDepth = 'fingerprints' | 'details' | 'packets';

/** The texts that the thread reads. */
export interface KeyReadRequest {
  readonly texts: readonly string[];
  readonly depth: KeyReadDepth;
}

/** The version of packets that all programs read. */
const MAX_VERSION = 4;

/**
 * Entry point of the worker thread of `KeyReader`. Reads each text; null if the library can read no block of it because
 * it is not a key, damaged, too old or too new.
 */
export default async function readKeyTexts({ texts, depth }: KeyReadRequest): Promise<readonly (KeyFacts | null)[]> {
  const facts: (KeyFacts | null)[] = [];
  for (const text of texts) facts.push(await readFacts(text, depth).catch(() => null));
  return facts;
}

async function readFacts(text: string, depth: KeyReadDepth): Promise<KeyFacts | null> {
  const blocks = findPublicKeyBlocks(text);
  const parsed = await Promise.all(blocks.map((armoredKeys) => parseKeys({ armoredKeys }).catch(() => [])));
  const keys = parsed.flat();
  if (keys.length === 0) return null;
  return {
    readBlocks: parsed.filter(({ length }) => length > 0).length,
    primary: keys.map((key) => key.getFingerprint().toUpperCase()),
    subkeys: keys.flatMap(listSubkeys),
    ...(depth !== 'fingerprints' && { details: await Promise.all(keys.map((key) => readDetails(key, depth))) }),
  };
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

/**
 * Writes the packets of a key, except those that are damaged or of a later version: GnuPG imports no key that follows such
 * a packet.
 */
function writePackets(key: Key): Uint8Array {
  const packets = new PacketList<AnyPacket>();
  packets.push(...key.toPacketList().filter(isWidelyReadable));
  return packets.write();
}

function isWidelyReadable(packet: AnyPacket): boolean {
  const isVersioned = packet instanceof SignaturePacket || packet instanceof PublicSubkeyPacket;
  return !(packet instanceof UnparseablePacket) && !(isVersioned && packet.version > MAX_VERSION);
}

/** The library returns Infinity for a key that never expires, and null where no signature is valid. */
function toExpiry(expiration: Awaited<ReturnType<Key['getExpirationTime']>>): KeyDetails['expiresAt'] {
  if (expiration === null) return 'unknown';
  return typeof expiration === 'number' ? 'never' : expiration.getTime();
}
