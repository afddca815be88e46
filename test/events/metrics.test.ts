import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/events/metrics.js';
import type { Metrics } from '../../src/events/metrics.js';
import { news } from '../../src/model/resources/news.js';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway } from '../support/gateway/data-gateway.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import * as faulty from '../support/upstream/faulty-responses.js';

afterEach(closeDataGateways);

const RECORDS = {
  teams: [{ id: 'a', team: 'A' }],
  news: [{ id: 1, title: 'N', published: '2025-06-01' }],
  channels: [],
};

/** The samples of a metric, without the name of the metric. */
function samples(text: string, name: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
  return lines.map((line) => line.slice(name.length)).sort();
}

/** The samples of a metric after the given number of requests has been counted, which may be a little after the response. */
async function samplesAfter({ gateway }: DataGateway, name: string, requests: number): Promise<string[]> {
  const sum = async (): Promise<number> => {
    const lines = samples(await gateway.metrics(), 'rollcall_requests_total');
    return lines.reduce((all, line) => all + Number(line.slice(line.lastIndexOf(' '))), 0);
  };
  await expect.poll(sum).toBe(requests);
  return samples(await gateway.metrics(), name);
}

describe('rollcall_source_suspended', () => {
  it('is 0 for each source before its first request', async () => {
    const { gateway } = await startDataGateway({ one: { records: RECORDS }, other: { records: RECORDS } });
    const expected = ['{source="one"} 0', '{source="other"} 0'];
    expect(samples(await gateway.metrics(), 'rollcall_source_suspended')).toEqual(expected);
  });
});

describe('rollcall_requests_total', () => {
  it('counts requests by resource, status and format', async () => {
    const gateway = await startDataGateway({ one: { records: RECORDS } });
    const targets = ['/teams', '/teams', '/teams.csv', '/news/1001.xml', '/news/1999', '/teams?limt=1', '/nothing'];
    for (const target of targets) await gateway.gateway.get(`/data/v1${target}`);
    await gateway.gateway.get('/directory/v1/teams.yaml');
    await gateway.gateway.get('/data/v1/teams?callback=call&limit=x');
    await gateway.gateway.get('/data/v1/teams', { 'if-none-match': '*' });
    expect(await samplesAfter(gateway, 'rollcall_requests_total', 10)).toEqual([
      '{resource="data-teams",status="200",format="csv"} 1',
      '{resource="data-teams",status="200",format="json"} 2',
      '{resource="data-teams",status="304",format="json"} 1',
      '{resource="data-teams",status="400",format="json"} 1',
      '{resource="data-teams",status="400",format="jsonp"} 1',
      '{resource="directory-teams",status="200",format="yaml"} 1',
      '{resource="news-item",status="200",format="xml"} 1',
      '{resource="news-item",status="404",format="json"} 1',
      '{resource="none",status="404",format="json"} 1',
    ]);
  });

  it('counts other methods too, with format none where the response has no body', async () => {
    const gateway = await startDataGateway({ one: { records: RECORDS } });
    for (const method of ['HEAD', 'OPTIONS', 'POST']) {
      await fetch(`${gateway.gateway.origin}/data/v1/channels`, { method });
    }
    expect(await samplesAfter(gateway, 'rollcall_requests_total', 3)).toEqual([
      '{resource="channels",status="200",format="json"} 1',
      '{resource="channels",status="204",format="none"} 1',
      '{resource="channels",status="405",format="json"} 1',
    ]);
  });

  it('counts clients that disconnect before their response, without a duration', async () => {
    const gate = faulty.holdResponses(dataUpstream(RECORDS));
    const gateway = await startDataGateway({ one: { records: RECORDS, handler: gate.handler } });
    const disconnecting = request(`${gateway.gateway.origin}/data/v1/teams`).on('error', () => undefined);
    disconnecting.end();
    await expect.poll(() => gateway.upstreams['one']?.requests.length).toBe(1);
    disconnecting.destroy();
    expect(await samplesAfter(gateway, 'rollcall_requests_total', 1)).toEqual([
      '{resource="data-teams",status="aborted",format="none"} 1',
    ]);
    expect(await samplesAfter(gateway, 'rollcall_request_duration_seconds_count', 1)).toEqual([]);
    gate.release();
  });

  it('counts requests that are not logged', async () => {
    const gateway = await startDataGateway({ one: { records: RECORDS } }, { server: { log: 'none' } });
    await gateway.ask('/teams');
    expect(await samplesAfter(gateway, 'rollcall_requests_total', 1)).toHaveLength(1);
    expect(gateway.gateway.log.filter(({ message }) => message === 'request')).toEqual([]);
  });
});

