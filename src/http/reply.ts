import type { IncomingMessage, ServerResponse } from 'node:http';
import { inTurns } from '../model/slices.js';
import { SMALLEST, chooseCoding, encode } from './encode.js';
import { entityTag, hasIt, unmodifiedHeaders, wantsAnother } from './validators.js';
import type { Validity } from './validators.js';

/** A body on its way out: text in pieces, or bytes. */
export type Body = Iterable<string> | Promise<Uint8Array>;

/** An answer on its way out. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** Absent for a body-less answer. */
  readonly body?: Body;
  /** What the answer can be told by when it is asked for again; absent where nobody may keep it. */
  readonly validity?: Validity;
  /** What is sent in its place to a client that wants another answer than this one or none (RFC 9110, section 13.1.1). */
  readonly refusal?: () => Reply;
  /** The status that the body tells, where HTTP's is another: JSONP's errors are sent as 200 (decisions.md, section 2). */
  readonly told?: number;
}

/** Characters of text that become bytes at once. */
const SLICE = 256 * 1024;

/** The client has gone: nobody needs what is being made for it, and there is nobody to tell. */
export class ClientGone extends Error {}

/**
 * Renders, codes and sends. The length is known before the first byte leaves, so HEAD tells the one that GET has. A client that has
 * gone away ends the work. Returns the bytes of the body as sent.
 */
export async function send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<number> {
  const { status, headers, body, validity } = reply;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return 0;
  }
  const plain = await whole(body, request);
  if (plain === undefined) return 0;
  const coding = chooseCoding(codings(request), !(body instanceof Promise) && plain.length >= SMALLEST);
  const etag = validity && entityTag(plain, headers, { ...validity, coding });
  if (reply.refusal !== undefined && wantsAnother(request, etag, validity))
    return send(request, response, reply.refusal());
  if (validity !== undefined && etag !== undefined && hasIt(request, etag, validity)) {
    response.writeHead(304, unmodifiedHeaders(headers, etag)).end();
    return 0;
  }
  const bytes = await encode(plain, coding);
  const coded = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  const tagged = etag === undefined ? {} : { ETag: etag };
  response.writeHead(status, { ...headers, ...tagged, ...coded, 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return bytes.length;
}

/** The items, as long as their client is there. Throws `ClientGone` when it is not, so that no part is ever taken for the whole. */
export function* whileThere<T>(items: Iterable<T>, { socket }: IncomingMessage): Generator<T, void, undefined> {
  for (const item of items) {
    if (socket.destroyed) throw new ClientGone();
    yield item;
  }
}

/** The whole body; undefined where it was given up. */
async function whole(body: Body, request: IncomingMessage): Promise<Uint8Array | undefined> {
  try {
    return body instanceof Promise ? await body : await rendered(body, request);
  } catch (error) {
    if (error instanceof ClientGone) return undefined;
    throw error;
  }
}

function codings({ headers }: IncomingMessage): string | undefined {
  return [headers['accept-encoding'] ?? []].flat().join() || undefined;
}

/** Collects the pieces, with turns of the event loop in between. */
async function rendered(pieces: Iterable<string>, request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let text = '';
  await inTurns(whileThere(pieces, request), (piece) => {
    text += piece;
    if (text.length < SLICE) return;
    chunks.push(Buffer.from(text));
    text = '';
  });
  chunks.push(Buffer.from(text));
  return Buffer.concat(chunks);
}
