import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Answered, Fetched, KeyFindings, Meter } from '../model/meter.js';

/** What a fetch came to last; of one that brought nothing, when there was something, and what was odd about that. */
type Latest = Pick<Fetched, 'source' | 'resource' | 'outcome' | 'records'> & {
  readonly [Name in 'fetchedAt' | 'findings']: Fetched[Name] | undefined;
} & {
  /** Of those that came to the same. */
  readonly count: Count;
};

/** The meter of one process, and what it shows. */
export interface Metrics extends Meter {
  readonly contentType: string;
  /** All counts as Prometheus text (operation.md, `/metrics`). */
  text(): Promise<string>;
}

/** Counts with prom-client; every name begins with `rollcall_`, or with `ofProcess` is one of the process itself. */
export function metrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  const registry = new Registry();
  if (ofProcess) collectDefaultMetrics({ register: registry });
  const { requests, fetches, disproved, suspended, closed } = countersOf(registry);
  const answered = answersOf(registry);
  const latest = new Labelled<Latest>();
  const keys = new Labelled<KeyFindings>();
  openGauges(registry, latest);
  openFindings(registry, latest, keys);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    answered,
    closed: (reason) => {
      closed.inc({ reason });
    },
    requests: (source) => {
      const counts = new Map<string, Count>();
      return (result) => {
        const known = counts.get(result);
        const count = known ?? requests([source, result]);
        if (known === undefined) counts.set(result, count);
        count.times += 1;
      };
    },
    keyFindings: (facts) => {
      keys.at([facts.source, facts.origin]).value = facts;
    },
    disproved: ({ source, resource, capability }) => {
      disproved.inc({ source, resource, capability });
    },
    suspended: (source, is) => {
      suspended.set({ source }, is ? 1 : 0);
    },
    fetched: (facts) => {
      const { source, resource, outcome, records } = facts;
      const place = latest.at([source, resource]);
      const before = place.value;
      const { fetchedAt = before?.fetchedAt, findings = before?.findings } = facts;
      const [state, reason] = [outcome.state, reasonOf(outcome)];
      const same = before?.outcome.state === state && reasonOf(before.outcome) === reason;
      const count = same ? before.count : fetches([source, resource, state, reason]);
      place.value = { source, resource, outcome, records, fetchedAt, findings, count };
      count.times += 1;
    },
  };
}

function reasonOf(outcome: Latest['outcome']): string {
  return 'reason' in outcome ? outcome.reason : '';
}

function countersOf(registry: Registry): {
  requests: Tally;
  fetches: Tally;
  disproved: Counter<'source' | 'resource' | 'capability'>;
  suspended: Gauge<'source'>;
  closed: Counter<'reason'>;
} {
  const registers = [registry];
  return {
    requests: tally(registry, {
      name: 'rollcall_source_requests_total',
      help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
      labelNames: ['source', 'result'],
    }),
    fetches: tally(registry, {
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

/** What has no resource or format is counted all the same. */
const NONE = 'none';

/** Upper bounds of the durations that are told apart, in seconds: from what is held to what waits for a slow source. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Counts the requests to this gateway. */
function answersOf(registry: Registry): (facts: Answered) => void {
  const requests = tally(registry, {
    name: 'rollcall_requests_total',
    help: 'Requests, by the status that the answer tells (aborted: the client left before) and its format.',
    labelNames: ['resource', 'status', 'format'],
  });
  const results = tally(registry, {
    name: 'rollcall_cache_results_total',
    help: 'Answers that rest on sources: hit where all was held, else miss, or stale where what was held was past its time.',
    labelNames: ['resource', 'result'],
  });
  const durations = new Histogram({
    name: 'rollcall_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer, of those that were answered and not held ready to send.',
    labelNames: ['resource'],
    buckets: SECONDS,
    registers: [registry],
  });
  const countsOf = ({ resource, status, format = NONE, cache }: Answered): readonly Count[] => [
    requests([resource ?? NONE, String(status), format]),
    ...(cache === undefined ? [] : [results([resource ?? NONE, cache])]),
  ];
  const known = new WeakMap<Answered, readonly Count[]>();
  return (facts) => {
    const before = known.get(facts);
    const counts = before ?? countsOf(facts);
    for (const count of counts) count.times += 1;
    if (before !== undefined) return;
    const { status, milliseconds } = facts;
    if (milliseconds === undefined) known.set(facts, counts);
    else if (status !== 'aborted') durations.observe({ resource: facts.resource ?? NONE }, milliseconds / 1_000);
  };
}

/** What a counter is called, and by what it counts. */
interface Counted {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** How often something with these labels has happened. */
interface Count {
  readonly labels: readonly string[];
  times: number;
}

/** What belongs to labels, each of which leads to the next: to make one text of them takes longer than a look-up for each. */
class Labelled<T> {
  value: T | undefined;
  private readonly further = new Map<string, Labelled<T>>();

  at(labels: readonly string[]): Labelled<T> {
    return labels.reduce<Labelled<T>>((place, label) => place.beyond(label), this);
  }

  /** In the order in which their labels were first met, those with the same first label together. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const place of this.further.values()) yield* place.values();
  }

  private beyond(label: string): Labelled<T> {
    const known = this.further.get(label);
    if (known !== undefined) return known;
    const place = new Labelled<T>();
    this.further.set(label, place);
    return place;
  }
}

/** Finds the count of what has these labels. */
type Tally = (labels: readonly string[]) => Count;

/**
 * A counter for what happens with every request: it costs a look-up in a map. prom-client would hash the labels anew each time, and is
 * told of them only when the counts are read.
 */
function tally(registry: Registry, { labelNames, ...named }: Counted): Tally {
  const counts = new Labelled<Count>();
  new Counter({
    ...named,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const { labels, times } of counts.values()) this.labels(...labels).inc(times);
    },
  });
  return (labels) => {
    const place = counts.at(labels);
    return (place.value ??= { labels, times: 0 });
  };
}

/** A gauge, and what it shows of a fetch. */
type Shown = readonly [name: string, help: string, value: (facts: Latest) => number | undefined];

const gauges: readonly Shown[] = [
  ['rollcall_source_records', 'Records of the copy that answers rest on.', ({ records }) => records],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'When that copy was fetched; its age is the time since.',
    ({ fetchedAt }) => (fetchedAt === undefined ? undefined : fetchedAt / 1_000),
  ],
];

/** Gauges of what was fetched last. */
function openGauges(registry: Registry, latest: Labelled<Latest>): void {
  for (const [name, help, valueOf] of gauges) {
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

/** The `resource` of findings about the PGP keys of teams, which may come in a list of their own. */
const TEAM_KEYS = 'team-keys';

/** The gauge of findings; one that is gone is no longer shown. */
function openFindings(registry: Registry, latest: Labelled<Latest>, keys: Labelled<KeyFindings>): void {
  new Gauge({
    name: 'rollcall_source_findings',
    help: 'What was odd about the data of the last fetch that brought any (docs/data-quality.md).',
    labelNames: ['source', 'resource', 'rule', 'field'],
    registers: [registry],
    collect() {
      this.reset();
      const show = (source: string, resource: string, findings: Fetched['findings']): void => {
        for (const [key, times] of findings ?? []) this.inc({ source, resource, ...ruleAndField(key) }, times);
      };
      for (const { source, resource, findings } of latest.values()) show(source, resource, findings);
      for (const { source, findings } of keys.values()) show(source, TEAM_KEYS, findings);
    },
  });
}

function ruleAndField(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
