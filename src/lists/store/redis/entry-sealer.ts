import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const PLAIN = 1;

/** Then follow the nonce, the tag and the encrypted content. */
const SEALED = 2;

const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** At `check` and at the start. */
export const MISSING_KEY_WARNING =
  'cache.redis without cache.redis-key: every program that can write to Redis can replace the records of sources and the keys of teams';

/** Content of the shared memory that no instance with the same `cache.redis-key` wrote for this purpose. */
export class ForgedEntryError extends Error {
  override readonly name = 'ForgedEntryError';
}

/**
 * Keeps a program that can write in the shared memory from planting content. Without a key, content is stored as it is.
 */
export class EntrySealer {
  private readonly contentKey: Buffer | undefined;
  private readonly nameKey: Buffer | undefined;

  /** @param secret `cache.redis-key` */
  constructor(secret: string | undefined) {
    this.contentKey = secret === undefined ? undefined : deriveKey(secret, 'content');
    this.nameKey = secret === undefined ? undefined : deriveKey(secret, 'names');
  }

  get isSealing(): boolean {
    return this.contentKey !== undefined;
  }

  /** @param purpose name of the entry, kind and position: stored content cannot take the place of other content. */
  seal(purpose: string, content: Buffer): Buffer {
    if (this.contentKey === undefined) return Buffer.concat([Buffer.of(PLAIN), content]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.contentKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(purpose));
    const encrypted = [cipher.update(content), cipher.final()];
    return Buffer.concat([Buffer.of(SEALED), nonce, cipher.getAuthTag(), ...encrypted]);
  }

  /** Throws a {@link ForgedEntryError} where the content is not what was sealed for this purpose. */
  open(purpose: string, sealed: Buffer): Buffer {
    const form = sealed[0];
    if (form !== PLAIN && form !== SEALED) throw new ForgedEntryError('the content has an unknown form');
    if (this.contentKey === undefined) {
      if (form === PLAIN) return sealed.subarray(1);
      throw new ForgedEntryError('the content was written with a cache.redis-key, which is not configured here');
    }
    if (form === PLAIN) throw new ForgedEntryError('the content was written without the cache.redis-key');
    if (sealed.length < HEADER_BYTES) throw new ForgedEntryError('the content is incomplete');
    return decrypt(this.contentKey, purpose, sealed);
  }

  /** 43 characters of base64url from which the text cannot be recovered, with a key not by guessing either. */
  hashName(text: string): string {
    const hash = this.nameKey === undefined ? createHash('sha256') : createHmac('sha256', this.nameKey);
    return hash.update(text).digest('base64url');
  }
}

function decrypt(key: Buffer, purpose: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  const content = decipher.update(sealed.subarray(HEADER_BYTES));
  try {
    return Buffer.concat([content, decipher.final()]);
  } catch (error) {
    const message = 'the content was altered, moved, or written with another cache.redis-key';
    throw new ForgedEntryError(message, { cause: error });
  }
}

/** HKDF (RFC 5869) with SHA-256: a key for each use, so that none says anything about another. */
function deriveKey(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `rollcall shared memory 1: ${use}`, KEY_BYTES));
}
