import type { EventOf, EventType, ListContent, Publish } from './event.js';
import { MetricRegistry, isCounter } from './metric-registry.js';
import type { MetricDefinition, MetricLabels } from './metric-registry.js';

/** For requests without a resource or a format. */
const NO_LABEL = 'none';

/** In seconds: from cached answers to those that wait for a slow source. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The labels of the sample that counts one more, or that is set to the value. */
type Change = MetricLabels | { readonly labels: MetricLabels; readonly value: number };

function set(value: number, labels: MetricLabels = []): Change {
  return { labels, value };
}

/** With the change that an event of each type makes; undefined: none. The label `source` is the first one. */
interface EventMetric extends Omit<MetricDefinition, 'labelNames'> {
  readonly labelNames?: readonly string[];
  readonly on: { readonly [Type in EventType]?: (event: EventOf<Type>) => Change | undefined };
  /** Not reported before its first event. */
  readonly isOptional?: true;
}

const suspension = ({
  source,
  access,
  isSuspended,
}: Pick<EventOf<'source registered'>, 'source' | 'access' | 'isSuspended'>): Change =>
  set(Number(isSuspended), [source, access]);

/** (operation 3.4) */
const METRICS: readonly EventMetric[] = [
  {
    name: 'rollcall_requests_total',
    help: 'Requests, by status reported in the response (aborted: client disconnected) and format.',
    labelNames: ['resource', 'status', 'format'],
    on: {
      'request answered': ({ facts: { resource = NO_LABEL, format = NO_LABEL }, status, isAborted, milliseconds }) => {
        // A response from the response cache counts as sent.
        const label = isAborted && milliseconds !== undefined ? 'aborted' : String(status);
        return [resource, label, format];
      },
    },
  },
  {
    name: 'rollcall_cache_results_total',
    help: 'Responses that depend on sources: hit (all cached), miss (nothing usable cached), stale (cached data expired).',
    labelNames: ['resource', 'result'],
    on: {
      'request answered': ({ facts: { resource = NO_LABEL, cache } }) => cache && [resource, cache],
    },
  },
  {
    name: 'rollcall_connections_closed_total',
    help: 'Client connections closed by a limit, by limit (pipelining: too many requests waited on the connection).',
    labelNames: ['reason'],
    on: { 'connection closed by a limit': ({ reason }) => [reason] },
  },
  {
    name: 'rollcall_client_requests_total',
    help: 'Requests with a valid credential, by client (empty for tokens), kind of credential and access level.',
    labelNames: ['client', 'credential', 'access'],
    on: {
      // The number of subjects has no bound.
      'client authenticated': ({ client, credential, level }) => [
        credential === 'token' ? '' : client,
        credential,
        level,
      ],
    },
  },
  {
    name: 'rollcall_rejected_credentials_total',
    help: 'Requests refused for their credentials, by reason.',
    labelNames: ['reason'],
    on: { 'credential rejected': ({ reason }) => [reason] },
  },
  {
    name: 'rollcall_rate_limited_requests_total',
    help: 'Requests refused by a rate limit: that of the client or that of the address.',
    labelNames: ['limit'],
    on: { 'rate limit exceeded': ({ limit }) => [limit] },
  },
  {
    name: 'rollcall_ready',
    help: '1 while /readyz is 200, else 0.',
    on: { 'readiness checked': ({ isReady }) => set(Number(isReady)) },
  },
  {
    name: 'rollcall_dropped_log_lines_total',
    help: 'Lines of the log that could not be written, or for which the reader of the log was too slow.',
    on: { 'log line dropped': () => [] },
  },
  // The next two are named as those of Prometheus itself.
  {
    name: 'rollcall_config_last_reload_successful',
    help: '1 if the last attempt to load the configuration put it in force, else 0.',
    on: {
      'configuration put in force': () => set(1),
      'configuration unchanged': () => set(1),
      'configuration not reloaded: the one in force remains': () => set(0),
    },
  },
  {
    name: 'rollcall_config_last_reload_success_timestamp_seconds',
    help: 'Time at which the configuration file was last found valid and in force.',
    on: {
      'configuration put in force': ({ at }) => set(at / 1_000),
      'configuration unchanged': ({ at }) => set(at / 1_000),
    },
  },
  {
    name: 'rollcall_unsaved_snapshots',
    help: 'Lists whose last snapshot could not be saved in cache.disk.',
    isOptional: true,
    on: { 'snapshots written': ({ unsaved }) => set(unsaved) },
  },
  {
    name: 'rollcall_shared_memory_up',
    help: '1 while the memory that instances share through cache.redis answers, else 0.',
    isOptional: true,
    on: { 'shared memory checked': ({ isReachable }) => set(isReachable ? 1 : 0) },
  },
  {
    name: 'rollcall_shared_snapshots_total',
    help: 'Snapshots of other instances that were adopted, and entries of the shared memory that were refused.',
    labelNames: ['event'],
    isOptional: true,
    on: {
      'snapshot adopted': () => ['adopted'],
      'entry of the shared memory refused': () => ['refused'],
    },
  },
  {
    name: 'rollcall_source_requests_total',
    help: 'Requests sent to a source, by result: ok, or the reason of the failure.',
    labelNames: ['source', 'result', 'access'],
    on: { 'request sent': ({ source, result, access }) => [source, result, access] },
  },
  {
    name: 'rollcall_source_fetches_total',
    help: 'Fetches of a resource of a source, by state and reason of the result.',
    labelNames: ['source', 'resource', 'state', 'reason', 'access'],
    on: {
      'fetch finished': (event) => (event.list === 'whole' ? countFetch(event) : undefined),
      'feeds combined': countFetch,
    },
  },
  {
    name: 'rollcall_source_capabilities_disproved_total',
    help: 'Declared capabilities that a response of the source contradicted; each is off until the next start or reload.',
    labelNames: ['source', 'resource', 'capability', 'access'],
    on: {
      'capability disproved': ({ source, resource, capability, access }) => [source, resource, capability, access],
    },
  },
  {
    name: 'rollcall_source_suspended',
    help: '1 while the source is suspended (only trial requests are sent to it), else 0.',
    labelNames: ['source', 'access'],
    on: { 'source registered': suspension, 'source suspended': suspension, 'source resumed': suspension },
  },
  {
    name: 'rollcall_source_certificate_expiry_timestamp_seconds',
    help: 'Time at which the TLS certificate of a source expires, as its server sent it.',
    labelNames: ['source'],
    on: { 'certificate seen': ({ source, expiresAt }) => set(expiresAt / 1_000, [source]) },
  },
];

