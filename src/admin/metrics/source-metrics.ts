import type { AccessLevel } from '../../model/access-level.js';
import type { FetchEvent, KeyFindings, Meter, SourceMeter } from '../../model/meter.js';
import { LabelTree } from './label-tree.js';
import type { CounterLookup, LabelledCount, MetricRegistry, SettableGauge } from './metric-registry.js';

/** Where the latest fetch returned no data, `fetchedAt` and `findings` are those of the last one that did. */
type LatestFetch = Pick<FetchEvent, 'source' | 'resource' | 'outcome' | 'records'> & {
  readonly [Name in 'fetchedAt' | 'findings']: FetchEvent[Name] | undefined;
} & {
  readonly access: AccessLabel;
  readonly count: LabelledCount;
};

type LabelledKeyFindings = KeyFindings & { readonly access: AccessLabel };

/** Absent at the level `public`. */
interface AccessLabel {
  readonly access?: 'members';
}

const accessLabels: Readonly<Record<AccessLevel, AccessLabel>> = { public: {}, members: { access: 'members' } };

interface SourceMeters extends Pick<Meter, 'forAccess'> {
  forgetSource(source: string): void;
}

export function createSourceMeters(registry: MetricRegistry): SourceMeters {
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
      suspended.set(isSuspended ? 1 : 0, { source, ...access });
    },
    recordCertificateExpiry: (source, expiresAt) => {
      certificateExpiry.set(expiresAt / 1_000, { source });
    },
    recordFetch: (event) => {
      recordLatestFetch(event, metrics);
    },
  };
}

/** As the last of a list of labels; empty where it is absent. */
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

interface SourceCounters {
  readonly requests: CounterLookup;
  readonly fetches: CounterLookup;
  readonly disproved: CounterLookup;
  readonly suspended: SettableGauge;
  readonly certificateExpiry: SettableGauge;
  /** The first label is the source. */
  readonly trees: readonly LabelTree<LabelledCount>[];
}

interface SourceMetrics extends SourceCounters {
  readonly latest: LabelTree<LatestFetch>;
  readonly keys: LabelTree<LabelledKeyFindings>;
  readonly access: AccessLabel;
}

function createSourceCounters(registry: MetricRegistry): SourceCounters {
  const requests = new LabelTree<LabelledCount>();
  const fetches = new LabelTree<LabelledCount>();
  const disproved = new LabelTree<LabelledCount>();
  return {
    trees: [requests, fetches, disproved],
    requests: registry.createCounter({
      name: 'rollcall_source_requests_total',
      help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
      labelNames: ['source', 'result', 'access'],
      counts: requests,
    }),
    fetches: registry.createCounter({
      name: 'rollcall_source_fetches_total',
      help: 'Fetches of a resource of a source, by state and reason of the result.',
      labelNames: ['source', 'resource', 'state', 'reason', 'access'],
      counts: fetches,
    }),
    disproved: registry.createCounter({
      name: 'rollcall_source_capabilities_disproved_total',
      help: 'Declared capabilities that a response of the source contradicted; each is off until the next start or reload.',
      labelNames: ['source', 'resource', 'capability', 'access'],
      counts: disproved,
    }),
    suspended: registry.createGauge({
      name: 'rollcall_source_suspended',
      help: '1 while the source is suspended (only trial requests are sent to it), else 0.',
      labelNames: ['source', 'access'],
    }),
    certificateExpiry: registry.createGauge({
      name: 'rollcall_source_certificate_expiry_timestamp_seconds',
      help: 'Time at which the TLS certificate of a source expires, as its server sent it.',
      labelNames: ['source'],
    }),
  };
}

type GaugeDefinition = readonly [name: string, help: string, value: (event: LatestFetch) => number | undefined];

const sourceGauges: readonly GaugeDefinition[] = [
  ['rollcall_source_records', 'Records of the snapshot in use.', ({ records }) => records],
  [
    'rollcall_source_fetched_timestamp_seconds',
    'Time at which that snapshot was fetched or last confirmed.',
    ({ fetchedAt }) => (fetchedAt === undefined ? undefined : fetchedAt / 1_000),
  ],
];

function registerSourceGauges(registry: MetricRegistry, latest: LabelTree<LatestFetch>): void {
  for (const [name, help, getValue] of sourceGauges)
    registry.createComputedGauge({
      name,
      help,
      labelNames: ['source', 'resource', 'access'],
      collect: (add) => {
        for (const fetch of latest.values()) {
          const { source, resource, access } = fetch;
          const value = getValue(fetch);
          if (value !== undefined) add({ source, resource, ...access }, value);
        }
      },
    });
}

/** `resource` of findings about PGP keys, which may come in a list of their own (operation 3.4). */
const TEAM_KEYS_LABEL = 'team-keys';

/** A finding that no longer occurs is not reported. */
function registerFindingsGauge(
  registry: MetricRegistry,
  latest: LabelTree<LatestFetch>,
  keys: LabelTree<LabelledKeyFindings>,
): void {
  registry.createComputedGauge({
    name: 'rollcall_source_findings',
    help: 'Data-quality findings of the last fetch that returned data (docs/data-quality.md).',
    labelNames: ['source', 'resource', 'rule', 'field', 'access'],
    collect: (add) => {
      const addFindings = (labels: FindingLabels, findings: FetchEvent['findings']): void => {
        for (const [key, times] of findings ?? []) add({ ...labels, ...splitFindingKey(key) }, times);
      };
      for (const { source, resource, access, findings } of latest.values())
        addFindings({ source, resource, ...access }, findings);
      for (const { source, access, findings } of keys.values())
        addFindings({ source, resource: TEAM_KEYS_LABEL, ...access }, findings);
    },
  });
}

type FindingLabels = AccessLabel & { readonly source: string; readonly resource: string };

function splitFindingKey(key: string): { rule: string; field: string } {
  const space = key.indexOf(' ');
  return { rule: key.slice(0, space), field: key.slice(space + 1) };
}
