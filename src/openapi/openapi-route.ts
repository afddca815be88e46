import type { PageRoute } from '../http/page-route.js';
import { OPENAPI_PATH } from '../http/representation/description-links.js';
import { createStaticHandler } from '../http/static-response.js';
import type { StaticContent } from '../http/static-response.js';
import type { Clock } from '../model/clock.js';
import { createOpenApiDocument } from './create-openapi.js';
import type { DescriptionOptions } from './create-openapi.js';

/** Built at the first request, once for each configuration (operation 4.2, decisions 2.42). */
export function createDescriptionRoute(options: DescriptionOptions, clock: Clock): PageRoute {
  const createContent = (): StaticContent => ({
    path: OPENAPI_PATH,
    contentType: 'application/json; charset=utf-8',
    text: JSON.stringify(createOpenApiDocument(options)),
  });
  return {
    pattern: new RegExp(`^${OPENAPI_PATH.replaceAll('.', '\\.')}$`),
    route: OPENAPI_PATH,
    isData: true,
    handle: createStaticHandler(createContent, clock),
  };
}
