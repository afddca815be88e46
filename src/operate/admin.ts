import { createServer } from 'node:http';
import type { Server } from 'node:http';

/** What the operator's endpoints tell of. */
export interface Health {
  /** Whether the configuration is in force, the listeners are open and the warm-up is over; false again while stopping. */
  readonly ready: () => boolean;
}

/** The operator's endpoints (operation.md): `/healthz` while the process lives, `/readyz` while it should be sent requests. */
export function adminServer({ ready }: Health): Server {
  return createServer((request, response) => {
    const [status, text] = answerTo(request.url?.split('?', 1)[0], ready);
    response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end(request.method === 'HEAD' ? undefined : `${text}\n`);
  });
}

function answerTo(path: string | undefined, ready: () => boolean): [status: number, text: string] {
  if (path === '/healthz') return [200, 'ok'];
  if (path === '/readyz') return ready() ? [200, 'ready'] : [503, 'not ready'];
  return [404, "the operator's endpoints are /healthz and /readyz"];
}
