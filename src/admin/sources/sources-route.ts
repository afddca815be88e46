import type { AdminState } from '../admin-state.js';
import { createJsonResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createSourceStatus, listSourceLevels } from './operated-gateway.js';

/** `/sources`: the state of each source (operation 3.5). */
export function createSourcesRoute({ generation }: Pick<AdminState, 'generation'>): AdminRoute {
  return {
    path: '/sources',
    get: () => createJsonResponse(200, { sources: listSourceLevels(generation().gateway).map(createSourceStatus) }),
  };
}
