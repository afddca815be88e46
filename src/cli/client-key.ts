import { MAX_BEARER_TOKEN_LENGTH, isBearerToken } from '../access/bearer-credential.js';
import { generateClientKey, hashClientKey } from '../access/client-keys.js';

/** Prints a new client key and its `key-sha256` (operation 1.8). Returns the exit code. */
export function printNewKey(): number {
  const key = generateClientKey();
  process.stdout.write(`key: ${key}\nkey-sha256: ${hashClientKey(key)}\n`);
  return 0;
}

/**
 * Reads a client key and prints its `key-sha256` (operation 1.9). One newline at the end of the input is not part of
 * the key. Returns the exit code.
 */
export async function printKeyHash(input: AsyncIterable<Uint8Array | string>): Promise<number> {
  const key = (await readStart(input)).replace(/\r?\n$/, '');
  const error = findKeyError(key);
  if (error !== undefined) {
    process.stderr.write(`rollcall: ${error}\n`);
    return 1;
  }
  process.stdout.write(`key-sha256: ${hashClientKey(key)}\n`);
  return 0;
}

/** Undefined: a client could send the key. The message does not contain it. */
function findKeyError(key: string): string | undefined {
  if (key === '') return 'there is no key on standard input';
  if (key.length > MAX_BEARER_TOKEN_LENGTH) return `the key is longer than ${MAX_BEARER_TOKEN_LENGTH} characters`;
  return isBearerToken(key)
    ? undefined
    : 'the key may have only the characters A-Z a-z 0-9 - . _ ~ + / and = at its end';
}

/** Reads little more than the longest key. Every byte but ASCII becomes a character too. */
async function readStart(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1');
    if (text.length > MAX_BEARER_TOKEN_LENGTH + '\r\n'.length) break;
  }
  return text;
}
