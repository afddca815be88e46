import type { Outcome } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { dataTeams, dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { news } from '../../model/resources/news.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { CircuitBreakers, Suspension } from '../../source/client/circuit-breaker.js';
import type { ServerCertificate } from '../../source/client/transport/certificate-observer.js';
import { raceAbort } from '../../source/client/abortable-wait.js';
import type { Dialect } from '../../source/dialect/dialect.js';
import { nameFeeds, withoutSecrets } from '../feeds/feed-addresses.js';
import { allKeysQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import type { List } from '../list.js';
import type { Lists } from '../lists.js';
import type { Snapshot } from '../snapshot.js';
import type { SourceServices, SourceSettings } from '../../source/source-settings.js';
import { createCapabilityStatuses } from '../status/capability-status.js';
import { createListStatus } from '../status/list-status.js';
import type { ListInspection } from '../status/list-status.js';
import { findWorstCondition } from '../status/list-summary.js';
import { createRefreshReport } from '../status/refresh-report.js';
import type { RefreshReport } from '../status/refresh-report.js';
import type { SourceActivity } from '../status/source-activity.js';
import type {
  CertificateStatus,
  ListStatus,
  RequestStatus,
  ResourceStatus,
  SourceKind,
  SourceLevelStatus,
  SuspensionStatus,
} from '../status/source-status.js';

export interface SourceObservation {
  readonly activity: SourceActivity;
  /** Absent: its client has none. */
  readonly breakers?: CircuitBreakers;
  /** Of the server of an origin. */
  readonly findCertificate?: ((origin: string) => ServerCertificate | undefined) | undefined;
}

/** On each interface. */
const LISTS = [directoryTeams, dataTeams, news, channels] as const;

/** Lists that queries at members level read (decisions 8.2). */
const MEMBERS_LISTS: ReadonlySet<Resource> = new Set([directoryTeams, dataTeams]);

const KINDS: Readonly<Record<Dialect['paging']['kind'], SourceKind>> = {
  offset: 'interfaces',
  linked: 'document',
  feeds: 'feeds',
};

/** What the operator sees and does at one access level (operation 3.5). */
export class SourceOperations {
  /** Base URLs, or the document's, without credentials, query and fragment, which may hold secrets. */
  readonly addresses: readonly string[];
  readonly kind: SourceKind;
  private readonly resources: readonly Resource[];
  /** Undefined unless the source consists of feeds. */
  private readonly feeds: readonly OperatedFeed[] | undefined;

  constructor(
    private readonly registration: SourceSettings,
    private readonly lists: Lists,
    private readonly services: SourceServices,
    private readonly observation: SourceObservation,
  ) {
    const { dialects, access, resources } = registration;
    this.addresses = [...new Set(listAddresses(dialects).map(withoutSecrets))];
    this.kind = KINDS[(dialects.data ?? dialects.directory)?.paging.kind ?? 'offset'];
    this.resources = LISTS.filter(
      (list) =>
        dialects[list.interfaceName] !== undefined &&
        resources.includes(list.path) &&
        (access === 'public' || MEMBERS_LISTS.has(list)),
    );
    this.feeds = access === 'public' ? lists.feeds && operateFeeds(lists.feeds.queries) : undefined;
  }

  /** Reads only counters and small objects. */
  status(): SourceLevelStatus {
    const { access, upstreamAccess } = this.registration;
    const suspension = this.observation.breakers?.suspension;
    const resources = this.feeds
      ? this.feeds.map((feed) => this.feedStatus(feed))
      : this.resources.map((resource) => this.resourceStatus(resource, suspension));
    const conditions = resources.flatMap(({ condition, keys }) => [condition, ...(keys ? [keys.condition] : [])]);
    return {
      access,
      requestedAs: upstreamAccess,
      condition: findWorstCondition(conditions),
      ...(suspension && { suspension: toSuspensionStatus(suspension) }),
      requests: toRequestStatus(this.observation.activity),
      resources,
    };
  }

  /** Of the source's servers, as far as known. */
  get certificates(): readonly CertificateStatus[] {
    const { findCertificate } = this.observation;
    return listOrigins(this.registration.dialects).flatMap((origin) => {
      const certificate = findCertificate?.(origin);
      return certificate === undefined ? [] : [toCertificateStatus(origin, certificate, this.services.clock.now())];
    });
  }

  /**
   * Fetches all lists, also while suspended, with conditional requests where possible. Waits until the signal is
   * aborted; the rest continues. Never rejects.
   */
  async refreshNow(signal: AbortSignal): Promise<readonly RefreshReport[]> {
    this.observation.breakers?.endCooldown();
    const ofFeeds = this.feeds?.map(({ query, address }) =>
      this.reportRefresh(
        { list: query.resource.name, feed: address },
        this.lists.find(query).refresh({ isRequested: true }),
        signal,
      ),
    );
    const ofLists = (): Promise<RefreshReport>[] =>
      this.resources.flatMap((resource) => [
        this.reportRefresh({ list: resource.name }, this.lists.refreshNow(resource), signal),
        ...(this.hasSeparateKeys(resource)
          ? [
              this.reportRefresh(
                { list: 'team-keys' },
                this.lists.find(allKeysQuery).refresh({ isRequested: true }),
                signal,
              ),
            ]
          : []),
      ]);
    return Promise.all(ofFeeds ?? ofLists());
  }

  /** Of records (decisions 6.11). Returns whether there were any. */
  confirmShrink(): boolean {
    return this.lists.confirmShrink();
  }

  /** The next query fetches anew. Returns false where other instances cannot be reached, and keep it. Never rejects. */
  forget(): Promise<boolean> {
    return this.lists.forget();
  }

  private async reportRefresh(
    list: Pick<RefreshReport, 'list' | 'feed'>,
    refresh: Promise<Outcome<Snapshot>>,
    signal: AbortSignal,
  ): Promise<RefreshReport> {
    const { access } = this.registration;
    const outcome = await raceAbort<Outcome<Snapshot> | undefined>(refresh, signal, () => undefined);
    return createRefreshReport({ access, ...list }, outcome);
  }

  private resourceStatus(resource: Resource, suspension: Suspension | undefined): ResourceStatus {
    const { activity } = this.observation;
    const capabilities = createCapabilityStatuses(resource, {
      declared: this.registration.supports[resource.path],
      disproofs: this.lists.capabilities.disproofsOf(resource),
      activity,
    });
    const hasKeys = this.hasSeparateKeys(resource);
    return {
      resource: resource.name,
      ...this.listStatus(resource, this.lists.findShown(resource), suspension),
      capabilities,
      ...(hasKeys && { keys: this.listStatus(dataTeamsWithKeys, this.lists.find(allKeysQuery), suspension) }),
    };
  }

  private feedStatus({ query, address }: OperatedFeed): ResourceStatus {
    const { feed = '' } = query.parameters;
    const activity = this.observation.activity.list(query.resource, feed);
    const suspension = this.observation.breakers?.of(new URL(feed)).suspension;
    const inspection = this.inspect(this.lists.find(query));
    return {
      resource: query.resource.name,
      feed: address,
      ...createListStatus({ activity, inspection, suspension, now: this.services.clock.now() }),
      capabilities: [],
    };
  }

  private listStatus(resource: Resource, list: List, suspension: Suspension | undefined): ListStatus {
    const activity = this.observation.activity.list(resource);
    const inspection = this.inspect(list);
    return createListStatus({ activity, inspection, suspension, now: this.services.clock.now() });
  }

  private inspect(list: List): ListInspection {
    const { state, current, isRefreshing } = list;
    const doubt = this.lists.doubtOf(list.id);
    return { state, current, isRefreshing, doubt, policy: this.lists.policy, isShared: this.lists.isShared };
  }

  /** The keys of the teams are a list of their own (decisions 4.22, 8.3). */
  private hasSeparateKeys(resource: Resource): boolean {
    const { allKeysPublic, upstreamAccess } = this.registration;
    return resource === dataTeams && allKeysPublic !== true && upstreamAccess !== 'members';
  }
}

/** With the address that the operator sees. */
interface OperatedFeed {
  readonly query: SourceQuery;
  readonly address: string;
}

function operateFeeds(queries: readonly SourceQuery[]): readonly OperatedFeed[] {
  const addresses = nameFeeds(queries.map(({ parameters }) => parameters['feed'] ?? ''));
  return queries.map((query, at) => ({ query, address: addresses[at] ?? '' }));
}

const DAY = 86_400_000;

function toCertificateStatus(
  origin: string,
  { validUntil, issuer }: ServerCertificate,
  now: number,
): CertificateStatus {
  const daysLeft = Math.floor((validUntil - now) / DAY);
  return { origin, validUntil: formatIsoTimestamp(validUntil), daysLeft, issuer };
}

function listAddresses({ directory, data }: SourceSettings['dialects']): readonly string[] {
  return [directory, data].flatMap((dialect) => dialect?.addresses ?? []);
}

export function listOrigins(dialects: SourceSettings['dialects']): readonly string[] {
  return [...new Set(listAddresses(dialects).map((address) => new URL(address).origin))];
}

function toSuspensionStatus({ since, trialFrom }: Suspension): SuspensionStatus {
  return { since: formatIsoTimestamp(since), trialFrom: formatIsoTimestamp(trialFrom) };
}

function toRequestStatus({ requestResults }: SourceActivity): RequestStatus {
  const sent = [...requestResults.values()].reduce((sum, count) => sum + count, 0);
  const failures = Object.fromEntries([...requestResults].filter(([result]) => result !== 'ok'));
  return { sent, failures };
}
