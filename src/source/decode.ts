import { Readable, pipeline } from 'node:stream';
import {
  brotliDecompressSync,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  gunzipSync,
  inflateSync,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import { inOneTurn } from '../model/slices.js';
import { readDate } from '../text/date.js';
import { readHops } from '../wire/via.js';
import { isConditional } from './condition.js';
import type { BodyReply, Fetch, NotModified, WireReply } from './fetch.js';
import { SourceFailure } from './failure.js';
import { parseJson } from './parse-json.js';

/** How one content coding is undone: in one go, or piece by piece. */
interface Coding {
  readonly inOneGo: (bytes: Buffer, options: typeof IN_ONE_GO) => Buffer;
  readonly inPieces: () => Transform;
}

const GZIP: Coding = { inOneGo: gunzipSync, inPieces: createGunzip };

/** The codings of RFC 9110, section 8.4.1, that are read. */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { inOneGo: inflateSync, inPieces: createInflate }],
  ['br', { inOneGo: brotliDecompressSync, inPieces: createBrotliDecompress }],
]);

/** What a source is told about the codings above. */
const ACCEPT_ENCODING = 'gzip, br';

/**
 * Asks for JSON and takes in what comes: status 200, body decoded and at most `maxBody` decoded bytes (decisions.md, section 8). A
 * small compressed body may decode to gigabytes, so decoded bytes are counted as they come, and reading ends at the bound. A 304 is an
 * answer to a conditional request only. The failure that a 404 is tells what was said with it.
 */
export function decodeBody(next: Fetch<WireReply>, maxBody: number): Fetch<BodyReply | NotModified> {
  return async ({ url, headers }, signal) => {
    const encoded = { accept: 'application/json', 'accept-encoding': ACCEPT_ENCODING, ...headers };
    const reply = await next({ url, headers: encoded }, signal);
    if (reply.status === 200) return new Decoded(reply, await decoded(reply, maxBody));
    if (reply.status !== NOT_MODIFIED || !isConditional(headers)) return refused(reply);
    await reply.discard();
    return new Unmodified(reply);
  };
}

async function refused(reply: WireReply): Promise<never> {
  if (reply.status === NOT_FOUND) throw refusal(reply, await said(reply));
  await reply.discard();
  throw refusal(reply);
}

class Unmodified implements NotModified {
  readonly notModified = true;

  constructor(private readonly reply: WireReply) {}

  header(name: string): string | undefined {
    return this.reply.header(name);
  }
}

class Decoded implements BodyReply {
  constructor(
    private readonly reply: WireReply,
    readonly body: Buffer,
  ) {}

  header(name: string): string | undefined {
    return this.reply.header(name);
  }
}

/** Codings that one body may be wrapped in. */
const MOST_CODINGS = 2;

const NOT_MODIFIED = 304;

/** A status of which it matters whose word it is: the source's for what it does not have, or a server's for a page. */
const NOT_FOUND = 404;

/** Bytes of what is said with a 404 at most, decoded: an envelope without data has some hundred. */
const MOST_SAID = 16 * 1024;

/** What is said with an error; undefined where that is no JSON, or too long. */
async function said(reply: WireReply): Promise<unknown> {
  try {
    return parseJson(await decoded(reply, MOST_SAID));
  } catch {
    return undefined;
  }
}

function refusal(reply: WireReply, json?: unknown): SourceFailure {
  const { status } = reply;
  const retryAfter = waitOf(reply.header('retry-after'), reply.header('date'));
  return new SourceFailure('status', `HTTP status ${status}`, {
    status,
    via: readHops(reply.header('via')),
    said: json,
    relayed: reply.header('source-status') !== undefined,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Retry-After (RFC 9110, section 10.2.3) in milliseconds: a number of seconds, or a date, which is told by the source's own clock. */
function waitOf(field = '', date = ''): number | undefined {
  if (/^\d{1,9}$/.test(field)) return Number(field) * 1_000;
  const [then, now] = [readDate(field), readDate(date)];
  return then === undefined || now === undefined ? undefined : Math.max(0, then.at - now.at);
}

/** The body, decoded. */
async function decoded(reply: WireReply, maxBody: number): Promise<Buffer> {
  const field = reply.header('content-encoding');
  const codings = field === undefined ? [] : await codingsOf(field, reply);
  let bytes = await reply.read(codings.length === 0 ? maxBody : encodedMost(maxBody));
  for (let last = codings.pop(); last !== undefined; last = codings.pop()) {
    bytes = await undone(last, bytes, codings.length === 0 ? maxBody : encodedMost(maxBody));
  }
  return bytes;
}

/** Bytes of a coded body at most: no coding makes what cannot be made smaller much longer. */
function encodedMost(maxBody: number): number {
  return maxBody + Math.ceil(maxBody / 256) + 1_024;
}

async function codingsOf(field: string, reply: WireReply): Promise<Coding[]> {
  const codings = field.toLowerCase().split(',');
  const named = codings.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = named.find((coding, at) => at === MOST_CODINGS || !CODINGS.has(coding));
  if (unknown === undefined) return named.flatMap((coding) => CODINGS.get(coding) ?? []);
  await reply.discard();
  throw new SourceFailure('body', `an unknown content coding, or one too many: ${unknown.slice(0, 40)}`);
}

/** What is decoded in one go at most: that takes a millisecond, and threads and streams for each page take longer than their work. */
const IN_ONE_GO = { maxOutputLength: 128 * 1024, chunkSize: 64 * 1024 };

async function undone({ inOneGo, inPieces }: Coding, bytes: Buffer, maxBody: number): Promise<Buffer> {
  if (bytes.length <= IN_ONE_GO.maxOutputLength && maxBody >= IN_ONE_GO.maxOutputLength) {
    try {
      return await inOneTurn(() => inOneGo(bytes, IN_ONE_GO));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
    }
  }
  // An error of either side ends the other one and reaches the reader, so the callback has nothing left to do.
  return readBounded(
    pipeline(Readable.from([bytes]), inPieces(), () => undefined),
    maxBody,
  );
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBody: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the stream.
    if (length > maxBody) throw new SourceFailure('size', `a body of more than ${maxBody} decoded bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