type ContentOfSource = ListContent & { readonly source: string; readonly access?: 'members' };

/** What another instance fetched counts no fetch. */
function countFetch({ source, resource, outcome, isAdopted, access }: ContentOfSource): Change | undefined {
  const reason = 'reason' in outcome ? outcome.reason : '';
  return isAdopted ? undefined : [source, resource.name, outcome.state, reason, access];
}

export interface Metrics extends Pick<MetricRegistry, 'contentType' | 'text'> {
  readonly note: Publish;
}

/** Metrics for Prometheus; with `ofProcess`, the default metrics of the process are included (operation 3.4). */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  const registry = new MetricRegistry({ ofProcess });
  const metrics = METRICS.map((metric) => new EventSamples(metric, registry));
  const lists = new ListGauges(registry);
  const observeDuration = registry.createHistogram({
    name: 'rollcall_request_duration_seconds',
    help: 'Time from the request head to the end of the response, without aborted requests and responses from the response cache.',
    labelNames: ['resource'],
    buckets: DURATION_BUCKETS,
  });
  const byType = new Map<EventType, readonly EventSamples[]>();
  const findMetrics = (type: EventType): readonly EventSamples[] => {
    const known = byType.get(type) ?? metrics.filter(({ metric }) => metric.on[type] !== undefined);
    byType.set(type, known);
    return known;
  };
  return {
    contentType: registry.contentType,
    text: () => registry.text(),
    note: (event) => {
      for (const metric of findMetrics(event.type)) metric.note(event);
      if (event.type === 'request answered') {
        const { facts, milliseconds, isAborted } = event;
        if (milliseconds !== undefined && !isAborted)
          observeDuration(milliseconds / 1_000, [facts.resource ?? NO_LABEL]);
      } else if (event.type === 'source removed') {
        for (const one of [lists, ...metrics]) one.forgetSource(event.source);
      } else lists.note(event);
    },
  };
}

/** One level of the tree for each label: joining the labels to one key takes longer than the look-ups. */
class LabelTree<T> {
  value: T | undefined;
  private readonly children = new Map<string | undefined, LabelTree<T>>();

  getNode(labels: readonly (string | undefined)[], from = 0): LabelTree<T> {
    return from === labels.length ? this : this.getChild(labels[from]).getNode(labels, from + 1);
  }

  /** In the order in which the labels first occurred, by first label. */
  *values(): Iterable<T> {
    if (this.value !== undefined) yield this.value;
    for (const node of this.children.values()) yield* node.values();
  }

