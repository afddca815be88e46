import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { RequestEvent, FetchEvent, KeyFindings, Meter } from '../model/meter.js';

/**
 * The latest fetch of a resource of a source. Where it returned no data, `fetchedAt` and `findings` are those of the
 * last fetch that did.
 */
type LatestFetch = Pick<FetchEvent, 'source' | 'resource' | 'outcome' | 'records'> & {
  readonly [Name in 'fetchedAt' | 'findings']: FetchEvent[Name] | undefined;
} & {
  /** Number of fetches with the same labels. */
  readonly count: LabelledCount;
};

/** The meter of one process, and its text for Prometheus. */
export interface Metrics extends Meter {
  readonly contentType: string;
  /** All metrics in the Prometheus text format (operation 3.4). */
  text(): Promise<string>;
}

/**
 * Creates a meter that counts with prom-client. The names of its metrics begin with `rollcall_`; with `ofProcess`, the
 * default metrics of the process are included (operation 3.4).
 */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const { requests, fetches, disproved, suspended, closed } = createSourceCounters(registry);
  const countRequest = createRequestCounters(registry);
  const latest = new LabelTree<LatestFetch>();
  const keys = new LabelTree<KeyFindings>();
  registerSourceGauges(registry, latest);
  registerFindingsGauge(registry, latest, keys);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    countRequest,
    countClosedConnection: (reason) => {
      closed.inc({ reason });
    },
    sourceRequestCounter: (source) => {
      const counts = new Map<string, LabelledCount>();
      return (result) => {
        const existing = counts.get(result);
        const count = existing ?? requests([source, result]);
        if (existing === undefined) counts.set(result, count);
        count.count += 1;
      };
    },
    recordKeyFindings: (event) => {
      keys.getNode([event.source, event.origin]).value = event;
    },
    countDisprovedCapability: ({ source, resource, capability }) => {
      disproved.inc({ source, resource, capability });
    },
    recordSuspension: (source, isSuspended) => {
      suspended.set({ source }, isSuspended ? 1 : 0);
    },
    recordFetch: (event) => {
      const { source, resource, outcome, records } = event;
      const node = latest.getNode([source, resource]);
      const previous = node.value;
      const { fetchedAt = previous?.fetchedAt, findings = previous?.findings } = event;
      const [state, reason] = [outcome.state, getReason(outcome)];
      const isSameResult = previous?.outcome.state === state && getReason(previous.outcome) === reason;
      const count = isSameResult ? previous.count : fetches([source, resource, state, reason]);
      node.value = { source, resource, outcome, records, fetchedAt, findings, count };
      count.count += 1;
    },
  };
}

function getReason(outcome: LatestFetch['outcome']): string {
  return 'reason' in outcome ? outcome.reason : '';
}

