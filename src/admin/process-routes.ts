import type { AdminState } from './admin-state.js';
import { createDataReadiness } from './readiness/data-readiness.js';
import type { AdminRoute } from './server/admin-route.js';
import { createTextResponse } from './server/admin-response.js';

/**
 * What other programs watch the process by (operation 3.2 to 3.4): `/healthz` is 200 while the process lives, `/readyz`
 * while it should receive requests, `/metrics` is for Prometheus.
 */
export function createProcessRoutes(state: AdminState): readonly AdminRoute[] {
  const { isReady, metrics } = state;
  const dataReadiness = createDataReadiness(state);
  return [
    { path: '/healthz', get: () => createTextResponse(200, 'ok') },
    {
      path: '/readyz',
      get: () => {
        if (!isReady()) return createTextResponse(503, 'not ready');
        const reasons = dataReadiness.check();
        return reasons.length === 0
          ? createTextResponse(200, 'ready')
          : createTextResponse(503, ['not ready', ...reasons].join('\n'));
      },
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
