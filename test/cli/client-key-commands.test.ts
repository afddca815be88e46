import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hashClientKey } from '../../src/access/client-keys.js';
import { printKeyHash } from '../../src/cli/client-key.js';
import { main } from '../../src/cli/main.js';

const printed = { out: '', err: '' };

beforeEach(() => {
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => ((printed.out += String(line)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => ((printed.err += String(line)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** The chunks of an input, as a stream would return them. */
async function* input(...chunks: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

describe('new-key', () => {
  test('prints a key and its hash, exit code 0', async () => {
    expect(await main(['new-key'])).toBe(0);
    const [, key = '', hash] = /^key: (rck_\S{43})\nkey-sha256: (\S{64})\n$/.exec(printed.out) ?? [];
    expect(hash).toBe(hashClientKey(key));
    expect(printed.err).toBe('');
  });
});

describe('hash-key', () => {
  const hash = `key-sha256: ${hashClientKey('rck_abc==')}\n`;

  test.each([
    ['without a newline', ['rck_abc==']],
    ['with a newline', ['rck_abc==\n']],
    ['with a newline of Windows', ['rck_abc==\r\n']],
    ['in several chunks', [Buffer.from('rck_'), Buffer.from('abc=='), Buffer.from('\n')]],
  ])('prints the hash of a key %s, exit code 0', async (_, chunks) => {
    expect(await printKeyHash(input(...chunks))).toBe(0);
    expect(printed).toEqual({ out: hash, err: '' });
  });

  test.each([
    ['nothing', [], 'there is no key on standard input'],
    ['only a newline', ['\n'], 'there is no key on standard input'],
    ['two newlines', ['rck_abc\n\n'], 'the key may have only the characters'],
    ['two keys', ['rck_abc\nrck_def\n'], 'the key may have only the characters'],
    ['a space', [' rck_abc'], 'the key may have only the characters'],
    ['a letter outside ASCII', [Buffer.from('clé')], 'the key may have only the characters'],
    ['more than 16 KiB', ['a'.repeat(16_385)], 'the key is longer than 16384 characters'],
  ])('does not accept %s, exit code 1', async (_, chunks, error) => {
    expect(await printKeyHash(input(...chunks))).toBe(1);
    expect(printed.err).toMatch(new RegExp(`^rollcall: ${error}.*\n$`));
    expect(printed.err).not.toContain('rck_');
    expect(printed.out).toBe('');
  });

  test('stops reading an endless input', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield await Promise.resolve('a'.repeat(1000));
    }
    expect(await printKeyHash(endless())).toBe(1);
  });

  test('reads the standard input of the program', async () => {
    const child = spawn(process.execPath, ['dist/rollcall.js', 'hash-key'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.stdin.end('rck_abc==\n');
    expect(await text(child.stdout)).toBe(hash);
  });
});
