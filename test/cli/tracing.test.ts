import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { spanKinds, startOtlpCollector } from '../support/otlp-collector.js';
import type { CollectedSpan } from '../support/otlp-collector.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';
import { cleanUp, serve } from './rollcall-process.js';
import type { Program } from './rollcall-process.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const CLIENT = { traceparent: `00-${TRACE_ID}-${CLIENT_SPAN}-01`, tracestate: 'client=1', baggage: 'a=1' };
const CANARY = 'zebrafinch';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cleanUp();
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function repository(name: string): Promise<UpstreamServer> {
  const upstream = await startUpstream(directoryUpstream([{ id: 1, 'short-team-name': name }]));
  closers.push(() => upstream.close());
  return upstream;
}

/** Sources are asked again for each request. */
const EXPIRING = { ttl: '1ms', 'stale-while-revalidate': '0s' };

/** Starts a gateway as a process of its own that sends its spans to an endpoint. Returns it with the address of its interface. */
async function startTraced(
  name: string,
  sources: object,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly program: Program; readonly directory: string }> {
  const server = { name, port: 0, explorer: { enabled: false } };
  const program = await serve({ server, admin: { port: 0 }, defaults: EXPIRING, sources }, undefined, { environment });
  const { public: origin } = await program.line('listening');
  await program.line('ready');
  return { program, directory: `${String(origin)}/directory/v1` };
}

function headerOf({ requests }: UpstreamServer, name: string): readonly unknown[] {
  return [...new Set(requests.map(({ headers }) => headers[name]))];
}

/** Path from a span to the root of the trace: the process and the name of each span. */
function pathOf(span: CollectedSpan, spans: readonly CollectedSpan[]): readonly string[] {
  const step = `${String(span.resource['service.name'])}: ${span.name}`;
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [step] : [step, ...pathOf(parent, spans)];
}

describe('a process with a collector', () => {
  it.each([
    ['a query', CLIENT],
    ['a private query', { ...CLIENT, prefer: 'private' }],
  ])('records the trace of %s, from the client to the repository, which is sent nothing of it', async (_, headers) => {
    const collector = await startOtlpCollector();
    closers.push(() => collector.close());
    const source = await repository('Acorn CERT');
    const { program, directory } = await startTraced(
      'alone',
      { first: { number: 1, directory: source.address } },
      { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SERVICE_NAME: 'alone' },
    );
    const response = await fetch(`${directory}/teams?q=${CANARY}`, { headers });
    expect(response.status).toBe(200);
    // The last spans are sent when the process stops.
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    const { spans } = collector;
    expect([...new Set(spans.map(({ traceId }) => traceId))]).toEqual([TRACE_ID]);
    const [root] = spans.filter(({ parentSpanId }) => parentSpanId === CLIENT_SPAN);
    expect(root).toMatchObject({ name: 'GET {directory_url}/teams', kind: spanKinds.server });
    const pages = spans.filter(({ name }) => name === 'GET first');
    expect(pages.map((page) => pathOf(page, spans))).toContainEqual([
      'alone: GET first',
      'alone: refresh first',
      'alone: source first',
      'alone: GET {directory_url}/teams',
    ]);
    for (const name of ['traceparent', 'tracestate', 'baggage', 'x-request-id'])
      expect([name, headerOf(source, name)]).toEqual([name, [undefined]]);
    expect(collector.bodies.join()).not.toContain(CANARY);
  });
});

describe('a process whose collector', () => {
  it.each([
    ['refuses connections', () => Promise.resolve('http://127.0.0.1:9')],
    ['never answers', startSilentServer],
  ])('%s answers, and stops with 0', async (_, start) => {
    const endpoint = await start();
    const source = await repository('Acorn CERT');
    const { program, directory } = await startTraced(
      'alone',
      { first: { number: 1, directory: source.address } },
      { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '10' },
    );
    for (let times = 0; times < 5; times += 1) expect((await fetch(`${directory}/teams`)).status).toBe(200);
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
    expect(program.lines.filter(({ msg }) => msg === 'traces cannot be exported').length).toBeLessThan(2);
    expect(program.lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });
});

/** Starts a server that accepts connections and never answers. Returns its address. */
async function startSilentServer(): Promise<string> {
  const server = createServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    return Promise.resolve();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP port');
  return `http://127.0.0.1:${address.port}`;
}
