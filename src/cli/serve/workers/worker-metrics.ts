import { METRIC_AGGREGATORS, METRIC_KINDS } from '../../../admin/metrics/metric-registry.js';
import type { MetricReport, MetricValue } from '../../../admin/metrics/metric-registry.js';
import { listOf, mapOf, objectOf, oneOf, parseNumber, parseText } from './message-parser.js';
import type { ValueParser } from './message-parser.js';

const parseLabel: ValueParser<string | number> = (value) => (typeof value === 'number' ? value : parseText(value));

const parseValue: ValueParser<MetricValue> = objectOf((fields) => ({
  value: fields.get('value', parseNumber),
  labels: Object.fromEntries(fields.get('labels', mapOf(parseLabel))),
  ...fields.optional('metricName', parseText),
}));

/** Reads the metrics of a process (`Metrics.report`). */
export const parseMetricReports: ValueParser<readonly MetricReport[]> = listOf(
  objectOf((fields) => ({
    name: fields.get('name', parseText),
    help: fields.get('help', parseText),
    type: fields.get('type', oneOf(METRIC_KINDS)),
    aggregator: fields.get('aggregator', oneOf(METRIC_AGGREGATORS)),
    values: fields.get('values', listOf(parseValue)),
  })),
);

/** Metrics that are those of the primary process, although each process has them. */
const PRIMARY_METRICS: ReadonlySet<string> = new Set(['process_start_time_seconds']);

/**
 * The metrics of the workers. A counter must never decrease, or its rate would be wrong (operation 3.4). So what the
 * processes counted that have ended since is added to what the running ones count.
 */
export class WorkerMetrics {
  /** Counts of the processes that have ended. */
  private ended: readonly MetricReport[] = [];
  /** The last report of each running process, by a key of the process. */
  private readonly latest = new Map<object, readonly MetricReport[]>();

  /** Notes the report of a running process. */
  record(process: object, report: readonly MetricReport[]): void {
    this.latest.set(process, report);
  }

  /** Notes that a process has ended. Its counts are those of its last report. */
  recordEnd(process: object): void {
    const counts = (this.latest.get(process) ?? []).filter(isCount);
    this.latest.delete(process);
    this.ended = addCounts(this.ended, counts);
  }

  /** Forgets the counts about sources that are not registered any more. */
  retainSources(codes: ReadonlySet<string>): void {
    this.ended = this.ended.map((metric) => ({
      ...metric,
      values: metric.values.filter(({ labels: { source } }) => source === undefined || codes.has(String(source))),
    }));
  }

  /** The reports to be merged: the primary's first; of a process that did not answer now, only the counts it had before. */
  collect(primary: readonly MetricReport[], answered: ReadonlySet<object>): readonly (readonly MetricReport[])[] {
    const own = primary.map((metric) =>
      PRIMARY_METRICS.has(metric.name) ? { ...metric, aggregator: 'first' as const } : metric,
    );
    const running = [...this.latest].map(([process, report]) =>
      answered.has(process) ? report : report.filter(isCount),
    );
    return [own, this.ended, ...running];
  }
}

function isCount({ type }: MetricReport): boolean {
  return type !== 'gauge';
}

/** Adds the values with the same name and labels. */
function addCounts(one: readonly MetricReport[], other: readonly MetricReport[]): readonly MetricReport[] {
  const metrics = new Map<string, MetricReport>();
  for (const metric of [...one, ...other]) {
    const known = metrics.get(metric.name);
    metrics.set(metric.name, known === undefined ? metric : { ...metric, values: addValues(known, metric) });
  }
  return [...metrics.values()];
}

function addValues(one: MetricReport, other: MetricReport): readonly MetricValue[] {
  const values = new Map<string, MetricValue>();
  for (const value of [...one.values, ...other.values]) {
    const labels = Object.entries(value.labels).sort(([a], [b]) => (a < b ? -1 : 1));
    const key = JSON.stringify([value.metricName, labels]);
    values.set(key, { ...value, value: value.value + (values.get(key)?.value ?? 0) });
  }
  return [...values.values()];
}
