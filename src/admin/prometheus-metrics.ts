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
  const answered = createRequestCounters(registry);
  const latest = new LabelTree<LatestFetch>();
  const keys = new LabelTree<KeyFindings>();
  registerSourceGauges(registry, latest);
  registerFindingsGauge(registry, latest, keys);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    countRequest: answered,
    countClosedConnection: (reason) => {
      closed.inc({ reason });
    },
    sourceRequestCounter: (source) => {
      const counts = new Map<string, LabelledCount>();
      return (result) => {
        const known = counts.get(result);
        const count = known ?? requests([source, result]);
        if (known === undefined) counts.set(result, count);
        count.count += 1;
      };
    },
    recordKeyFindings: (facts) => {
      keys.getNode([facts.source, facts.origin]).value = facts;
    },
    countDisprovedCapability: ({ source, resource, capability }) => {
      disproved.inc({ source, resource, capability });
    },
    recordSuspension: (source, is) => {
      suspended.set({ source }, is ? 1 : 0);
    },
    recordFetch: (facts) => {
      const { source, resource, outcome, records } = facts;
      const place = latest.getNode([source, resource]);
      const before = place.value;
      const { fetchedAt = before?.fetchedAt, findings = before?.findings } = facts;
      const [state, reason] = [outcome.state, getReason(outcome)];
      const same = before?.outcome.state === state && getReason(before.outcome) === reason;
      const count = same ? before.count : fetches([source, resource, state, reason]);
      place.value = { source, resource, outcome, records, fetchedAt, findings, count };
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
      help: 'Fetches of a resource of a source, by the state and reason that they came to.',
      labelNames: ['source', 'resource', 'state', 'reason'],
    }),
    disproved: new Counter({
      name: 'rollcall_source_capabilities_disproved_total',
      help: 'Capabilities that a source was said to have, and that one of its answers contradicted: they are off until the next start.',
      labelNames: ['source', 'resource', 'capability'],
      registers,
    }),
    suspended: new Gauge({
      name: 'rollcall_source_suspended',
      help: 'Whether a source is suspended: 1 while nothing is sent to it but trial requests.',
      labelNames: ['source'],
      registers,
    }),
    closed: new Counter({
      name: 'rollcall_connections_closed_total',
      help: 'Connections of clients that a limit ended, by the limit (server.limits; pipelining: too many requests waited on one).',
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
function createRequestCounters(registry: Registry): (facts: RequestEvent) => void {
  const requests = createCounter(registry, {
    name: 'rollcall_requests_total',
    help: 'Requests, by the status that the answer tells (aborted: the client left before) and its format.',
    labelNames: ['resource', 'status', 'format'],
  });
  const results = createCounter(registry, {
    name: 'rollcall_cache_results_total',
    help: 'Answers that rest on sources: hit where all was held, else miss, or stale where what was held was past its time.',
    labelNames: ['resource', 'result'],
  });
  const durations = new Histogram({
    name: 'rollcall_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, of those that were answered and not held ready to send.',
    labelNames: ['resource'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const countsOf = ({ resource, status, format = NO_LABEL, cache }: RequestEvent): readonly LabelledCount[] => [
    requests([resource ?? NO_LABEL, String(status), format]),
    ...(cache === undefined ? [] : [results([resource ?? NO_LABEL, cache])]),
  ];
  // Cached responses pass the same event object each time, so that its counts are looked up once.
  const known = new WeakMap<RequestEvent, readonly LabelledCount[]>();
  return (facts) => {
    const before = known.get(facts);
    const counts = before ?? countsOf(facts);
    for (const count of counts) count.count += 1;
    if (before !== undefined) return;
    const { status, milliseconds } = facts;
    if (milliseconds === undefined) known.set(facts, counts);
    else if (status !== 'aborted') durations.observe({ resource: facts.resource ?? NO_LABEL }, milliseconds / 1_000);
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
    return labels.reduce<LabelTree<T>>((place, label) => place.getChild(label), this);
  }

  /** The values in the order in which their labels first occurred; those with the same first label are together. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const place of this.children.values()) yield* place.values();
  }

  private getChild(label: string): LabelTree<T> {
    const known = this.children.get(label);
    if (known !== undefined) return known;
    const place = new LabelTree<T>();
    this.children.set(label, place);
    return place;
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
    const place = counts.getNode(labels);
    return (place.value ??= { labels, count: 0 });
  };
}

/** Name and help text of a gauge, and its value for a fetch. */
type GaugeDefinition = readonly [name: string, help: string, value: (facts: LatestFetch) => number | undefined];

const sourceGauges: readonly GaugeDefinition[] = [
  ['rollcall_source_records', 'Records of the copy that answers rest on.', ({ records }) => records],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'When that copy was fetched; its age is the time since.',
    ({ fetchedAt }) => (fetchedAt === undefined ? undefined : fetchedAt / 1_000),
  ],
];

/** Registers the gauges of the latest fetches. */
function registerSourceGauges(registry: Registry, latest: LabelTree<LatestFetch>): void {
  for (const [name, help, valueOf] of sourceGauges) {
    new Gauge({
      name,
      help,
      labelNames: ['source', 'resource'],
      registers: [registry],
      collect() {
        this.reset();
        for (const facts of latest.values()) {
          const { source, resource } = facts;
          const value = valueOf(facts);
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
    help: 'What was odd about the data of the last fetch that brought any (docs/data-quality.md).',
    labelNames: ['source', 'resource', 'rule', 'field'],
    registers: [registry],
    collect() {
      this.reset();
      const show = (source: string, resource: string, findings: FetchEvent['findings']): void => {
        for (const [key, times] of findings ?? []) this.inc({ source, resource, ...splitFindingKey(key) }, times);
      };
      for (const { source, resource, findings } of latest.values()) show(source, resource, findings);
      for (const { source, findings } of keys.values()) show(source, TEAM_KEYS_LABEL, findings);
    },
  });
}

function splitFindingKey(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
