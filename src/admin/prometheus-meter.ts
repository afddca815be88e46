import { AggregatorRegistry, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { AccessLevel } from '../model/access-level.js';
import type {
  ClientRequestEvent,
  FetchEvent,
  KeyFindings,
  Meter,
  RateLimitName,
  RejectedCredentialReason,
  RequestEvent,
  SourceMeter,
} from '../model/meter.js';
import { LabelTree } from './label-tree.js';

/**
 * The latest fetch of a resource of a source. Where it returned no data, `fetchedAt` and `findings` are those of the
 * last fetch that did.
 */
type LatestFetch = Pick<FetchEvent, 'source' | 'resource' | 'outcome' | 'records'> & {
  readonly [Name in 'fetchedAt' | 'findings']: FetchEvent[Name] | undefined;
} & {
  readonly access: AccessLabel;
  /** Number of fetches with the same labels. */
  readonly count: LabelledCount;
};

/** Findings about PGP keys with the label of their access level. */
type LabelledKeyFindings = KeyFindings & { readonly access: AccessLabel };

/** Label `access` of a metric about sources. It is absent at the level `public`. */
interface AccessLabel {
  readonly access?: 'members';
}

const accessLabels: Readonly<Record<AccessLevel, AccessLabel>> = { public: {}, members: { access: 'members' } };

/** How the values of several processes become one: `first` takes that of the first process, `omit` none. */
export const METRIC_AGGREGATORS = ['sum', 'first', 'min', 'max', 'average', 'omit'] as const;

/** One metric of a process with its values. */
export interface MetricReport {
  readonly name: string;
  readonly help: string;
  readonly type: MetricKind;
  readonly aggregator: (typeof METRIC_AGGREGATORS)[number];
  readonly values: readonly MetricValue[];
}

/** Kinds of metrics of Prometheus. */
export const METRIC_KINDS = ['counter', 'gauge', 'histogram', 'summary'] as const;
export type MetricKind = (typeof METRIC_KINDS)[number];

/** One value of a metric. */
export interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of a histogram: its name with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string;
}

/** The metrics of several processes as one text, by the aggregator of each metric (operation 3.4). */
export function formatMergedMetrics(reports: readonly (readonly MetricReport[])[]): Promise<string> {
  return AggregatorRegistry.aggregate(reports.map((report) => [...report])).metrics();
}

/** The meter of one process, and its text for Prometheus. */
export interface Metrics extends Meter {
  readonly contentType: string;
  /** All metrics in the Prometheus text format (operation 3.4). */
  text(): Promise<string>;
  /** All metrics as data: once it is parsed, a list of {@link MetricReport}. */
  report(): Promise<unknown>;
  /** Records whether the process is ready (operation 3.3). */
  recordReadiness(isReady: boolean): void;
  /** Counts a reload of the configuration; `at`, in milliseconds since 1970, is when a valid one was put in force. */
  recordReload(reload: { readonly isSuccessful: boolean; readonly at?: number }): void;
  /** Records whether this instance serves what the others serve; undefined: it does (operation 2.5.4). */
  recordAgreement(disagreement: string | undefined): void;
  /** Counts a snapshot of another instance, or an entry of the shared memory that was refused (operation 2.5.4). */
  countSharedSnapshot(event: 'adopted' | 'refused'): void;
  /** Removes the metrics of a source that is no longer registered. */
  forgetSource(source: string): void;
}

/**
 * Creates a meter that counts with prom-client. The names of its metrics begin with `rollcall_`; with `ofProcess`, the
 * default metrics of the process are included (operation 3.4).
 */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  return createRegistryMetrics(new Registry(), ofProcess);
}

function createRegistryMetrics(registry: Registry, ofProcess: boolean): Metrics {
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const closed = createClosedConnectionCounter(registry);
  const countRequest = createRequestCounters(registry);
  const { forAccess, forgetSource } = createSourceMeters(registry);
  return {
    ...forAccess('public'),
    contentType: registry.contentType,
    text: () => registry.metrics(),
    report: () => registry.getMetricsAsJSON(),
    countRequest,
    countClosedConnection: (reason) => {
      closed.inc({ reason });
    },
    ...createClientCounters(registry),
    recordReadiness: createReadinessGauge(registry),
    recordReload: createReloadMetrics(registry),
    ...createSharedMemoryMetrics(registry),
    forAccess,
    forgetSource,
  };
}

