import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { Fetched, Meter } from '../model/meter.js';

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
  const { requests, fetches, suspended } = countersOf(registry);
  const latest = new Map<string, Fetched>();
  openGauges(registry, latest);
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    request: (source, result) => {
      requests.inc({ source, result });
    },
    suspended: (source, is) => {
      suspended.set({ source }, is ? 1 : 0);
    },
    fetched: (facts) => {
      const { source, resource, outcome } = facts;
      const before = latest.get(`${source} ${resource}`);
      latest.set(`${source} ${resource}`, { ...before, ...facts });
      fetches.inc({ source, resource, state: outcome.state, reason: 'reason' in outcome ? outcome.reason : '' });
    },
  };
}

function countersOf(registry: Registry): {
  requests: Counter<'source' | 'result'>;
  fetches: Counter<'source' | 'resource' | 'state' | 'reason'>;
  suspended: Gauge<'source'>;
} {
  const registers = [registry];
  return {
    requests: new Counter({
      name: 'rollcall_source_requests_total',
      help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
      labelNames: ['source', 'result'],
      registers,
    }),
    fetches: new Counter({
      name: 'rollcall_source_fetches_total',
      help: 'Fetches of a resource of a source, by the state and reason that they came to.',
      labelNames: ['source', 'resource', 'state', 'reason'],
      registers,
    }),
    suspended: new Gauge({
      name: 'rollcall_source_suspended',
      help: 'Whether a source is suspended: 1 while nothing is sent to it but trial requests.',
      labelNames: ['source'],
      registers,
    }),
  };
}

/** A gauge, and what it shows of a fetch. */
type Shown = readonly [name: string, help: string, labels: readonly string[], samples: (facts: Fetched) => Samples];

type Samples = readonly (readonly [labels: Readonly<Record<string, string>>, value: number | undefined])[];

const gauges: readonly Shown[] = [
  ['rollcall_source_records', 'Records of the copy that answers rest on.', [], ({ records }) => [[{}, records]]],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'When that copy was fetched; its age is the time since.',
    [],
    ({ fetchedAt }) => [[{}, fetchedAt === undefined ? undefined : fetchedAt / 1_000]],
  ],
  [
    'rollcall_source_findings',
    'What was odd about the data of the last fetch that brought any (docs/data-quality.md).',
    ['rule', 'field'],
    ({ findings }) => [...(findings ?? [])].map(([key, times]) => [ruleAndField(key), times]),
  ],
];

/** Gauges of what was fetched last; a finding that is gone is no longer shown. */
function openGauges(registry: Registry, latest: ReadonlyMap<string, Fetched>): void {
  for (const [name, help, labels, samples] of gauges) {
    new Gauge({
      name,
      help,
      labelNames: ['source', 'resource', ...labels],
      registers: [registry],
      collect() {
        this.reset();
        for (const facts of latest.values()) {
          const { source, resource } = facts;
          for (const [more, value] of samples(facts)) {
            if (value !== undefined) this.set({ source, resource, ...more }, value);
          }
        }
      },
    });
  }
}

function ruleAndField(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
