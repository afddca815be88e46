import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadyAnswers } from './ready.js';
import type { Renderings } from './renderings.js';
import type { Reply } from './reply.js';
import { hasIt, unmodifiedHeaders, wantsAnother } from './validators.js';
import type { Headers } from './validators.js';

/** Where bodies are rendered, and answers held that are ready to send. */
export interface Out {
  readonly renderings: Renderings;
  readonly ready: ReadyAnswers;
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
  const { renderings, ready } = out;
  const { status, headers, body, validity, sharing } = reply;
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return 0;
  }
  const rendered = await renderings.of(reply, body, request);
  if (rendered === undefined) return 0;
  const coding = rendered.coding(codings(request));
  const etag = validity && rendered.tag(coding, headers, validity.states);
  if (reply.refusal !== undefined && wantsAnother(request, etag, validity)) {
    return send(request, response, reply.refusal(), out);
  }
  const keep = (): void => {
    if (etag === undefined || validity === undefined || sharing?.holding === undefined) return;
    const { name, holding } = sharing;
    const held = { name, rendered, coding, etag, validity, inherited: inherited(response), headers, holding };
    ready.keep(request, held);
  };
  if (validity !== undefined && etag !== undefined && hasIt(request, etag, validity)) {
    keep();
    response.writeHead(304, unmodifiedHeaders(headers, etag)).end();
    return 0;
  }
  const bytes = await rendered.in(coding);
  keep();
  const coded = coding === 'identity' ? {} : { 'Content-Encoding': coding };
  const tagged = etag === undefined ? {} : { ETag: etag };
  const whole = { ...headers, ...tagged, ...coded, 'Content-Length': bytes.length };
  response.writeHead(status, whole);
  response.end(request.method === 'HEAD' ? undefined : bytes);
  return bytes.length;
}

/** Every outgoing message of node:http has this; its types know it of a client's request only. */
type Named = ServerResponse & { readonly getRawHeaderNames?: () => string[] };

/** Headers that the answer has from whoever saw it before, by their names as they are written. */
function inherited(response: Named): Headers {
  const names = response.getRawHeaderNames?.() ?? response.getHeaderNames();
  const values = names.map((name) => String(response.getHeader(name)));
  const same =
    lastNames.length === names.length &&
    names.every((name, at) => name === lastNames[at] && common[name] === values[at]);
  if (same) return common;
  lastNames = names;
  common = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
  return common;
}

/** Those of the last answer: of nearly all answers, which hold them in common. */
let common: Headers = {};
let lastNames: readonly string[] = [];

function codings({ headers }: IncomingMessage): string | undefined {
  return [headers['accept-encoding'] ?? []].flat().join() || undefined;
}
