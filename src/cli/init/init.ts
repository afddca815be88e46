import { writeFile } from 'node:fs/promises';
import { createUndiciTransport } from '../../source/client/transport/http-transport.js';
import { withDecoding } from '../../source/client/content-decoding.js';
import { withSameOriginRedirects } from '../../source/client/redirects.js';
import { serializeUserAgent } from '../../headers/user-agent.js';
import { getErrorMessage } from '../../text/get-error-message.js';
import { hasWebProtocol, parseUrl } from '../../text/url.js';
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

const EXIT_UNREADABLE = 2;

/**
 * Writes a short commented configuration, and never over a file (operation 1.13). With a URL, it reads the address once
 * and registers it. `words`: a file, a URL, both in any order, or neither. Returns the exit code: 0 if the file was
 * written, 1 if it exists or cannot be written, 2 if the address cannot be registered.
 */
export async function init(words: readonly string[]): Promise<number> {
  const address = words.map((word) => parseUrl(word)).find((url) => url !== undefined && hasWebProtocol(url));
  const file = words.find((word) => !/^https?:\/\//i.test(word)) ?? DEFAULT_FILE;
  let registration: string | undefined;
  if (address !== undefined) {
    try {
      const found = recogniseAddress(await read(address));
      process.stderr.write(`${address.href}: ${describeAddress(found)}\n`);
      registration = formatRegistration(address, found);
    } catch (error) {
      process.stderr.write(`rollcall: ${replaceControlCharacters(`${address.href}: ${getErrorMessage(error)}`)}\n`);
      return EXIT_UNREADABLE;
    }
  }
  return write(file, registration);
}

async function write(file: string, registration: string | undefined): Promise<number> {
  try {
    await writeFile(file, formatConfiguration(file, registration), { flag: 'wx' });
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    process.stderr.write(`rollcall: ${isThere ? `${file} exists, and was not changed` : getErrorMessage(error)}\n`);
    // To be pasted.
    if (registration !== undefined) process.stdout.write(`sources:\n${registration}`);
    return 1;
  }
  process.stdout.write(nextSteps(file, registration));
  return 0;
}

function nextSteps(file: string, registration: string | undefined): string {
  const code = registration?.trimStart().split(':', 1)[0] ?? 'first';
  return `${file} was written. Next:

  rollcall preview ${code} --config ${file}   what becomes of its entries; edit the registration until it is right
  rollcall check --config ${file}   errors of the configuration, with line and column
  rollcall serve --config ${file}   then open http://127.0.0.1:8080/
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
    return { url, body: reply.body, contentType: reply.header('content-type'), link: reply.header('link') };
  } finally {
    await client.close();
  }
}
