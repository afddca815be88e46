import { Readable, pipeline } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import { readDate } from '../text/date.js';
import { isConditional } from './condition.js';
import type { Fetch, SourceReply, WireReply } from './fetch.js';
import { SourceFailure } from './failure.js';
import { parseJson } from './parse-json.js';

/** The codings of RFC 9110, section 8.4.1, that are read. */
const CODINGS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** What a source is told about the codings above. */
const ACCEPT_ENCODING = 'gzip, br';

/**
 * Reads a reply as JSON: status 200, body decoded and at most `maxBody` decoded bytes, UTF-8, JSON (decisions.md, section 8). A
 * small compressed body may decode to gigabytes, so decoded bytes are counted as they come, and reading ends at the bound. A 304 is an
 * answer to a conditional request only.
 */
export function decodeJson(next: Fetch<WireReply>, maxBody: number): Fetch<SourceReply> {
  return async ({ url, headers }, signal) => {
    const encoded = { accept: 'application/json', 'accept-encoding': ACCEPT_ENCODING, ...headers };
    const reply = await next({ url, headers: encoded }, signal);
    const header = (name: string): string | undefined => reply.header(name);
    if (reply.status !== 200) {
      await reply.discard();
      if (reply.status === 304 && isConditional(headers)) return { notModified: true, header };
      throw refusal(reply);
    }
    const bytes = await readBounded(await decoded(reply), maxBody);
    return { header, json: await parseJson(bytes), bytes: bytes.length };
  };
}

/** Codings that one body may be wrapped in. */
const MOST_CODINGS = 2;

function refusal(reply: WireReply): SourceFailure {
  const { status } = reply;
  const retryAfter = waitOf(reply.header('retry-after'), reply.header('date'));
  return new SourceFailure('status', `HTTP status ${status}`, {
    status,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Retry-After (RFC 9110, section 10.2.3) in milliseconds: a number of seconds, or a date, which is told by the source's own clock. */
function waitOf(field = '', date = ''): number | undefined {
  if (/^\d{1,9}$/.test(field)) return Number(field) * 1_000;
  const [then, now] = [readDate(field), readDate(date)];
  return then === undefined || now === undefined ? undefined : Math.max(0, then.at - now.at);
}

async function decoded(reply: WireReply): Promise<AsyncIterable<Uint8Array>> {
  const codings = (reply.header('content-encoding') ?? '').toLowerCase().split(',');
  const named = codings.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = named.find((coding, at) => at === MOST_CODINGS || !CODINGS.has(coding));
  if (unknown !== undefined) {
    await reply.discard();
    throw new SourceFailure('body', `an unknown content coding, or one too many: ${unknown.slice(0, 40)}`);
  }
  const decoders = named.flatMap((coding) => CODINGS.get(coding) ?? []);
  return decoders.reverse().reduce(through, reply.body);
}

function through(body: AsyncIterable<Uint8Array>, create: () => Transform): AsyncIterable<Uint8Array> {
  // An error of either side ends the other one and reaches the reader, so the callback has nothing left to do.
  return pipeline(Readable.from(body), create(), () => undefined);
}

async function readBounded(body: AsyncIterable<Uint8Array>, maxBody: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    // Leaving the loop destroys the stream, and with it the connection.
    if (length > maxBody) throw new SourceFailure('size', `a body of more than ${maxBody} decoded bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}
