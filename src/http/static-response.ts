import { createHash } from 'node:crypto';
import type { Clock } from '../model/clock.js';
import type { OutgoingResponse } from './representation/outgoing-response.js';

/** Changes only with the configuration. */
export interface StaticContent {
  readonly path: string;
  readonly contentType: string;
  readonly text: string;
  readonly isPage?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Some minutes without a request. */
const CACHE_CONTROL = 'public, max-age=300';

/** `create` builds the content at the first request. It has an entity tag, and is kept with its compressed forms. */
export function createStaticHandler(create: () => StaticContent, clock: Clock): () => OutgoingResponse {
  let response: OutgoingResponse | undefined;
  return () => ({
    ...(response ??= createStaticResponse(create())),
    validatorInput: { sourceStates: '', now: clock.now() },
  });
}

function createStaticResponse({ path, contentType, text, isPage, headers }: StaticContent): OutgoingResponse {
  const bytes = Buffer.from(text);
  const version = createHash('sha256').update(bytes).digest('base64url');
  // Not found before Express routes the request: that is for responses that rest on sources.
  const reusePolicy = { changes: 0, getTimedHeaders: () => undefined, logFields: {}, route: path, total: 0 };
  return {
    status: 200,
    ...(isPage && { isPage }),
    headers: { ...headers, 'Content-Type': contentType, 'Cache-Control': CACHE_CONTROL, Vary: 'Accept-Encoding' },
    body: () => [bytes],
    renderKey: { name: `public ${path}`, version, reusePolicy },
  };
}
