import type { AdminState } from './admin-state.js';
import type { AdminRoute } from './server/admin-route.js';
import { createTextResponse } from './server/admin-response.js';

/**
 * What other programs watch the process by (operation 3.2 to 3.4): `/healthz` is 200 while the process lives, `/readyz`
 * while it should receive requests, `/metrics` is for Prometheus.
 */
export function createProcessRoutes({ isReady, metrics }: AdminState): readonly AdminRoute[] {
  return [
    { path: '/healthz', get: () => createTextResponse(200, 'ok') },
    {
      path: '/readyz',
      get: () => (isReady() ? createTextResponse(200, 'ready') : createTextResponse(503, 'not ready')),
    },
    {
      path: '/metrics',
      get: async () => ({
        status: 200,
        headers: { 'Content-Type': metrics.contentType },
        body: await metrics.text(),
      }),
    },
  ];
}
