import type { AdminState } from './admin-state.js';
import { createDataReadiness } from './readiness/data-readiness.js';
import type { AdminRoute } from './server/admin-route.js';
import { createTextResponse } from './server/admin-response.js';

/** `/healthz` is 200 while the process lives, `/readyz` while it should receive requests (operation 3.2 to 3.4). */
export function createProcessRoutes(state: AdminState): readonly AdminRoute[] {
  const { isReady, metrics, publish } = state;
  const dataReadiness = createDataReadiness(state);
  /** Undefined: the process should receive requests. */
  const findUnreadiness = (): readonly string[] | undefined => {
    if (!isReady()) return [];
    const reasons = dataReadiness.check();
    return reasons.length === 0 ? undefined : reasons;
  };
  return [
    { path: '/healthz', get: () => createTextResponse(200, 'ok') },
    {
      path: '/readyz',
      get: () => {
        const reasons = findUnreadiness();
        return reasons === undefined
          ? createTextResponse(200, 'ready')
          : createTextResponse(503, ['not ready', ...reasons].join('\n'));
      },
    },
    {
      path: '/metrics',
      get: async () => {
        publish({ type: 'readiness checked', isReady: findUnreadiness() === undefined });
        return { status: 200, headers: { 'Content-Type': metrics.contentType }, body: await metrics.text() };
      },
    },
  ];
}