  remove(label: string): void {
    this.children.delete(label);
  }

  private getChild(label: string | undefined): LabelTree<T> {
    const existing = this.children.get(label);
    if (existing !== undefined) return existing;
    const node = new LabelTree<T>();
    this.children.set(label, node);
    return node;
  }
}

class EventSamples {
  private readonly samples = new LabelTree<{ readonly labels: MetricLabels; value: number }>();
  private isReported = false;

  constructor(
    readonly metric: EventMetric,
    private readonly registry: MetricRegistry,
  ) {
    if (metric.isOptional !== true) this.report();
    // Without labels, a counter begins at 0.
    if (metric.labelNames === undefined && isCounter(metric)) this.samples.value = { labels: [], value: 0 };
  }

  note<Type extends EventType>(event: EventOf<Type>): void {
    const change = this.metric.on[event.type]?.(event);
    if (change === undefined) return;
    if (!this.isReported) this.report();
    const labels = 'labels' in change ? change.labels : change;
    const node = this.samples.getNode(labels);
    const sample = (node.value ??= { labels, value: 0 });
    sample.value = 'labels' in change ? change.value : sample.value + 1;
  }

  forgetSource(source: string): void {
    if (this.metric.labelNames?.[0] === 'source') this.samples.remove(source);
  }

  private report(): void {
    this.isReported = true;
    const { name, help, labelNames = [] } = this.metric;
    this.registry.add({ name, help, labelNames }, () => this.samples.values());
  }
}

/** Where the latest fetch returned no data, `verifiedAt` and `findings` are those of the last one that did. */
type LatestList = Pick<ContentOfSource, 'source' | 'access' | 'records'> & {
  readonly resource: string;
} & {
  readonly [Name in 'verifiedAt' | 'findings']: ListContent[Name] | undefined;
};

/** `resource` of findings about PGP keys, which may come in a list of their own. */
const TEAM_KEYS_LABEL = 'team-keys';

/** What the latest fetches show. A finding that no longer occurs is not reported. */
class ListGauges {
  private readonly lists = new LabelTree<LatestList>();
  /** By origin: the list of keys, or the reading of the keys. */
  private readonly keys = new LabelTree<Pick<LatestList, 'source' | 'access' | 'findings'>>();

  constructor(registry: MetricRegistry) {
    const { lists, keys } = this;
    const labelNames = ['source', 'resource', 'access'];
    const gauge = (name: string, help: string, value: (list: LatestList) => number | undefined): void => {
      registry.add({ name, help, labelNames }, function* () {
        for (const list of lists.values()) {
          const known = value(list);
          if (known !== undefined) yield { labels: [list.source, list.resource, list.access], value: known };
        }
      });
    };
    gauge('rollcall_source_records', 'Records of the snapshot in use.', ({ records }) => records);
    gauge(
      'rollcall_source_fetched_timestamp_seconds',
      'Time at which that snapshot was fetched or last confirmed.',
      ({ verifiedAt }) => verifiedAt && verifiedAt / 1_000,
    );
    registry.add(
      {
        name: 'rollcall_source_findings',
        help: 'Data-quality findings of the last fetch that returned data (docs/data-quality.md).',
        labelNames: [...labelNames, 'rule', 'field'],
      },
      function* () {
        const keyLists = [...keys.values()].map((list) => ({ ...list, resource: TEAM_KEYS_LABEL }));
        for (const { source, resource, access, findings = [] } of [...lists.values(), ...keyLists])
          for (const [key, value] of findings) {
            const space = key.indexOf(' ');
            yield { labels: [source, resource, access, key.slice(0, space), key.slice(space + 1)], value };
          }
      },
    );
  }

  note(event: EventOf): void {
    if (event.type === 'feeds combined' || (event.type === 'fetch finished' && event.list === 'whole')) {
      const { source, access, records } = event;
      const resource = event.resource.name;
      const node = this.lists.getNode([source, resource, access]);
      const { verifiedAt = node.value?.verifiedAt, findings = node.value?.findings } = event;
      node.value = { source, resource, records, verifiedAt, findings, ...(access && { access }) };
    } else if (event.type === 'keys checked' || (event.type === 'fetch finished' && event.list === 'keys')) {
      const { type, source, access, findings } = event;
      if (findings !== undefined)
        this.keys.getNode([source, type, access]).value = { source, findings, ...(access && { access }) };
    }
  }

  forgetSource(source: string): void {
    for (const tree of [this.lists, this.keys]) tree.remove(source);
  }
}