describe('rollcall_cache_results_total', () => {
  it('counts lists by what was cached for them', async () => {
    const gateway = await startDataGateway(
      { one: { records: RECORDS } },
      { defaults: { 'stale-while-revalidate': '0s' } },
    );
    for (const target of ['/teams', '/teams?q=a', '/teams?limt=1', '/news/1999']) await gateway.ask(target);
    gateway.clock.advance(60_000);
    await gateway.ask('/teams');
    expect(await samplesAfter(gateway, 'rollcall_cache_results_total', 5)).toEqual([
      '{resource="data-teams",result="hit"} 1',
      '{resource="data-teams",result="miss"} 1',
      '{resource="data-teams",result="stale"} 1',
    ]);
  });
});

describe('rollcall_request_duration_seconds', () => {
  it('has buckets for short and long durations', async () => {
    const metrics = createMetrics({ ofProcess: false });
    for (const milliseconds of [0, 1, 2, 40, 60_000]) {
      const facts = { resource: 'news', format: 'json' } as const;
      metrics.note({ type: 'request answered', facts, status: 200, isAborted: false, milliseconds });
    }
    const text = await metrics.text();
    const upTo = (seconds: string): string[] =>
      samples(text, 'rollcall_request_duration_seconds_bucket').filter((line) => line.includes(`le="${seconds}"`));
    const counts = ['0.001', '0.0025', '0.025', '0.05', '10', '+Inf'].map((le) => upTo(le)[0]?.split(' ')[1]);
    expect(counts).toEqual(['2', '3', '3', '4', '4', '5']);
    expect(samples(text, 'rollcall_request_duration_seconds_count')).toEqual(['{resource="news"} 5']);
    expect(samples(text, 'rollcall_request_duration_seconds_sum')).toEqual(['{resource="news"} 60.043']);
  });
});

describe('the counters of credentials and rate limits', () => {
  it('count requests by client, credential and access level, without the subjects of tokens', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const note = (client: string, credential: 'key' | 'token', level: 'public' | 'members'): void =>
      metrics.note({ type: 'client authenticated', client, credential, level });
    note('portal', 'key', 'members');
    note('portal', 'key', 'members');
    note('portal', 'key', 'public');
    note('subject-1', 'token', 'members');
    note('subject-2', 'token', 'members');
    expect(samples(await metrics.text(), 'rollcall_client_requests_total')).toEqual([
      '{client="",credential="token",access="members"} 2',
      '{client="portal",credential="key",access="members"} 2',
      '{client="portal",credential="key",access="public"} 1',
    ]);
  });

  it('count refused credentials by reason', async () => {
    const metrics = createMetrics({ ofProcess: false });
    for (const reason of ['unknown', 'expired', 'unknown'] as const)
      metrics.note({ type: 'credential rejected', reason });
    expect(samples(await metrics.text(), 'rollcall_rejected_credentials_total')).toEqual([
      '{reason="expired"} 1',
      '{reason="unknown"} 2',
    ]);
  });

  it('count requests over a rate limit by limit', async () => {
    const metrics = createMetrics({ ofProcess: false });
    for (const limit of ['client', 'address', 'address'] as const) metrics.note({ type: 'rate limit exceeded', limit });
    expect(samples(await metrics.text(), 'rollcall_rate_limited_requests_total')).toEqual([
      '{limit="address"} 2',
      '{limit="client"} 1',
    ]);
  });
});

