import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/admin/prometheus-meter.js';
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
    const meter = createMetrics({ ofProcess: false });
    for (const milliseconds of [0, 1, 2, 40, 60_000]) {
      meter.countRequest({ resource: 'news', status: 200, format: 'json', milliseconds });
    }
    const text = await meter.text();
    const upTo = (seconds: string): string[] =>
      samples(text, 'rollcall_request_duration_seconds_bucket').filter((line) => line.includes(`le="${seconds}"`));
    const counts = ['0.001', '0.0025', '0.025', '0.05', '10', '+Inf'].map((le) => upTo(le)[0]?.split(' ')[1]);
    expect(counts).toEqual(['2', '3', '3', '4', '4', '5']);
    expect(samples(text, 'rollcall_request_duration_seconds_count')).toEqual(['{resource="news"} 5']);
    expect(samples(text, 'rollcall_request_duration_seconds_sum')).toEqual(['{resource="news"} 60.043']);
  });
});
