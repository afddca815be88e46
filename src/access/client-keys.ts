import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ClientKeyConfig } from '../config/config.js';
import type { Clock } from '../model/clock.js';
import type { Client } from './authenticated-client.js';

/** Result of searching the client of a key. */
export type ClientKeyResult =
  | { readonly state: 'found'; readonly client: Client }
  | { readonly state: 'unknown' }
  | { readonly state: 'expired'; readonly name: string };

/** The static keys of all clients (operation 2.6.2). */
export interface ClientKeys {
  /** Finds the client of a key. A key is expired from the time in its `expires` on. */
  find(key: string): ClientKeyResult;
}

/**
 * Creates the search for the keys of a configuration (decisions 8.1). The time that a search takes depends only on the
 * number of configured keys and on the length of the key.
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

/** Beginning of a generated key, by which scanners for leaked secrets recognise it. */
const KEY_PREFIX = 'rck_';

/** Random bytes of a generated key: 256 bits, as many as its hash has. */
const KEY_BYTES = 32;

/**
 * Generates a client key (operation 1.8): `rck_` and 43 characters of base64url. It has no dot, so it is never taken
 * for a token of the issuer.
 */
export function generateClientKey(): string {
  return `${KEY_PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** Returns the `key-sha256` of a client key: SHA-256, hexadecimal in lower case. */
export function hashClientKey(key: string): string {
  return sha256(key).toString('hex');
}

function sha256(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
