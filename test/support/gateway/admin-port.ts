import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders, Server } from 'node:http';
import type { AdminState } from '../../../src/admin/admin-state.js';
import { createAdminServer } from '../../../src/admin/create-admin-server.js';
import { systemClock } from '../../../src/model/clock.js';
import { listen } from '../../../src/runtime/http-listener.js';
import type { TestGateway } from './test-gateway.js';

/** A response of the admin port, with its complete body. */
export interface AdminPortResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** What a request has beside its target. */
export interface AdminPortRequest {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

const servers = new Set<Server>();

/** Opens the admin port of a gateway, as `rollcall serve` does. Returns its origin. */
export function openAdminPortOf(gateway: TestGateway, state: Partial<AdminState> = {}): Promise<string> {
  const { app, config } = gateway;
  const generation = { config, file: 'rollcall.yaml', loadedAt: Date.UTC(2026, 10, 24), number: 1, gateway: app };
  return openAdminPort(
    createAdminServer({
      isReady: () => true,
      metrics: { contentType: 'text/plain', text: () => gateway.metrics() },
      generation: () => generation,
      clock: systemClock,
      publish: () => undefined,
      ...state,
    }),
  );
}

/** Opens the listener of an admin port on loopback. Returns its origin. {@link closeAdminPorts} closes it. */
export async function openAdminPort(server: Server): Promise<string> {
  servers.add(server);
  return listen(server, { host: '127.0.0.1', port: 0 });
}

/** Closes every admin port that a test has opened. */
export function closeAdminPorts(): void {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  servers.clear();
}

/** Sends a request with exactly these header fields, which `fetch` would not allow. The target is sent as it is. */
export function requestAdmin(
  origin: string,
  target: string,
  { method = 'GET', headers = {}, body }: AdminPortRequest = {},
): Promise<AdminPortResponse> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path: target, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
      response.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