/** Creates the meters of all access levels for the same metrics. */
function createSourceMeters(registry: Registry): Pick<Metrics, 'forAccess' | 'forgetSource'> {
  const counters = createSourceCounters(registry);
  const latest = new LabelTree<LatestFetch>();
  const keys = new LabelTree<LabelledKeyFindings>();
  registerSourceGauges(registry, latest);
  registerFindingsGauge(registry, latest, keys);
  const create = (access: AccessLabel): SourceMeter => createSourceMeter({ ...counters, latest, keys, access });
  const meters: Readonly<Record<AccessLevel, SourceMeter>> = {
    public: create(accessLabels.public),
    members: create(accessLabels.members),
  };
  const forgetSource = (source: string): void => {
    for (const tree of [latest, keys, ...counters.trees]) tree.remove(source);
    for (const access of Object.values(accessLabels)) counters.suspended.remove({ source, ...access });
    counters.certificateExpiry.remove({ source });
  };
  return { forAccess: (level) => meters[level], forgetSource };
}

/** Creates the meter of one access level. */
function createSourceMeter(metrics: SourceMetrics): SourceMeter {
  const { requests, disproved, suspended, certificateExpiry, keys, access } = metrics;
  const accessValues = getAccessValues(access);
  return {
    sourceRequestCounter: (source) => {
      const counts = new Map<string, LabelledCount>();
      return (result) => {
        const existing = counts.get(result);
        const count = existing ?? requests([source, result, ...accessValues]);
        if (existing === undefined) counts.set(result, count);
        count.count += 1;
      };
    },
    recordKeyFindings: (event) => {
      const { source, origin, findings } = event;
      keys.getNode([source, origin, ...accessValues]).value = { source, origin, findings, access };
    },
    countDisprovedCapability: ({ source, resource, capability }) => {
      disproved([source, resource, capability, ...accessValues]).count += 1;
    },
    recordSuspension: (source, isSuspended) => {
      suspended.set({ source, ...access }, isSuspended ? 1 : 0);
    },
    recordCertificateExpiry: (source, expiresAt) => {
      certificateExpiry.set({ source }, expiresAt / 1_000);
    },
    recordFetch: (event) => {
      recordLatestFetch(event, metrics);
    },
  };
}

/** The label as the last of a list of labels; empty where it is absent. */
function getAccessValues({ access }: AccessLabel): readonly string[] {
  return access === undefined ? [] : [access];
}

function recordLatestFetch(event: FetchEvent, { fetches, latest, access }: SourceMetrics): void {
  const { source, resource, outcome, records } = event;
  const accessValues = getAccessValues(access);
  const node = latest.getNode([source, resource, ...accessValues]);
  const previous = node.value;
  const { fetchedAt = previous?.fetchedAt, findings = previous?.findings } = event;
  const [state, reason] = [outcome.state, getReason(outcome)];
  const isSameResult = previous?.outcome.state === state && getReason(previous.outcome) === reason;
  const count = isSameResult ? previous.count : fetches([source, resource, state, reason, ...accessValues]);
  node.value = { source, resource, outcome, records, fetchedAt, findings, access, count };
  if (event.isAdopted !== true) count.count += 1;
}

function getReason(outcome: LatestFetch['outcome']): string {
  return 'reason' in outcome ? outcome.reason : '';
}

/** The metrics about sources that count events. */
interface SourceCounters {
  readonly requests: CounterLookup;
  readonly fetches: CounterLookup;
  readonly disproved: CounterLookup;
  readonly suspended: Gauge<'source' | 'access'>;
  readonly certificateExpiry: Gauge<'source'>;
  /** The counts of all these counters; the first label is the source. */
  readonly trees: readonly LabelTree<LabelledCount>[];
}