/** Reports one event of each kind about the source `one`, with `records` records and findings. */
function reportSourceEvents({ note }: Metrics, records: number, access?: 'members'): void {
  const findings = new Map([['missing country', records]]);
  const about = { source: 'one', ...(access && { access }) };
  const result = { kind: 'confirmed', milliseconds: 0 } as const;
  note({ type: 'request sent', ...about, result: 'ok' });
  note({
    ...{ type: 'fetch finished', ...about, resource: news, parameters: {}, list: 'whole', at: 0, result },
    ...{ outcome: { state: 'failed', reason: 'timeout' }, isAdopted: false },
    ...{ records, verifiedAt: records * 1_000, findings },
  });
  note({ type: 'keys checked', ...about, keys: 1, findings });
  note({ type: 'capability disproved', ...about, resource: 'news', capability: 'total' });
  note({ type: 'source registered', ...about, isSuspended: records > 1 });
}

/** The samples of all metrics about sources. */
async function sourceSamples({ text }: { readonly text: () => Promise<string> }): Promise<string[]> {
  return (await text()).split('\n').filter((line) => line.startsWith('rollcall_source_'));
}

const PUBLIC_SAMPLES = [
  'rollcall_source_requests_total{source="one",result="ok"} 1',
  'rollcall_source_fetches_total{source="one",resource="news",state="failed",reason="timeout"} 1',
  'rollcall_source_capabilities_disproved_total{source="one",resource="news",capability="total"} 1',
  'rollcall_source_suspended{source="one"} 0',
  'rollcall_source_records{source="one",resource="news"} 1',
  'rollcall_source_fetched_timestamp_seconds{source="one",resource="news"} 1',
  'rollcall_source_findings{source="one",resource="news",rule="missing",field="country"} 1',
  'rollcall_source_findings{source="one",resource="team-keys",rule="missing",field="country"} 1',
];

const MEMBERS_SAMPLES = [
  'rollcall_source_requests_total{source="one",result="ok",access="members"} 1',
  'rollcall_source_fetches_total{source="one",resource="news",state="failed",reason="timeout",access="members"} 1',
  'rollcall_source_capabilities_disproved_total{source="one",resource="news",capability="total",access="members"} 1',
  'rollcall_source_suspended{source="one",access="members"} 1',
  'rollcall_source_records{source="one",resource="news",access="members"} 2',
  'rollcall_source_fetched_timestamp_seconds{source="one",resource="news",access="members"} 2',
  'rollcall_source_findings{source="one",resource="news",access="members",rule="missing",field="country"} 2',
  'rollcall_source_findings{source="one",resource="team-keys",access="members",rule="missing",field="country"} 2',
];

describe('the metrics about sources', () => {
  it('have the label access at the level members only', async () => {
    const metrics = createMetrics({ ofProcess: false });
    reportSourceEvents(metrics, 2, 'members');
    expect(await sourceSamples(metrics)).toEqual(MEMBERS_SAMPLES);
    reportSourceEvents(metrics, 1);
    expect((await sourceSamples(metrics)).toSorted()).toEqual([...PUBLIC_SAMPLES, ...MEMBERS_SAMPLES].toSorted());
    metrics.note({ type: 'source removed', source: 'one' });
    expect(await sourceSamples(metrics)).toEqual([]);
  });

  it('count repeated fetches of the two levels separately', async () => {
    const metrics = createMetrics({ ofProcess: false });
    for (const level of [undefined, 'members', 'members'] as const) reportSourceEvents(metrics, 1, level);
    expect(samples(await metrics.text(), 'rollcall_source_fetches_total')).toEqual([
      '{source="one",resource="news",state="failed",reason="timeout",access="members"} 2',
      '{source="one",resource="news",state="failed",reason="timeout"} 1',
    ]);
  });
});
