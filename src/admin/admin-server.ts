import { createServer } from 'node:http';
import type { Server } from 'node:http';

/** What the operator's endpoints report. */
export interface AdminState {
  /**
   * Whether the configuration is in force, the listeners are open and the warm-up is over; false again while the
   * process stops (operation 3.3).
   */
  readonly isReady: () => boolean;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
}

/** A response of an operator's endpoint. */
interface AdminResponse {
  readonly status: number;
  readonly text: string;
  readonly type?: string;
}

/**
 * Creates the server of the admin port (operation 3.1): `/healthz` is 200 while the process lives, `/readyz` while it
 * should receive requests, `/metrics` is for Prometheus.
 */
export function createAdminServer(state: AdminState): Server {
  return createServer((request, response) => {
    void createAdminResponse(request.url?.split('?', 1)[0], state).then(
      ({ status, text, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
    );
  });
}

async function createAdminResponse(path: string | undefined, { isReady, metrics }: AdminState): Promise<AdminResponse> {
  if (path === '/healthz') return { status: 200, text: 'ok\n' };
  if (path === '/readyz') return isReady() ? { status: 200, text: 'ready\n' } : { status: 503, text: 'not ready\n' };
  if (path === '/metrics') return { status: 200, text: await metrics.text(), type: metrics.contentType };
  return { status: 404, text: "the operator's endpoints are /healthz, /readyz and /metrics\n" };
}