/** What the meter of one access level writes to. */
interface SourceMetrics extends SourceCounters {
  readonly latest: LabelTree<LatestFetch>;
  readonly keys: LabelTree<LabelledKeyFindings>;
  readonly access: AccessLabel;
}

function createSourceCounters(registry: Registry): SourceCounters {
  const trees = Array.from({ length: 3 }, () => new LabelTree<LabelledCount>());
  const [requests, fetches, disproved] = trees;
  return {
    trees,
    requests: createCounter(registry, {
      name: 'rollcall_source_requests_total',
      help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
      labelNames: ['source', 'result', 'access'],
      counts: requests,
    }),
    fetches: createCounter(registry, {
      name: 'rollcall_source_fetches_total',
      help: 'Fetches of a resource of a source, by state and reason of the result.',
      labelNames: ['source', 'resource', 'state', 'reason', 'access'],
      counts: fetches,
    }),
    disproved: createCounter(registry, {
      name: 'rollcall_source_capabilities_disproved_total',
      help: 'Declared capabilities that a response of the source contradicted; each is off until the next start or reload.',
      labelNames: ['source', 'resource', 'capability', 'access'],
      counts: disproved,
    }),
    suspended: new Gauge({
      name: 'rollcall_source_suspended',
      help: '1 while the source is suspended (only trial requests are sent to it), else 0.',
      aggregator: 'max',
      labelNames: ['source', 'access'],
      registers: [registry],
    }),
    certificateExpiry: new Gauge({
      name: 'rollcall_source_certificate_expiry_timestamp_seconds',
      help: 'Time at which the TLS certificate of a source expires, as its server sent it.',
      aggregator: 'min',
      labelNames: ['source'],
      registers: [registry],
    }),
  };
}

function createReadinessGauge(registry: Registry): Metrics['recordReadiness'] {
  const ready = new Gauge({
    name: 'rollcall_ready',
    help: '1 while /readyz is 200, else 0.',
    aggregator: 'first',
    registers: [registry],
  });
  return (isReady) => {
    ready.set(isReady ? 1 : 0);
  };
}

/** Creates the metrics of the shared memory. They appear where one is configured. */
function createSharedMemoryMetrics(registry: Registry): Pick<Metrics, 'recordAgreement' | 'countSharedSnapshot'> {
  const registers = [registry];
  let metrics: { readonly up: Gauge; readonly snapshots: Counter } | undefined;
  const create = (): NonNullable<typeof metrics> => ({
    up: new Gauge({
      name: 'rollcall_shared_memory_up',
      help: '1 if this instance is in agreement with the others through cache.redis, else 0.',
      aggregator: 'min',
      registers,
    }),
    snapshots: new Counter({
      name: 'rollcall_shared_snapshots_total',
      help: 'Snapshots of other instances that were adopted, and entries of the shared memory that were refused.',
      labelNames: ['event'],
      registers,
    }),
  });
  return {
    recordAgreement: (disagreement) => {
      metrics ??= create();
      metrics.up.set(disagreement === undefined ? 1 : 0);
    },
    countSharedSnapshot: (event) => {
      metrics ??= create();
      metrics.snapshots.inc({ event });
    },
  };
}

/** Counts of the workers of a primary process (operation 2.3.9). */
export interface WorkerMeter {
  /** Records how many workers are ready. */
  recordReadyWorkers(count: number): void;
  /** Counts a worker that ended although it was not stopped. */
  countFailedWorker(): void;
}

/** The metrics of a primary process. */
export interface PrimaryMetrics extends Metrics, WorkerMeter {}

/** Creates the metrics of a primary process: it serves nothing itself, and counts its workers. */
export function createPrimaryMetrics(): PrimaryMetrics {
  const registry = new Registry();
  return { ...createRegistryMetrics(registry, true), ...createWorkerMeter(registry) };
}