function createSourceCounters(registry: Registry): {
  requests: CounterLookup;
  fetches: CounterLookup;
  disproved: Counter<'source' | 'resource' | 'capability'>;
  suspended: Gauge<'source'>;
  closed: Counter<'reason'>;
} {
  const registers = [registry];
  return {
    requests: createCounter(registry, {
      name: 'rollcall_source_requests_total',
      help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
      labelNames: ['source', 'result'],
    }),
    fetches: createCounter(registry, {
      name: 'rollcall_source_fetches_total',
      help: 'Fetches of a resource of a source, by state and reason of the result.',
      labelNames: ['source', 'resource', 'state', 'reason'],
    }),
    disproved: new Counter({
      name: 'rollcall_source_capabilities_disproved_total',
      help: 'Declared capabilities that a response of the source contradicted; each is off until the next start.',
      labelNames: ['source', 'resource', 'capability'],
      registers,
    }),
    suspended: new Gauge({
      name: 'rollcall_source_suspended',
      help: '1 while the source is suspended (only trial requests are sent to it), else 0.',
      labelNames: ['source'],
      registers,
    }),
    closed: new Counter({
      name: 'rollcall_connections_closed_total',
      help: 'Client connections closed by a limit, by limit (server.limits; pipelining: too many requests waited on the connection).',
      labelNames: ['reason'],
      registers,
    }),
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
}

/** Number of events with the same labels. */
interface LabelledCount {
  readonly labels: readonly string[];
  count: number;
}

/**
 * Values by a list of labels, with one level of the tree for each label. Joining the labels to one key takes longer
 * than a look-up for each.
 */
class LabelTree<T> {
  value: T | undefined;
  private readonly children = new Map<string, LabelTree<T>>();

  getNode(labels: readonly string[]): LabelTree<T> {
    return labels.reduce<LabelTree<T>>((node, label) => node.getChild(label), this);
  }

  /** The values in the order in which their labels first occurred; those with the same first label are together. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const node of this.children.values()) yield* node.values();
  }

  private getChild(label: string): LabelTree<T> {
    const existing = this.children.get(label);
    if (existing !== undefined) return existing;
    const node = new LabelTree<T>();
    this.children.set(label, node);
    return node;
  }
}

/** Finds the count for a list of labels. */
type CounterLookup = (labels: readonly string[]) => LabelledCount;

/**
 * Creates a counter for frequent events: counting costs look-ups in maps. prom-client would hash the labels each time,
 * so it gets the counts only when the metrics are read.
 */
function createCounter(registry: Registry, { labelNames, ...named }: CounterDefinition): CounterLookup {
  const counts = new LabelTree<LabelledCount>();
  new Counter({
    ...named,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, count: times } of counts.values()) this.labels(...labels).inc(times);
    },
  });
  return (labels) => {
    const node = counts.getNode(labels);
    return (node.value ??= { labels, count: 0 });
  };
}

/** Name and help text of a gauge, and its value for a fetch. */
type GaugeDefinition = readonly [name: string, help: string, value: (event: LatestFetch) => number | undefined];

const sourceGauges: readonly GaugeDefinition[] = [
  ['rollcall_source_records', 'Records of the snapshot in use.', ({ records }) => records],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'Time at which that snapshot was fetched or last confirmed.',
    ({ fetchedAt }) => (fetchedAt === undefined ? undefined : fetchedAt / 1_000),
  ],
];

/** Registers the gauges of the latest fetches. */
function registerSourceGauges(registry: Registry, latest: LabelTree<LatestFetch>): void {
  for (const [name, help, getValue] of sourceGauges) {
    new Gauge({
      name,
      help,
      labelNames: ['source', 'resource'],
      registers: [registry],
      collect() {
        this.reset();
        for (const fetch of latest.values()) {
          const { source, resource } = fetch;
          const value = getValue(fetch);
          if (value !== undefined) this.set({ source, resource }, value);
        }
      },
    });
  }
}

/** Label `resource` of findings about the PGP keys of teams, which may come in a list of their own (operation 3.4). */
const TEAM_KEYS_LABEL = 'team-keys';

/** Registers the gauge of findings. A finding that no longer occurs is not reported. */
function registerFindingsGauge(registry: Registry, latest: LabelTree<LatestFetch>, keys: LabelTree<KeyFindings>): void {
  new Gauge({
    name: 'rollcall_source_findings',
    help: 'Data-quality findings of the last fetch that returned data (docs/data-quality.md).',
    labelNames: ['source', 'resource', 'rule', 'field'],
    registers: [registry],
    collect() {
      this.reset();
      const addSamples = (source: string, resource: string, findings: FetchEvent['findings']): void => {
        for (const [key, times] of findings ?? []) this.inc({ source, resource, ...splitFindingKey(key) }, times);
      };
      for (const { source, resource, findings } of latest.values()) addSamples(source, resource, findings);
      for (const { source, findings } of keys.values()) addSamples(source, TEAM_KEYS_LABEL, findings);
    },
  });
}

function splitFindingKey(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
