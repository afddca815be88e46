import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TraceSpan, TracedRequest } from '../../src/model/tracer.js';
import { startTracing } from '../../src/tracing/start-tracing.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { fakeClock } from '../support/fake-clock.js';
import type { FakeClock } from '../support/fake-clock.js';
import { spanKinds, startOtlpCollector } from '../support/otlp-collector.js';
import type { CollectedSpan, OtlpCollector } from '../support/otlp-collector.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { status } from '../support/upstream/faulty-responses.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { waitFor } from '../support/wait-for.js';

const TEAMS = '/directory/v1/teams';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE_ID}-${PARENT_ID}-01`;
/** A word of a query that no span may contain. */
const CANARY = 'zebrafinch';

const records = directoryUpstream([{ id: 1, 'short-team-name': 'Acorn CERT' }]);

let collector: OtlpCollector;
const open: (UpstreamServer | TestGateway)[] = [];

beforeEach(async () => {
  collector = await startOtlpCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.endpoint);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all([collector.close(), ...open.splice(0).map((server) => server.close())]);
});

interface TracedGateway {
  readonly gateway: TestGateway;
  readonly upstream: UpstreamServer;
  readonly clock: FakeClock;
  /** Number of requests whose span has started. */
  readonly arrived: () => number;
  /** Sends all spans to the collector, and returns them. Nothing is traced afterwards. */
  readonly spans: () => Promise<readonly CollectedSpan[]>;
}

/** Starts a gateway over one source, `first`, whose spans are sent to the collector. */
async function start(
  handler: RequestHandler = records,
  registration: object = {},
  setup: Partial<GatewaySetup> = {},
): Promise<TracedGateway> {
  const upstream = await startUpstream(handler);
  const tracing = await startTracing(process.env, '1.2.3', () => undefined);
  const clock = fakeClock();
  const sources = { first: { directory: upstream.address, ...registration } };
  let count = 0;
  const tracer = tracing && {
    startRequest: (request: TracedRequest): TraceSpan => {
      count += 1;
      return tracing.tracer.startRequest(request);
    },
  };
  const gateway = await startGateway({ ...setup, sources }, { clock, tracer });
  open.push(upstream, gateway);
  const spans = async (): Promise<readonly CollectedSpan[]> => {
    await tracing?.close();
    return collector.spans;
  };
  return { gateway, upstream, clock, arrived: () => count, spans };
}

/** The span with this name; there must be exactly one. */
function only(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  const [found, ...others] = spans.filter((span) => span.name === name);
  if (found === undefined || others.length > 0)
    throw new Error(`${others.length + 1} spans ${name} in ${spans.map((span) => span.name).join(', ')}`);
  return found;
}

describe('a request', () => {
  it('has a span, with one for its source, one for the refresh, and one for each page', async () => {
    const { gateway, spans, upstream } = await start();
    await gateway.get(TEAMS);
    const all = await spans();
    const [request, source, refresh] = [`GET {directory_url}/teams`, 'source first', 'refresh first'].map((name) =>
      only(all, name),
    );
    expect(request).toMatchObject({
      kind: spanKinds.server,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '{directory_url}/teams',
        'http.response.status_code': 200,
        'rollcall.resource': 'directory-teams',
        'rollcall.format': 'json',
        'rollcall.cache': 'miss',
      },
      resource: { 'service.name': 'rollcall', 'service.version': '1.2.3' },
    });
    expect(request?.parentSpanId ?? '').toBe('');
    expect(source).toMatchObject({
      kind: spanKinds.internal,
      parentSpanId: request?.spanId,
      attributes: { 'rollcall.source': 'first', 'rollcall.state': 'fresh', 'rollcall.records': 1 },
    });
    expect(refresh).toMatchObject({ parentSpanId: source?.spanId, attributes: { 'rollcall.records': 1 } });
    const { hostname, port, pathname } = new URL(upstream.address);
    const pages = all.filter(({ name }) => name === 'GET first');
    expect(pages).toHaveLength(upstream.requests.length);
    for (const page of pages)
      expect(page).toMatchObject({
        kind: spanKinds.client,
        parentSpanId: refresh?.spanId,
        attributes: {
          'http.request.method': 'GET',
          'http.response.status_code': 200,
          'server.address': hostname,
          'server.port': Number(port),
          'url.full': `http://${hostname}:${port}${pathname}/teams`,
          'rollcall.bytes': expect.any(Number) as number,
        },
      });
    expect(new Set(all.map(({ traceId }) => traceId)).size).toBe(1);
  });

  it('has one span where its response comes from the response cache, with the id of its trace in the log', async () => {
    const { gateway, spans } = await start();
    for (let times = 0; times < 3; times += 1) await gateway.get(TEAMS);
    await waitFor(() => expect(gateway.log.filter(({ message }) => message === 'request')).toHaveLength(3));
    const requests = (await spans()).filter(({ kind }) => kind === spanKinds.server);
    expect(requests.map(({ name, attributes }) => [name, attributes['rollcall.cache']])).toEqual([
      ['GET {directory_url}/teams', 'miss'],
      ['GET {directory_url}/teams', 'hit'],
      ['GET {directory_url}/teams', 'hit'],
    ]);
    const lines = gateway.log.filter(({ message }) => message === 'request');
    expect(lines.map(({ facts }) => 'trace' in facts && facts.trace)).toEqual(requests.map(({ traceId }) => traceId));
  });

  it.each([
    [`${TEAMS}/first.acorn-cert`, 'GET {directory_url}/teams/{id}', 200],
    [`${TEAMS}/first.acorn-cert/same`, 'GET {directory_url}/teams/{id}/same', 200],
    [`${TEAMS}/first.${CANARY}`, 'GET {directory_url}/teams/{id}', 404],
    ['/', 'GET /', 200],
    [`/?q=${CANARY}`, 'GET /', 200],
    ['/teams/first.acorn-cert', 'GET /teams/{id}', 200],
    [`/${CANARY}`, 'GET', 404],
    [`${TEAMS}?limit=${CANARY}`, 'GET {directory_url}/teams', 400],
    [`${TEAMS}?q=${CANARY}`, 'GET {directory_url}/teams', 200],
  ])('for %s has the span %s', async (target, name, expected) => {
    const { gateway, spans } = await start();
    expect((await gateway.get(target)).status).toBe(expected);
    const request = (await spans()).find(({ kind }) => kind === spanKinds.server);
    expect(request).toMatchObject({ name, attributes: { 'http.response.status_code': expected } });
    expect(collector.bodies.join()).not.toContain(CANARY);
  });

  it('names a failed source, with the reason, the status and the number of retries', async () => {
    const { gateway, spans } = await start(status(503), { retries: 2 });
    const { status: received } = await gateway.get(TEAMS);
    const all = await spans();
    expect(received).toBe(502);
    expect(only(all, 'source first')).toMatchObject({
      attributes: { 'rollcall.state': 'failed', 'rollcall.reason': 'status', 'error.type': 'status' },
      status: { code: 2 },
    });
    expect(only(all, 'GET first').attributes).toMatchObject({
      'http.response.status_code': 503,
      'http.request.resend_count': 2,
      'error.type': '503',
    });
    expect(only(all, 'GET {directory_url}/teams')).toMatchObject({ status: { code: 2 } });
  });

  it('that waits for a refresh of another one says so, and the pages are in the trace of the other one', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { gateway, spans, upstream, arrived } = await start((request, response) => {
      void gate.then(() => records(request, response));
    });
    const first = gateway.get(TEAMS);
    await waitFor(() => expect(upstream.requests).toHaveLength(1));
    const second = gateway.get(`${TEAMS}.csv`);
    await waitFor(() => expect(arrived()).toBe(2));
    release();
    await Promise.all([first, second]);
    const all = await spans();
    const sources = all.filter(({ name }) => name === 'source first');
    const [starter, joiner] = [false, true].map((joined) =>
      sources.find(({ attributes }) => (attributes['rollcall.joined'] === true) === joined),
    );
    expect(sources).toHaveLength(2);
    expect(only(all, 'refresh first')).toMatchObject({ traceId: starter?.traceId, parentSpanId: starter?.spanId });
    expect(new Set(all.filter(({ name }) => name === 'GET first').map(({ traceId }) => traceId))).toEqual(
      new Set([starter?.traceId]),
    );
    expect(joiner?.traceId).not.toBe(starter?.traceId);
  });

  it('owns a refresh in the background that outlives it', async () => {
    const { gateway, spans, upstream, clock } = await start();
    await gateway.get(TEAMS);
    clock.advance(61_000);
    const before = upstream.requests.length;
    const { headers } = await gateway.get(TEAMS, { traceparent: TRACEPARENT });
    expect(headers.get('cache-status')).toContain('hit');
    await waitFor(() => expect(upstream.requests.length).toBeGreaterThan(before));
    await waitFor(() => expect(gateway.log.filter(({ message }) => message === 'source drained')).toHaveLength(2));
    const background = (await spans()).filter(({ traceId }) => traceId === TRACE_ID);
    const source = only(background, 'source first');
    expect(only(background, 'refresh first').parentSpanId).toBe(source.spanId);
    expect(source.attributes).not.toHaveProperty('rollcall.joined');
  });

  it('with pushed-down words exports none of them', async () => {
    const upstream = dataUpstream({ teams: [{ id: 'a', team: CANARY }] });
    const { gateway, spans, upstream: server } = await start(upstream, {}, {});
    await gateway.close();
    const supports = { teams: { filters: ['team', 'country'], search: true, total: true, exact: true } };
    const tracing = await startTracing(process.env, '1.2.3', () => undefined);
    const pushing = await startGateway(
      { sources: { first: { data: server.address, supports, 'drain-threshold': 0 } } },
      { tracer: tracing?.tracer },
    );
    await pushing.get(`/data/v1/teams?team=${CANARY}&q=${CANARY}`);
    await Promise.all([spans(), tracing?.close(), pushing.close()]);
    expect(server.requests.some(({ query }) => query.toString().includes(CANARY))).toBe(true);
    expect(collector.spans.some(({ name }) => name === 'GET first')).toBe(true);
    expect(collector.bodies.join()).not.toContain(CANARY);
  });
});