function createWorkerMeter(registry: Registry): WorkerMeter {
  const registers = [registry];
  const ready = new Gauge({ name: 'rollcall_workers', help: 'Workers that are ready.', registers });
  const failed = new Counter({
    name: 'rollcall_failed_workers_total',
    help: 'Workers that ended although they were not stopped.',
    registers,
  });
  return {
    recordReadyWorkers: (count) => {
      ready.set(count);
    },
    countFailedWorker: () => {
      failed.inc();
    },
  };
}

/** Creates the metrics of reloads, named as those of Prometheus itself. */
function createReloadMetrics(registry: Registry): Metrics['recordReload'] {
  const registers = [registry];
  const success = new Gauge({
    name: 'rollcall_config_last_reload_successful',
    help: '1 if the last attempt to load the configuration put it in force, else 0.',
    aggregator: 'first',
    registers,
  });
  const time = new Gauge({
    name: 'rollcall_config_last_reload_success_timestamp_seconds',
    help: 'Time at which the configuration file was last found valid and in force.',
    aggregator: 'first',
    registers,
  });
  return ({ isSuccessful, at }) => {
    success.set(isSuccessful ? 1 : 0);
    if (at !== undefined) time.set(at / 1_000);
  };
}

function createClosedConnectionCounter(registry: Registry): Counter<'reason'> {
  return new Counter({
    name: 'rollcall_connections_closed_total',
    help: 'Client connections closed by a limit, by limit (server.limits; pipelining: too many requests waited on the connection).',
    labelNames: ['reason'],
    registers: [registry],
  });
}

/** Creates the counters of credentials and rate limits. */
function createClientCounters(
  registry: Registry,
): Pick<Meter, 'countClientRequest' | 'countRejectedCredential' | 'countRateLimited'> {
  const requests = createCounter(registry, {
    name: 'rollcall_client_requests_total',
    help: 'Requests with a valid credential, by client (empty for tokens), kind of credential and access level.',
    labelNames: ['client', 'credential', 'access'],
  });
  const rejected = createCounter(registry, {
    name: 'rollcall_rejected_credentials_total',
    help: 'Requests refused for their credentials, by reason.',
    labelNames: ['reason'],
  });
  const limited = createCounter(registry, {
    name: 'rollcall_rate_limited_requests_total',
    help: 'Requests refused by a rate limit: that of the client or that of the address.',
    labelNames: ['limit'],
  });
  return {
    countClientRequest: ({ client, credential, access }: ClientRequestEvent) => {
      requests([credential === 'token' ? '' : client, credential, access]).count += 1;
    },
    countRejectedCredential: (reason: RejectedCredentialReason) => {
      rejected([reason]).count += 1;
    },
    countRateLimited: (limit: RateLimitName) => {
      limited([limit]).count += 1;
    },
  };
}

/** Label of requests without a resource or a format. */
const NO_LABEL = 'none';

