import { createHash } from 'node:crypto';
import type { PageRoute } from '../http/page-route.js';
import type { OutgoingResponse, RenderKey } from '../http/representation/outgoing-response.js';
import { OPENAPI_PATH } from '../http/representation/description-links.js';
import type { Clock } from '../model/clock.js';
import { createOpenApiDocument } from './openapi.js';
import type { DescriptionOptions } from './openapi.js';

/** The description changes only with the configuration, so that a client may use it for some minutes unasked. */
const CACHE_CONTROL = 'public, max-age=300';

/**
 * Creates the route of the description in OpenAPI (operation 4.2, decisions 2.42). It is built at the first request, once for
 * each configuration.
 */
export function createDescriptionRoute(options: DescriptionOptions, clock: Clock): PageRoute {
  let response: Omit<OutgoingResponse, 'validatorInput'> | undefined;
  return {
    pattern: new RegExp(`^${OPENAPI_PATH.replaceAll('.', '\\.')}$`),
    route: OPENAPI_PATH,
    isData: true,
    handle: () => ({
      ...(response ??= createResponse(options)),
      validatorInput: { sourceStates: '', now: clock.now() },
    }),
  };
}

function createResponse(options: DescriptionOptions): Omit<OutgoingResponse, 'validatorInput'> {
  const bytes = Buffer.from(JSON.stringify(createOpenApiDocument(options)));
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': CACHE_CONTROL,
      Vary: 'Accept-Encoding',
    },
    body: () => [bytes],
    renderKey: createRenderKey(createHash('sha256').update(bytes).digest('base64url')),
  };
}

/** Lets the cache of rendered bodies keep the description with its compressed forms. */
function createRenderKey(version: string): RenderKey {
  const reusePolicy = { changes: 0, getTimedHeaders: () => undefined, logFields: {}, route: OPENAPI_PATH, total: 0 };
  return { name: `public ${OPENAPI_PATH}`, version, reusePolicy };
}
