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
import { runWithinTurn } from '../../event-loop/time-slicing.js';
import { parseDate } from '../../text/date.js';
import { parseViaNames } from '../../headers/via.js';
import { describeHttpStatus } from '../../model/reasons.js';
import { hasConditionalHeaders } from './conditional-request.js';
import type { DecodedResponse, Fetch, NotModifiedResponse, HttpResponse } from './http-client-types.js';
import { SourceFailure } from './source-failure.js';
import { parseJson } from './parse-json.js';

/** Synchronously, or as a stream. */
interface ContentCoding {
  readonly decodeSync: (bytes: Buffer, options: typeof SYNC_DECODE_OPTIONS) => Buffer;
  readonly createDecoder: () => Transform;
}

const GZIP: ContentCoding = { decodeSync: gunzipSync, createDecoder: createGunzip };

/** RFC 9110, section 8.4.1. */
const CODINGS: ReadonlyMap<string, ContentCoding> = new Map<string, ContentCoding>([
  ['gzip', GZIP],
  ['x-gzip', GZIP],
  ['deflate', { decodeSync: inflateSync, createDecoder: createInflate }],
  ['br', { decodeSync: brotliDecompressSync, createDecoder: createBrotliDecompress }],
]);

const ACCEPT_ENCODING = 'gzip, br';

/**
 * Decodes a 200 response (decisions 8.6), counting decoded bytes as they arrive, because a small body may decode to
 * gigabytes; stops at `maxBody`. Accepts a 304 only for a conditional request. Other statuses are a `SourceFailure`
 * (`status`); that of a 404 carries the body, if it is JSON.
 */
export function withDecoding(next: Fetch<HttpResponse>, maxBody: number): Fetch<DecodedResponse | NotModifiedResponse> {
  return async ({ url, headers }, signal) => {
    const encoded = { 'accept-encoding': ACCEPT_ENCODING, ...headers };
    const reply = await next({ url, headers: encoded }, signal);
    if (reply.status === 200) return new BufferedResponse(reply, await readDecodedBody(reply, maxBody));
    if (reply.status !== NOT_MODIFIED || !hasConditionalHeaders(headers)) return throwStatusFailure(reply);
    await reply.discard();
    return new HeadersOnlyResponse(reply);
  };
}

async function throwStatusFailure(reply: HttpResponse): Promise<never> {
  if (reply.status === NOT_FOUND) throw createStatusFailure(reply, await readErrorBody(reply));
  await reply.discard();
  throw createStatusFailure(reply);
}

class HeadersOnlyResponse implements NotModifiedResponse {
  readonly notModified = true;

  constructor(private readonly reply: HttpResponse) {}

  header(name: string): string | undefined {
    return this.reply.header(name);
  }
}

class BufferedResponse implements DecodedResponse {
  constructor(
    private readonly reply: HttpResponse,
    readonly body: Buffer,
  ) {}

  header(name: string): string | undefined {
    return this.reply.header(name);
  }
}

const MAX_CODINGS = 2;

const NOT_MODIFIED = 304;

/** The only error status whose body is read: its body distinguishes a missing item from an unknown path (decisions 2.34). */
const NOT_FOUND = 404;

/** Decoded bytes of a 404. An envelope without data has a few hundred. */
const MAX_ERROR_BODY = 16 * 1024;

/** Undefined if it is not JSON or too long. */
async function readErrorBody(reply: HttpResponse): Promise<unknown> {
  try {
    return parseJson(await readDecodedBody(reply, MAX_ERROR_BODY));
  } catch {
    return undefined;
  }
}

function createStatusFailure(reply: HttpResponse, json?: unknown): SourceFailure {
  const { status } = reply;
  const retryAfter = parseRetryAfter(reply.header('retry-after'), reply.header('date'));
  return new SourceFailure('status', describeHttpStatus(status), {
    status,
    via: parseViaNames(reply.header('via')),
    errorBody: json,
    hasSourceStatus: reply.header('source-status') !== undefined,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Milliseconds, from seconds or a date relative to the response's Date (RFC 9110, section 10.2.3; decisions 6.13). */
function parseRetryAfter(field = '', date = ''): number | undefined {
  if (/^\d{1,9}$/.test(field)) return Number(field) * 1_000;
  const [retryAt, now] = [parseDate(field), parseDate(date)];
  return retryAt === undefined || now === undefined ? undefined : Math.max(0, retryAt.epochMs - now.epochMs);
}

async function readDecodedBody(reply: HttpResponse, maxBody: number): Promise<Buffer> {
  const field = reply.header('content-encoding');
  const codings = field === undefined ? [] : await parseContentEncoding(field, reply);
  let bytes = await reply.readBytes(codings.length === 0 ? maxBody : maxEncodedBytes(maxBody));
  for (let last = codings.pop(); last !== undefined; last = codings.pop()) {
    bytes = await decodeCoding(last, bytes, codings.length === 0 ? maxBody : maxEncodedBytes(maxBody));
  }
  return bytes;
}

/** A coding makes incompressible data only slightly longer. */
function maxEncodedBytes(maxBody: number): number {
  return maxBody + Math.ceil(maxBody / 256) + 1_024;
}

async function parseContentEncoding(field: string, reply: HttpResponse): Promise<ContentCoding[]> {
  const codings = field.toLowerCase().split(',');
  const named = codings.map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity');
  const unknown = named.find((coding, at) => at === MAX_CODINGS || !CODINGS.has(coding));
  if (unknown === undefined) return named.flatMap((coding) => CODINGS.get(coding) ?? []);
  await reply.discard();
  throw new SourceFailure('body', `unsupported content coding, or more than ${MAX_CODINGS}: ${unknown.slice(0, 40)}`);
}

/** Decoding within these limits takes a millisecond; a thread and streams for each page would take longer. */
const SYNC_DECODE_OPTIONS = { maxOutputLength: 128 * 1024, chunkSize: 64 * 1024 };

async function decodeCoding(
  { decodeSync, createDecoder }: ContentCoding,
  bytes: Buffer,
  maxBody: number,
): Promise<Buffer> {
  if (bytes.length <= SYNC_DECODE_OPTIONS.maxOutputLength && maxBody >= SYNC_DECODE_OPTIONS.maxOutputLength) {
    try {
      return await runWithinTurn(() => decodeSync(bytes, SYNC_DECODE_OPTIONS));
    } catch (error) {
      if (!isOutputTooLarge(error)) throw error;
    }
  }
  // An error on either side destroys the other side and reaches the reader, so the callback has nothing to do.
  return readBounded(
    pipeline(Readable.from([bytes]), createDecoder(), () => undefined),
    maxBody,
  );
}

function isOutputTooLarge(error: unknown): boolean {
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
