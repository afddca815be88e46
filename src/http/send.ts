import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../model/clock.js';
import { browserHeaders } from './browsers.js';
import { headOf } from './head.js';
import type { ReadyAnswers } from './ready.js';
import type { Renderings } from './renderings.js';
import type { Reply } from './reply.js';
import { bodyHeaders, codingsOf, conditionsOf, hasIt, unmodifiedHeaders, wantsAnother } from './validators.js';
import type { Headers } from './validators.js';

/** Where bodies are rendered, and answers held that are ready to send. */
export interface Out {
  readonly renderings: Renderings;
  readonly ready: ReadyAnswers;
  /** What Date tells. */
  readonly clock: Clock;
}

/**
 * Renders, codes and sends. The length is known before the first byte leaves, so HEAD tells the one that GET has. A client that has
 * gone away ends the work that nobody else waits for. Returns the bytes of the body as sent.
 */
export async function send(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  out: Out,
): Promise<number> {
  const { renderings, ready, clock } = out;
  const { status, headers, body, validity, sharing } = reply;
  const told = browserHeaders(request.method);
  const leave = (code: number, beside: readonly Headers[], bytes?: Uint8Array): void => {
    response.writeHead(code, headOf([told, ...beside], clock.now())).end(bytes);
  };
  if (body === undefined) {
    leave(status, [headers]);
    return 0;
  }
  const rendered = await renderings.of(reply, body, request);
  if (rendered === undefined) return 0;
  const coding = rendered.coding(codingsOf(request));
  const etag = validity && rendered.tag(coding, headers, validity.states);
  if (reply.refusal !== undefined && wantsAnother(request, etag, validity)) {
    return send(request, response, reply.refusal(), out);
  }
  const keep = (): void => {
    if (etag === undefined || validity === undefined || sharing?.holding === undefined) return;
    const { name, holding } = sharing;
    ready.keep(request, { name, rendered, coding, etag, validity, headers, holding });
  };
  if (validity !== undefined && etag !== undefined && hasIt(conditionsOf(request), etag, validity)) {
    keep();
    leave(304, [unmodifiedHeaders(headers, etag)]);
    return 0;
  }
  const bytes = await rendered.in(coding);
  keep();
  leave(
    status,
    [headers, bodyHeaders({ etag, coding, length: bytes.length })],
    request.method === 'HEAD' ? undefined : bytes,
  );
  return bytes.length;
}
