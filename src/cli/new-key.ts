import { generateClientKey, hashClientKey } from '../access/client-keys.js';

/** Prints a new client key and its `key-sha256` (operation 1.8). Returns the exit code. */
export function printNewKey(): number {
  const key = generateClientKey();
  process.stdout.write(`key: ${key}\nkey-sha256: ${hashClientKey(key)}\n`);
  return 0;
}
