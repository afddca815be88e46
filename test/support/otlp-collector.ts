import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]])));

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  status: z.object({ code: z.number().optional() }),
});

const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** A span as the collector received it. */
export interface CollectedSpan extends z.infer<typeof span> {
  /** Attributes of the process that recorded the span. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of OTLP over HTTP on a loopback port. */
export interface OtlpCollector {
  /** Value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly endpoint: string;
  readonly spans: readonly CollectedSpan[];
  /** The bodies of all requests, as received. */
  readonly bodies: readonly string[];
  /** Status of the next responses. */
  status: number;
  close(): Promise<void>;
}

/** Kinds of spans, as OTLP numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const;

/** Starts a collector on a free port, or on the given one. */
export async function startOtlpCollector(port = 0): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const collector = { spans, bodies, status: 200, endpoint: '', close: () => close(server) };
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request);
    if (collector.status !== 200) return collector.status;
    if (request.url !== '/v1/traces' || request.headers['content-type'] !== 'application/json') return 400;
    bodies.push(body);
    for (const { resource, scopeSpans } of exportRequest.parse(JSON.parse(body)).resourceSpans)
      for (const one of scopeSpans.flatMap((scope) => scope.spans))
        spans.push({ ...one, resource: resource.attributes });
    return 200;
  };
  const server = createServer((request, response) => {
    void receive(request).then((status) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no TCP port');
  collector.endpoint = `http://127.0.0.1:${address.port}`;
  return collector;
}

async function close(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
