import { writeFile } from 'node:fs/promises';
import { createUndiciTransport } from '../../source/client/transport/http-transport.js';
import { withDecoding } from '../../source/client/content-decoding.js';
import { withSameOriginRedirects } from '../../source/client/redirects.js';
import { serializeUserAgent } from '../../headers/user-agent.js';
import { getErrorMessage } from '../../text/get-error-message.js';
import { parseConfig } from '../../config/parse-config.js';
import { parseUrl } from '../../text/url.js';
import { replaceControlCharacters } from '../command-line/terminal-text.js';
import { readVersion } from '../version.js';
import { recogniseAddress } from './recognise-address.js';
import type { ReceivedDocument } from './recognise-address.js';
import { describeAddress, formatConfiguration, formatRegistration } from './starter-configuration.js';

const DEFAULT_FILE = 'rollcall.yaml';

/** Milliseconds, body included. */
const TIMEOUT = 30_000;

/** Decoded bytes: the default of `max-body`. */
const MAX_BODY = 32 * 1024 * 1024;

const EXIT_USAGE = 2;

/**
 * Writes a short commented configuration, and never over a file (operation 1.13). With a URL, it reads the address once
 * and registers it. `words`: a file, a URL, both in any order, or neither. Returns the exit code: 0 if the file was
 * written, 1 if it exists or cannot be written, 2 if the address cannot be registered.
 */
export async function init(words: readonly string[]): Promise<number> {
  const { file = DEFAULT_FILE, address, problem } = readWords(words);
  if (problem !== undefined) {
    process.stderr.write(`rollcall: ${problem}\n`);
    return EXIT_USAGE;
  }
  if (address === undefined) return write(file, undefined);
  try {
    const received = await read(address);
    const found = recogniseAddress(received);
    const registration = formatRegistration(address, found);
    requireValid(registration);
    process.stderr.write(`${received.url.href}: ${describeAddress(found)}\n`);
    return await write(file, registration);
  } catch (error) {
    process.stderr.write(`rollcall: ${replaceControlCharacters(`${address.href}: ${getErrorMessage(error)}`)}\n`);
    return EXIT_USAGE;
  }
}

interface Words {
  readonly file?: string | undefined;
  readonly address?: URL | undefined;
  /** Why they cannot be used. */
  readonly problem?: string;
}

function readWords(words: readonly string[]): Words {
  const isFile = (word: string): boolean => /\.ya?ml$/i.test(word) && !/^[a-z][a-z\d+.-]*:/i.test(word);
  const [files, others] = [words.filter(isFile), words.filter((word) => !isFile(word))];
  const [text] = others;
  if (files.length > 1 || others.length > 1) return { problem: 'init takes one file and one address' };
  if (text === undefined) return { file: files[0] };
  const address = /^https?:\/\//i.test(text) ? parseUrl(text) : undefined;
  if (address === undefined)
    return { problem: `${text} is neither an http(s) address nor the name of a configuration file (.yaml or .yml)` };
  if (address.username !== '' || address.password !== '')
    return { problem: 'an address has no user name and password: init reads what everybody may (docs/sources.md)' };
  return { file: files[0], address };
}

/** What an address has cannot become a variable, or a configuration that is refused. Throws. */
function requireValid(registration: string): void {
  const parsed = parseConfig(`sources:\n${registration}`, {});
  if ('config' in parsed) return;
  const [{ path, message } = { path: '', message: '' }] = parsed.errors;
  throw new Error(`cannot be registered: ${path}: ${message}`);
}

async function write(file: string, registration: string | undefined): Promise<number> {
  try {
    await writeFile(file, formatConfiguration(file, registration), { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    process.stderr.write(`rollcall: ${isThere ? `${file} exists, and was not changed` : getErrorMessage(error)}\n`);
    // For a file of sources.d.
    if (registration !== undefined) process.stdout.write(`sources:\n${registration.replace(...OTHER_NUMBER)}`);
    return 1;
  }
  process.stdout.write(nextSteps(file, registration));
  return 0;
}

const OTHER_NUMBER = ['number: 1\n', 'number: 1 # one that no other source has\n'] as const;

function nextSteps(file: string, registration: string | undefined): string {
  const code = registration?.trimStart().split(':', 1)[0] ?? 'first';
  const named = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
  return `${file} was written. Next:

  rollcall preview ${code} --config ${named}   what becomes of its entries; edit the registration until it is right
  rollcall check --config ${named}   errors of the configuration, with line and column
  rollcall serve --config ${named}   then open http://127.0.0.1:8080/
`;
}

/** Rejects with a `SourceFailure`. */
async function read(address: URL): Promise<ReceivedDocument> {
  const client = createUndiciTransport(serializeUserAgent((await readVersion()).version, undefined));
  try {
    const url = /\/(?:directory|data)\/v\d+\/?$/.test(address.pathname)
      ? new URL(`${address.pathname.replace(/\/$/, '')}/teams?limit=1`, address)
      : address;
    const fetch = withDecoding(withSameOriginRedirects(client.transport), MAX_BODY);
    const headers = { accept: 'application/json, */*;q=0.5' };
    const reply = await fetch({ url, headers }, AbortSignal.timeout(TIMEOUT));
    if (!('body' in reply)) throw new Error('a 304 to a request without conditions');
    return {
      url,
      body: reply.body,
      contentType: reply.header('content-type'),
      link: reply.header('link'),
      isRollcall: reply.header('source-status') !== undefined,
    };
  } finally {
    await client.close();
  }
}
