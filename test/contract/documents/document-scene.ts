import { afterEach } from 'vitest';
import { fakeClock } from '../../support/fake-clock.js';
import type { FakeClock } from '../../support/fake-clock.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayDependencies, GatewaySetup, TestGateway } from '../../support/gateway/test-gateway.js';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

/** Its threads are started once for all documents, of which the bodies are read there. */
const bodies = bodyParser();

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A gateway with one published document as its only source, and the server of the document. */
export interface DocumentScene {
  readonly gateway: TestGateway;
  readonly upstream: UpstreamServer;
  readonly clock: FakeClock;
  /** Paths with the queries of all requests that the server received. */
  readonly targets: () => readonly string[];
}

/** A response with this body: JSON, unless it is text. */
export function send(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestHandler {
  return (_, response) => {
    response.writeHead(200, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** Responses by the path and query of the request; 404 for any other one. */
export function sendByTarget(bodies: Readonly<Record<string, unknown>>): RequestHandler {
  return (request, response) => {
    const body = bodies[targetOf(request)];
    response.writeHead(body === undefined ? 404 : 200).end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

function targetOf({ path, query }: { readonly path: string; readonly query: URLSearchParams }): string {
  const search = query.toString();
  return `${path.replace(/^\/v1/, '')}${search === '' ? '' : `?${search}`}`;
}

/**
 * Starts the server and the gateway. `createDocument` gets the address of the server. The code of the source is `one`,
 * its source-name `One`.
 */
export async function startDocument(
  handler: RequestHandler,
  createDocument: (address: string) => object,
  settings: object = {},
  dependencies: Pick<GatewayDependencies, 'bodies'> = {},
): Promise<DocumentScene> {
  const one = (address: string): object => ({
    'source-name': 'One',
    document: createDocument(address),
    ...settings,
  });
  return startDocuments(handler, (address) => ({ one: one(address) }), dependencies);
}

/** Starts the server and a gateway; `createSources` gets the address of the server. */
export async function startDocuments(
  handler: RequestHandler,
  createSources: (address: string) => GatewaySetup['sources'],
  dependencies: Pick<GatewayDependencies, 'bodies'> = {},
): Promise<DocumentScene> {
  const upstream = await startUpstream(handler);
  const clock = fakeClock();
  const gateway = await startGateway({ sources: createSources(upstream.address) }, { clock, bodies, ...dependencies });
  open.push(gateway, upstream);
  return { gateway, upstream, clock, targets: () => upstream.requests.map(targetOf) };
}
