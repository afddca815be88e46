import { describe, expect, it } from 'vitest';
import { formatMergedMetrics } from '../../../../src/admin/metrics/metric-registry.js';
import { createMetrics, createPrimaryMetrics } from '../../../../src/admin/metrics/metrics.js';
import type { Metrics } from '../../../../src/admin/metrics/metrics.js';
import { WorkerMetrics, parseMetricReports } from '../../../../src/cli/serve/workers/worker-metrics.js';

function serveRequests(metrics: Metrics, count: number): void {
  for (let at = 0; at < count; at += 1)
    metrics.countRequest({ resource: 'news', status: 200, format: 'json', cache: 'hit', milliseconds: 3 });
}

function fetchRecords(metrics: Metrics, source: string, fetchedAt: number, records: number): void {
  const findings = new Map([['white-space host', records]]);
  metrics.recordFetch({
    source,
    resource: 'news',
    outcome: { state: 'fresh', snapshot: undefined },
    records,
    fetchedAt,
    findings,
  });
}

const read = async (metrics: Metrics): ReturnType<typeof parse> => parse(await metrics.report());
const parse = (report: unknown): Promise<ReturnType<typeof parseMetricReports>> =>
  Promise.resolve(parseMetricReports(structuredClone(report)));

const REQUESTS = 'rollcall_requests_total{resource="news",status="200",format="json"}';

describe('WorkerMetrics', () => {
  it('adds counters and histograms, and takes of gauges the value that counts', async () => {
    const [one, two] = [createMetrics({ ofProcess: true }), createMetrics({ ofProcess: true })];
    serveRequests(one, 2);
    serveRequests(two, 3);
    fetchRecords(one, 'a', 2_000, 10);
    fetchRecords(two, 'a', 1_000, 12);
    one.recordSuspension('a', true);
    two.recordSuspension('a', false);
    const primary = createPrimaryMetrics();
    primary.recordReadiness(true);
    primary.recordReadyWorkers(2);
    const workers = new WorkerMetrics();
    workers.record(one, await read(one));
    workers.record(two, await read(two));
    const text = await formatMergedMetrics(workers.collect(await read(primary), new Set([one, two])));
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        `${REQUESTS} 5`,
        'rollcall_request_duration_seconds_bucket{le="0.005",resource="news"} 5',
        'rollcall_request_duration_seconds_count{resource="news"} 5',
        'rollcall_source_fetches_total{source="a",resource="news",state="fresh",reason=""} 2',
        'rollcall_source_records{source="a",resource="news"} 12',
        'rollcall_source_fetched_timestamp_seconds{source="a",resource="news"} 1',
        'rollcall_source_suspended{source="a"} 1',
        'rollcall_source_findings{source="a",resource="news",rule="white-space",field="host"} 12',
        'rollcall_ready 1',
        'rollcall_workers 2',
      ]),
    );
    expect(text).toMatch(/^process_start_time_seconds \d/m);
  });

  it('never lets a counter decrease when a process ends, and drops its gauges', async () => {
    const workers = new WorkerMetrics();
    const processes = [createMetrics({ ofProcess: false }), createMetrics({ ofProcess: false })];
    for (const [at, process] of processes.entries()) {
      serveRequests(process, 4);
      fetchRecords(process, `source-${at}`, 1_000, 7);
      workers.record(process, await read(process));
      workers.recordEnd(process);
    }
    const next = createMetrics({ ofProcess: false });
    serveRequests(next, 1);
    workers.record(next, await read(next));
    const primary = await read(createPrimaryMetrics());
    const format = (): Promise<string> => formatMergedMetrics(workers.collect(primary, new Set([next])));
    const text = await format();
    expect(text).toContain(`\n${REQUESTS} 9\n`);
    expect(text).toContain('\nrollcall_request_duration_seconds_count{resource="news"} 9\n');
    expect(text).toContain('rollcall_source_fetches_total{source="source-0"');
    expect(text).not.toContain('rollcall_source_records{');
    workers.retainSources(new Set(['source-1']));
    expect(await format()).not.toContain('source-0');
  });

  it('keeps the counts of a process that does not answer, without its gauges', async () => {
    const workers = new WorkerMetrics();
    const process = createMetrics({ ofProcess: false });
    serveRequests(process, 4);
    fetchRecords(process, 'a', 1_000, 7);
    workers.record(process, await read(process));
    const text = await formatMergedMetrics(workers.collect(await read(createPrimaryMetrics()), new Set()));
    expect(text).toContain(`\n${REQUESTS} 4\n`);
    expect(text).not.toContain('rollcall_source_records{');
  });
});

describe('parseMetricReports', () => {
  it('refuses what is not a list of metrics', () => {
    const metric = { name: 'a', help: 'a', type: 'counter', aggregator: 'sum', values: [] };
    expect(parseMetricReports([metric])).toEqual([metric]);
    for (const wrong of [
      metric,
      [{ ...metric, aggregator: 'x' }],
      [{ ...metric, values: [{ value: '1', labels: {} }] }],
    ])
      expect(() => parseMetricReports(wrong)).toThrow('invalid message');
  });
});