describe('a trace context', () => {
  it('of a client is continued', async () => {
    const { gateway, spans } = await start();
    await gateway.get(TEAMS, { traceparent: TRACEPARENT });
    await gateway.get(TEAMS, { traceparent: TRACEPARENT });
    const requests = (await spans()).filter(({ kind }) => kind === spanKinds.server);
    expect(requests.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([
      [TRACE_ID, PARENT_ID],
      [TRACE_ID, PARENT_ID],
    ]);
  });

  it.each([
    ['of a later version with further parts', `01-${TRACE_ID}-${PARENT_ID}-01-more`, TRACE_ID],
    ['with a trace id of zeros', `00-${'0'.repeat(32)}-${PARENT_ID}-01`, undefined],
    ['with a parent id of zeros', `00-${TRACE_ID}-${'0'.repeat(16)}-01`, undefined],
    ['in capitals', TRACEPARENT.toUpperCase(), undefined],
    ['with further parts in version 00', `${TRACEPARENT}-x`, undefined],
    ['of the version ff', `ff-${TRACE_ID}-${PARENT_ID}-01`, undefined],
    ['of ten thousand letters', 'a'.repeat(10_000), undefined],
    ['with markup', '<script>alert(1)</script>', undefined],
    ['that is sent twice', `${TRACEPARENT}, ${TRACEPARENT}`, undefined],
    ['that is empty', '', undefined],
  ])('%s is ignored unless it is valid', async (_, traceparent, traceId) => {
    const { gateway, spans } = await start();
    const hostileState = `a=${'x'.repeat(5_000)},=,\u0001`.replace('\u0001', '<b>');
    expect((await gateway.get(TEAMS, { traceparent, tracestate: hostileState })).status).toBe(200);
    const request = (await spans()).find(({ kind }) => kind === spanKinds.server);
    if (traceId === undefined) expect(request?.traceId).not.toBe(TRACE_ID);
    else expect(request?.traceId).toBe(traceId);
  });

  it('is not sent to a source', async () => {
    const { gateway, spans, upstream } = await start();
    await gateway.get(TEAMS, { traceparent: TRACEPARENT, tracestate: 'a=1', baggage: 'b=2' });
    await spans();
    const names = upstream.requests.flatMap(({ headers }) => Object.keys(headers));
    expect(names.filter((name) => ['traceparent', 'tracestate', 'baggage'].includes(name))).toEqual([]);
  });

  it('of a private query is recorded without what it searches', async () => {
    const { gateway, spans } = await start();
    await gateway.get(`${TEAMS}?q=${CANARY}`, { traceparent: TRACEPARENT, prefer: 'private' });
    expect(only(await spans(), 'refresh first').traceId).toBe(TRACE_ID);
    expect(collector.bodies.join()).not.toContain(CANARY);
  });
});

describe('the variables of the environment', () => {
  it('name the service, and select the sampler', async () => {
    vi.stubEnv('OTEL_SERVICE_NAME', 'gateway-north');
    vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment.name=test');
    const named = await start();
    await named.gateway.get(TEAMS);
    const [span] = await named.spans();
    expect(span?.resource).toMatchObject({
      'service.name': 'gateway-north',
      'deployment.environment.name': 'test',
    });
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'always_off');
    const count = collector.spans.length;
    const unsampled = await start();
    await unsampled.gateway.get(TEAMS, { traceparent: TRACEPARENT });
    expect((await unsampled.spans()).length).toBe(count);
  });

  it.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'nonsense'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://user:secret@collector.example.org'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ' '],
  ])('%s=%s turns tracing off', async (name, value) => {
    vi.stubEnv(name, value);
    const warnings: unknown[] = [];
    expect(await startTracing(process.env, '1.2.3', (event) => warnings.push(event))).toBeUndefined();
    expect(JSON.stringify(warnings)).not.toContain('secret');
  });

  it('that are not used are reported', async () => {
    vi.stubEnv('OTEL_TRACES_SAMPLER', 'sometimes');
    const warnings: string[] = [];
    const tracing = await startTracing(process.env, '1.2.3', ({ type }) => warnings.push(type));
    expect(warnings).toEqual(['a setting of tracing is not used']);
    await tracing?.close();
  });
});

describe('a collector that fails', () => {
  it('is reported once, and once when it works again', async () => {
    vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '5');
    const messages: string[] = [];
    const tracing = await startTracing(process.env, '1.2.3', ({ type }) => messages.push(type));
    const trace = (): void => {
      const request = { name: 'GET', attributes: {}, traceparent: undefined, tracestate: undefined };
      tracing?.tracer.startRequest(request).end();
    };
    collector.status = 400;
    for (let times = 0; times < 3; times += 1) {
      trace();
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await waitFor(() => expect(messages).toEqual(['traces cannot be exported']));
    collector.status = 200;
    trace();
    await waitFor(() => expect(messages).toEqual(['traces cannot be exported', 'traces are exported again']));
    await tracing?.close();
  });
});
