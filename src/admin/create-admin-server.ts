import type { Server } from 'node:http';
import type { AdminState } from './admin-state.js';
import { createConfigRoute } from './config/config-route.js';
import { createExplainRoute } from './explain/explain-route.js';
import { createProcessRoutes } from './process-routes.js';
import { styleRoute } from './layout/style-sheet.js';
import { createSourceActionRoutes } from './sources/source-actions.js';
import { createSourcesRoute } from './sources/sources-route.js';
import { createTextResponse } from './server/admin-response.js';
import type { AdminRoute } from './server/admin-route.js';
import { createAdminHttpServer } from './server/admin-server.js';

/** Creates all endpoints of the operator (operation 3). */
export function createAdminRoutes(state: AdminState): readonly AdminRoute[] {
  return [
    ...createProcessRoutes(state),
    createSourcesRoute(state),
    ...createSourceActionRoutes(state),
    createExplainRoute(state),
    createConfigRoute(state),
    ...sharedPageRoutes,
  ];
}

/** The start page and the style sheet of all pages. */
export const sharedPageRoutes: readonly AdminRoute[] = [
  { path: '/', get: () => createTextResponse(303, 'see /sources', { Location: '/sources' }) },
  styleRoute,
];

/** Creates the server of the admin port, with all endpoints of the operator (operation 3). */
export function createAdminServer(state: AdminState): Server {
  return createAdminHttpServer({
    routes: createAdminRoutes(state),
    settings: () => state.generation().config.admin,
    log: state.log,
  });
}
