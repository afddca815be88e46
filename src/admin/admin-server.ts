import { createServer } from 'node:http';
import type { Server } from 'node:http';

/** What the operator's endpoints tell of. */
export interface AdminState {
  /** Whether the configuration is in force, the listeners are open and the warm-up is over; false again while stopping. */
  readonly isReady: () => boolean;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
}

/** An operator's endpoint's answer. */
interface AdminResponse {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/**
 * The operator's endpoints (operation.md): `/healthz` while the process lives, `/readyz` while it should be sent requests, `/metrics` for
 * Prometheus.
 */
export function createAdminServer(operated: AdminState): Server {
  return createServer((request, response) => {
    void createAdminResponse(request.url?.split('?', 1)[0], operated).then(
      ({ status, text, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
    );
  });
}

async function createAdminResponse(
  path: string | undefined,
  { isReady: ready, metrics }: AdminState,
): Promise<AdminResponse> {
  if (path === '/healthz') return { status: 200, text: 'ok\n' };
  if (path === '/readyz') return ready() ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
  if (path === '/metrics') return { status: 200, text: await metrics.text(), type: metrics.contentType };
  return { status: 404, text: "the operator's endpoints are /healthz, /readyz and /metrics\n" };
}
