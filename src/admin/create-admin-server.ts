import type { Server } from 'node:http';
import type { AdminState } from './admin-state.js';
import { createConfigRoute } from './config/config-route.js';
import { createExplainRoute } from './explain/explain-route.js';
import { createProcessRoutes } from './process-routes.js';
import { styleRoute } from './layout/style-sheet.js';
import { createSourceActionRoutes } from './sources/source-actions.js';
import { createSourcesRoute } from './sources/sources-route.js';
import { createTextResponse } from './server/admin-response.js';
import { createAdminHttpServer } from './server/admin-server.js';

/** All endpoints of the operator (operation 3). */
export function createAdminServer(state: AdminState): Server {
  return createAdminHttpServer({
    routes: [
      ...createProcessRoutes(state),
      createSourcesRoute(state),
      ...createSourceActionRoutes(state),
      createExplainRoute(state),
      createConfigRoute(state),
      { path: '/', get: () => createTextResponse(303, 'see /sources', { Location: '/sources' }) },
      styleRoute,
    ],
    settings: () => state.generation().config.admin,
    publish: state.publish,
  });
}
