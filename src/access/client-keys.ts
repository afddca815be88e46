import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientKeyConfig } from '../config/config.js';
import type { Clock } from '../model/clock.js';
import type { Client } from './authenticated-client.js';

type ClientKeyResult =
  | { readonly state: 'found'; readonly client: Client }
  | { readonly state: 'unknown' }
  | { readonly state: 'expired'; readonly name: string };

/** Static keys (operation 2.6.2). */
interface ClientKeys {
  /** A key is expired from the time in its `expires` on. */
  find(key: string): ClientKeyResult;
}

/**
 * A search takes a time that depends only on the number of configured keys and the length of the key (decisions 8.1).
 */
export function createClientKeys(configs: readonly ClientKeyConfig[], clock: Clock): ClientKeys {
  const entries = configs.map((config) => ({ config, hash: Buffer.from(config.keySha256, 'hex') }));
  return {
    find: (key) => {
      const hash = sha256(key);
      // `filter` compares every hash; the first match ends nothing.
      const matches = entries.filter((entry) => timingSafeEqual(entry.hash, hash)).map(({ config }) => config);
      const now = clock.now();
      const valid = matches.find(({ expires }) => expires === undefined || now < expires);
      const [first] = matches;
      if (first === undefined) return { state: 'unknown' };
      if (valid === undefined) return { state: 'expired', name: first.name };
      const { name, access, rate } = valid;
      return { state: 'found', client: { name, credential: 'key', access, rate } };
    },
  };
}

/** Scanners for leaked secrets recognise it. */
const KEY_PREFIX = 'rck_';

/** 256 bits, as many as the hash of a key has. */
const KEY_BYTES = 32;

/** `rck_` and 43 characters of base64url (operation 1.8), without a dot: never taken for a token of the issuer. */
export function generateClientKey(): string {
  return `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** SHA-256, hexadecimal in lower case. */
export function hashClientKey(key: string): string {
  return sha256(key).toString('hex');
}

function sha256(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