/** Upper bounds of the histogram's buckets, in seconds: from cached answers to those that wait for a slow source. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Creates the counters of requests to this gateway. */
function createRequestCounters(registry: Registry): (event: RequestEvent) => void {
  const requests = createCounter(registry, {
    name: 'rollcall_requests_total',
    help: 'Requests, by status reported in the response (aborted: client disconnected) and format.',
    labelNames: ['resource', 'status', 'format'],
  });
  const results = createCounter(registry, {
    name: 'rollcall_cache_results_total',
    help: 'Responses that depend on sources: hit (all cached), miss (nothing usable cached), stale (cached data expired).',
    labelNames: ['resource', 'result'],
  });
  const durations = new Histogram({
    name: 'rollcall_request_duration_seconds',
    help: 'Time from the request head to the end of the response, without aborted requests and responses from the response cache.',
    labelNames: ['resource'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const findCounts = ({ resource, status, format = NO_LABEL, cache }: RequestEvent): readonly LabelledCount[] => [
    requests([resource ?? NO_LABEL, String(status), format]),
    ...(cache === undefined ? [] : [results([resource ?? NO_LABEL, cache])]),
  ];
  // Cached responses pass the same event object each time, so that its counts are looked up once.
  const countsByEvent = new WeakMap<RequestEvent, readonly LabelledCount[]>();
  return (event) => {
    const cachedCounts = countsByEvent.get(event);
    const counts = cachedCounts ?? findCounts(event);
    for (const count of counts) count.count += 1;
    if (cachedCounts !== undefined) return;
    const { status, milliseconds } = event;
    if (milliseconds === undefined) countsByEvent.set(event, counts);
    else if (status !== 'aborted') durations.observe({ resource: event.resource ?? NO_LABEL }, milliseconds / 1_000);
  };
}

/** Name, help text and labels of a counter. */
interface CounterDefinition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  /** Where the counts are kept. Absent: where only the counter can find them. */
  readonly counts?: LabelTree<LabelledCount> | undefined;
}

/** Number of events with the same labels. */
interface LabelledCount {
  readonly labels: readonly string[];
  count: number;
}

/** Finds the count for a list of labels. Labels missing at the end of the list are absent from the sample. */
type CounterLookup = (labels: readonly string[]) => LabelledCount;

/**
 * Creates a counter for frequent events: counting costs look-ups in maps. prom-client would hash the labels each time,
 * so it gets the counts only when the metrics are read.
 */
function createCounter(
  registry: Registry,
  { labelNames, counts = new LabelTree<LabelledCount>(), ...named }: CounterDefinition,
): CounterLookup {
  new Counter({
    ...named,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count: times } of counts.values()) this.inc(nameLabels(labelNames, labels), times);
    },
  });
  return (labels) => {
    const node = counts.getNode(labels);
    return (node.value ??= { labels, count: 0 });
  };
}

function nameLabels(names: readonly string[], labels: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [names[index] ?? '', label]));
}

/** A gauge, its value for a fetch, and which value counts of those of several workers: for times the oldest. */
type GaugeDefinition = readonly [
  name: string,
  help: string,
  aggregator: 'min' | 'max',
  value: (event: LatestFetch) => number | undefined,
];

const sourceGauges: readonly GaugeDefinition[] = [
  ['rollcall_source_records', 'Records of the snapshot in use.', 'max', ({ records }) => records],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'Time at which that snapshot was fetched or last confirmed.',
    'min',
    ({ fetchedAt }) => (fetchedAt === undefined ? undefined : fetchedAt / 1_000),
  ],
];

/** Registers the gauges of the latest fetches. */
function registerSourceGauges(registry: Registry, latest: LabelTree<LatestFetch>): void {
  for (const [name, help, aggregator, getValue] of sourceGauges) {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: ['source', 'resource', 'access'],
      registers: [registry],
      collect() {
        this.reset();
        for (const fetch of latest.values()) {
          const { source, resource, access } = fetch;
          const value = getValue(fetch);
          if (value !== undefined) this.set({ source, resource, ...access }, value);
        }
      },
    });
  }
}

/** Label `resource` of findings about the PGP keys of teams, which may come in a list of their own (operation 3.4). */
const TEAM_KEYS_LABEL = 'team-keys';

/** Registers the gauge of findings. A finding that no longer occurs is not reported. */
function registerFindingsGauge(
  registry: Registry,
  latest: LabelTree<LatestFetch>,
  keys: LabelTree<LabelledKeyFindings>,
): void {
  new Gauge({
    name: 'rollcall_source_findings',
    help: 'Data-quality findings of the last fetch that returned data (docs/data-quality.md).',
    aggregator: 'max',
    labelNames: ['source', 'resource', 'rule', 'field', 'access'],
    registers: [registry],
    collect() {
      this.reset();
      const addSamples = (labels: FindingLabels, findings: FetchEvent['findings']): void => {
        for (const [key, times] of findings ?? []) this.inc({ ...labels, ...splitFindingKey(key) }, times);
      };
      for (const { source, resource, access, findings } of latest.values())
        addSamples({ source, resource, ...access }, findings);
      for (const { source, access, findings } of keys.values())
        addSamples({ source, resource: TEAM_KEYS_LABEL, ...access }, findings);
    },
  });
}

/** Labels that the findings of one fetch share. */
type FindingLabels = AccessLabel & { readonly source: string; readonly resource: string };

function splitFindingKey(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
