import { MAX_BEARER_TOKEN_LENGTH, isBearerToken } from '../access/bearer-credential.js';
import { hashClientKey } from '../access/client-keys.js';

/**
 * `rollcall hash-key` (operation 1.9): reads a client key and prints its `key-sha256`. One newline at the end of the
 * input is not part of the key. Returns the exit code.
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

/** Says why no client could send a key; undefined: it could. The message does not contain the key. */
function findKeyError(key: string): string | undefined {
  if (key === '') return 'there is no key on standard input';
  if (key.length > MAX_BEARER_TOKEN_LENGTH) return `the key is longer than ${MAX_BEARER_TOKEN_LENGTH} characters`;
  return isBearerToken(key)
    ? undefined
    : 'the key may have only the characters A-Z a-z 0-9 - . _ ~ + / and = at its end';
}

/** Reads the input, but not much more than the longest key. Every other byte than ASCII becomes a character too. */
async function readStart(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('latin1');
    if (text.length > MAX_BEARER_TOKEN_LENGTH + '\r\n'.length) break;
  }
  return text;
}
