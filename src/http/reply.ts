import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer on its way out. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** The body's text, in pieces; absent for a body-less answer. */
  readonly body?: Iterable<string>;
}

/** Characters of text that are rendered between two turns of the event loop: a few milliseconds of work. */
const SLICE = 256 * 1024;

/** Renders and sends. The length is known before the first byte leaves, so HEAD tells the one that GET has. Returns the body's bytes. */
export async function send(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<number> {
  const body = await rendered(reply.body ?? [], response);
  response.writeHead(reply.status, { ...reply.headers, ...(reply.body && { 'Content-Length': body.length }) });
  response.end(request.method === 'HEAD' ? undefined : body);
  return body.length;
}

/** Collects the pieces; a client that has gone away ends the work. */
async function rendered(pieces: Iterable<string>, response: ServerResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < SLICE) continue;
    chunks.push(Buffer.from(text));
    text = '';
    await nextTurn();
    if (response.destroyed) break;
  }
  chunks.push(Buffer.from(text));
  return Buffer.concat(chunks);
}
