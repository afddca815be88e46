import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { spanKinds, startOtlpCollector } from '../support/otlp-collector.js';
import type { CollectedSpan, OtlpCollector } from '../support/otlp-collector.js';
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

/** Starts a gateway as a process of its own that sends its spans to an endpoint. Returns it with the address of its interface. */
async function startTraced(
  name: string,
  sources: object,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly program: Program; readonly directory: string }> {
  const server = { name, port: 0, 'warm-up': false, explorer: { enabled: false } };
  const program = await serve({ server, admin: { port: 0 }, sources }, undefined, { environment });
  const { public: origin } = await program.line('listening');
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

/** Starts two gateways, of which the outer one queries the inner one, with two repositories behind the inner one. */
async function startChain(collector: OtlpCollector): Promise<{
  readonly directory: string;
  readonly programs: readonly Program[];
  readonly traced: UpstreamServer;
  readonly plain: UpstreamServer;
}> {
  const [traced, plain] = await Promise.all([repository('Acorn CERT'), repository('Birch CERT')]);
  const environment = (service: string): Record<string, string> => ({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_SERVICE_NAME: service,
  });
  const inner = await startTraced(
    'inner',
    { traced: { number: 1, directory: traced.address, trace: true }, plain: { number: 2, directory: plain.address } },
    environment('inner'),
  );
  const link = { number: 1, directory: inner.directory, aggregate: true, trace: true };
  const outer = await startTraced('outer', { link }, environment('outer'));
  return { directory: outer.directory, programs: [outer.program, inner.program], traced, plain };
}

/** Stops the processes, so that they send their last spans. */
async function stopAll(programs: readonly Program[]): Promise<void> {
  for (const program of programs) {
    program.kill('SIGTERM');
    expect(await program.exit).toBe(0);
  }
}

describe('a chain of two gateways', () => {
  it('records one trace, from the client to each repository', async () => {
    const collector = await startOtlpCollector();
    closers.push(() => collector.close());
    const { directory, programs, traced, plain } = await startChain(collector);
    const response = await fetch(`${directory}/teams?q=${CANARY}`, { headers: CLIENT });
    expect(response.status).toBe(200);
    await stopAll(programs);
    const { spans } = collector;
    expect([...new Set(spans.map(({ traceId }) => traceId))]).toEqual([TRACE_ID]);
    const [root] = spans.filter(({ parentSpanId }) => parentSpanId === CLIENT_SPAN);
    expect(root).toMatchObject({ name: 'GET {directory_url}/teams', kind: spanKinds.server });
    const outerSteps = [
      'outer: GET link',
      'outer: refresh link',
      'outer: source link',
      'outer: GET {directory_url}/teams',
    ];
    for (const code of ['traced', 'plain']) {
      const pages = spans.filter(({ name }) => name === `GET ${code}`);
      expect(pages.length).toBeGreaterThan(0);
      expect(pages.map((page) => pathOf(page, spans))).toContainEqual([
        ...[`inner: GET ${code}`, `inner: refresh ${code}`, `inner: source ${code}`],
        ...['inner: GET {directory_url}/teams', ...outerSteps],
      ]);
    }
    // Each page of the outer gateway is a request to the inner one.
    const requests = spans.filter(
      ({ resource, kind }) => resource['service.name'] === 'inner' && kind === spanKinds.server,
    );
    const pages = spans.filter(({ name }) => name === 'GET link');
    expect(requests.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(pages.map(({ spanId }) => spanId).sort());
    expect(headerOf(traced, 'tracestate')).toEqual(['client=1']);
    expect(headerOf(plain, 'traceparent')).toEqual([undefined]);
    expect([...headerOf(traced, 'baggage'), ...headerOf(traced, 'x-request-id')]).toEqual([undefined, undefined]);
    expect(collector.bodies.join()).not.toContain(CANARY);
  });

  it('sends nothing of the trace of a private query to the inner one', async () => {
    const collector = await startOtlpCollector();
    closers.push(() => collector.close());
    const { directory, programs, traced } = await startChain(collector);
    const headers = { ...CLIENT, prefer: 'private' };
    expect((await fetch(`${directory}/teams?q=${CANARY}`, { headers })).status).toBe(200);
    await stopAll(programs);
    const services = (spans: readonly CollectedSpan[]): unknown => [
      ...new Set(spans.map(({ resource }) => resource['service.name'])),
    ];
    expect(services(collector.spans.filter(({ traceId }) => traceId === TRACE_ID))).toEqual(['outer']);
    expect(services(collector.spans.filter(({ traceId }) => traceId !== TRACE_ID))).toEqual(['inner']);
    expect(headerOf(traced, 'traceparent')).not.toContainEqual(expect.stringContaining(TRACE_ID));
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
