import type { AccessLevel } from '../model/access-level.js';
import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { ExclusionReason, Outcome } from '../model/outcome.js';
import type { Query, TeamScope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { showsPgpKeys } from '../plan/pgp-key-dependency.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { SourceTraits } from '../plan/push-down.js';
import type { SnapshotAvailability, SourcePlan } from '../plan/source-plan.js';
import type { RecordSet } from '../records/record-set.js';
import { createSourceRequestContext } from './request/source-request-context.js';
import type { SourceRequestContext } from './request/source-request-context.js';
import { combineChannelItems, matchChannelTitles, leastCompleteOutcome } from './dialect/news-of-one-channel.js';
import { SnapshotFetcher } from './snapshot-fetcher.js';
import type { SourceFetch } from './body/source-fetch-types.js';
import { checkFingerprints } from './keys/complete-key-records.js';
import { hasPgpKeys, joinTeamKeys } from './keys/join-team-keys.js';
import type { TeamsWithKeys } from './keys/join-team-keys.js';
import { ListRetrieval } from './list-retrieval.js';
import { SourceLists, findLeast } from './source-lists.js';
import type { SourceListRequest, PushDownQuery } from './list-retrieval.js';
import type { SourceSettings, SourceServices } from './source-settings.js';
import { SourceOperations } from './source-operations.js';
import type { SourceObservation } from './source-operations.js';
import { SourceActivity } from './status/source-activity.js';
import { combineSnapshotFacts } from './snapshot/snapshot.js';
import type { Snapshot } from './snapshot/snapshot.js';
import type { SnapshotHandover } from './snapshot/snapshot-handover.js';
import { translateNames, translateTeams } from './dialect/translate-teams.js';
import { allKeysQuery } from './request/source-query.js';

/** What a query needs of a source. The gateway evaluates everything else on the returned records. */
export interface RecordsRequest {
  readonly resource: Resource;
  readonly scope: TeamScope;
  /**
   * Whether the response depends on the teams' PGP keys (`dependsOnPgpKeys`). Only then do missing keys make it partial
   * (decisions 4.25). Absent: no.
   */
  readonly readsKeys?: boolean;
  /** Folded title of a news channel. */
  readonly channel?: string;
  /** The query that a source beyond its `drain-threshold` gets by push-down. Absent: nothing is pushed down. */
  readonly pushDownQuery?: PushDownQuery;
}

/** Milliseconds for which a response may be used that lacks keys because the source failed to return them. */
const MISSING_KEYS_TTL = 5_000;

/** One registered source: its cached lists, and the client that fetches them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly resolvesLinks: boolean;
  readonly required: boolean;
  /** Access level of the requests to the source (decisions 8.3). */
  readonly upstreamAccess: AccessLevel;
  readonly countries?: ReadonlySet<string>;
  /** What the operator sees and does. */
  readonly operations: SourceOperations;
  private readonly lists: SourceLists;
  private readonly retrieval: ListRetrieval;
  /**
   * Teams joined with their keys, by the list of teams. Teams and keys are refreshed independently; only the join with
   * the latest keys is kept.
   */
  private keyedTeams = new WeakMap<RecordSet, KeyJoin>();
  /** The last record set whose keys were compared with their fingerprints. */
  private keyCheckedSet: WeakRef<RecordSet> | undefined;
  private hasServedWithoutKeys = false;

  constructor(
    private readonly registration: SourceSettings,
    fetch: SourceFetch,
    private readonly services: SourceServices,
    private readonly observation: SourceObservation = { activity: new SourceActivity() },
  ) {
    const { code, number, provenance } = registration;
    this.code = code;
    this.number = number;
    this.sourceName = provenance.sourceName;
    this.aggregate = provenance.isAggregate;
    this.resolvesLinks = provenance.site !== undefined;
    this.required = registration.required;
    this.upstreamAccess = registration.upstreamAccess;
    const { countries = [] } = registration.coverage ?? {};
    if (countries.length > 0) this.countries = new Set(countries);
    const fetcher = new SnapshotFetcher(registration, fetch, services);
    this.lists = new SourceLists(registration, fetcher, services, observation.activity);
    this.retrieval = new ListRetrieval(registration, this.lists);
    this.operations = new SourceOperations(registration, this.lists, services, observation);
  }

  /** Whether the source serves the resource. Teams may be served on either interface (decisions 4.14). */
  serves(resource: Resource): boolean {
    return this.registration.resources.includes(resource.path) && this.nativeResource(resource) !== undefined;
  }

  /**
   * Returns the records that a query needs: from a snapshot within its time to live, else from a drain. Concurrent
   * requests share the drain, which continues after the deadline of a request for later ones (decisions 5.8).
   * Never rejects.
   */
  getRecords(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return request.channel === undefined ? this.getList(request, context) : this.getChannel(request.channel, context);
  }

  /**
   * Drains a resource before the first query, if the source serves it in this form, together with the keys that the
   * directory interface shows. Translation is left to the first query. Of a large source with declared capabilities
   * only the size is checked (decisions 5.4, 5.10). Never rejects.
   */
  async warmUp(resource: Resource, signal: AbortSignal): Promise<void> {
    if (resource === newsItem || !this.serves(resource) || this.nativeResource(resource) !== resource) return;
    const context = createSourceRequestContext(signal);
    const sizeCheck = await this.retrieval.checkSize(resource, context);
    if (isTooLarge(sizeCheck) && this.registration.supports[resource.path] !== undefined) return;
    const scope = resource === dataTeams ? 'pgp' : 'public';
    await this.getRecords({ resource, scope, readsKeys: scope === 'pgp' }, context);
  }

  /**
   * Returns one news item in detail form, by the source's own id: a snapshot with one record, or with none if the
   * source has no such item. Never rejects.
   */
  getItem(native: number, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.retrieval.getItem(native, context);
  }

  /** Restores the snapshots that an earlier process saved (operation 2.5.3). Never rejects. */
  async restore(): Promise<void> {
    for await (const saved of this.services.persistence?.load() ?? []) await this.lists.restore(saved);
  }

  /** Takes over what the source of an earlier configuration knows (operation 6.2). */
  continueFrom(previous: Source, handover: SnapshotHandover): void {
    this.lists.continueFrom(previous.lists, handover);
    if (handover !== 'none') {
      this.observation.activity.continueFrom(previous.observation.activity);
      this.keyedTeams = previous.keyedTeams;
    }
    this.hasServedWithoutKeys = previous.hasServedWithoutKeys;
  }

  /**
   * Returns the resource that is requested of the source: the given one if the source serves its interface, else the
   * teams of the other interface. Undefined if the source serves neither.
   */
  private nativeResource(resource: Resource): Resource | undefined {
    const { dialects } = this.registration;
    if (dialects[resource.interfaceName] !== undefined) return resource;
    const other = resource === directoryTeams ? dataTeams : directoryTeams;
    return resource.path === 'teams' && dialects[other.interfaceName] !== undefined ? other : undefined;
  }

  private async getList(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { resource, scope, pushDownQuery } = request;
    const list = this.listRequest(resource, pushDownQuery);
    const { nativeResource: native } = list;
    const outcome = await this.retrieval.get(list, context);
    const needsKeys = native === resource ? showsPgpKeys(scope) : this.registration.showsDerivedKeys;
    // Directory records show the keys of a data source as `enckeys`, also those of `scope=pgp` (decisions 4.22).
    const withKeys = native === dataTeams && needsKeys ? await this.addKeys(outcome, request, context) : outcome;
    return native === resource ? withKeys : this.translateOutcome(withKeys, resource);
  }

  private listRequest(resource: Resource, pushDownQuery?: PushDownQuery): SourceListRequest {
    const native = this.nativeResource(resource) ?? resource;
    const { sourceName, aggregate, resolvesLinks } = this;
    const traits: SourceTraits = {
      sourceName,
      aggregate,
      resolvesLinks,
      ...(this.lists.feeds !== undefined && { itemsNameChannels: true }),
    };
    // Only a query in the form of the source's own interface is pushed down.
    return { nativeResource: native, pushDownQuery: native === resource ? pushDownQuery : undefined, traits };
  }

  /** Returns the plan of a query as far as it is known without a request. */
  planFor(query: Query): SourcePlan | { readonly strategy: 'excluded'; readonly reason: ExclusionReason } {
    if (query.channel !== undefined && !this.serves(channels)) return { strategy: 'excluded', reason: 'resource' };
    return this.retrieval.planFor(query, this.listRequest(query.resource), this.availability(query));
  }

  /**
   * Returns the interface on which the source is queried for a resource; records of the other interface are translated.
   */
  interfaceFor(resource: Resource): Resource['interfaceName'] | undefined {
    return this.nativeResource(resource)?.interfaceName;
  }

  /** Returns how much is cached of the lists that such a query needs; `none` also where the source does not serve them. */
  availability({ resource, channel }: Pick<Query, 'resource' | 'channel'>): SnapshotAvailability {
    if (!this.serves(resource)) return 'none';
    const needed = channel === undefined ? [this.nativeResource(resource) ?? resource] : [news, channels];
    return findLeast(needed.map((list) => this.lists.availability(list)));
  }

  private translateOutcome(outcome: Outcome<Snapshot>, resource: Resource): Promise<Outcome<Snapshot>> {
    return mapSnapshot(outcome, async (snapshot) => {
      const { showsDerivedKeys } = this.registration;
      // A reload may keep the records and change who sees the keys.
      const form = `as ${resource.name}, ${showsDerivedKeys ? 'with' : 'without'} keys`;
      const set = await snapshot.set.computeOnce(form, () =>
        translateTeams(snapshot.set, resource, { code: this.code, withKeys: showsDerivedKeys }),
      );
      const { unreadProperties: unread } = snapshot;
      return { ...snapshot, set, ...(unread && { unreadProperties: translateNames(unread, resource, this.code) }) };
    });
  }

  /**
   * Adds the keys to the teams: those of the public records and those of `scope=pgp`. If the latter fail, a query that
   * reads keys becomes partial; the response to any other query is complete, but expires soon.
   */
  private async addKeys(
    outcome: Outcome<Snapshot>,
    { scope, readsKeys }: RecordsRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const snapshot = findSnapshot(outcome);
    if (snapshot === undefined) return outcome;
    const { allKeysPublic, upstreamAccess } = this.registration;
    // The members' list of a source contains the keys.
    if (allKeysPublic === true || upstreamAccess === 'members') {
      this.checkKeysInBackground(snapshot.set);
      return outcome;
    }
    const keys = await this.retrieval.getPart(allKeysQuery, context);
    const found = findSnapshot(keys);
    if (found === undefined && scope === 'pgp' && readsKeys === true && !(await hasPgpKeys(snapshot.set))) return keys;
    const { set, hasUnassignedKeys } = await this.joinKeys(snapshot.set, found?.set);
    this.checkKeysInBackground(set);
    const withoutKeys: Outcome<Snapshot> = { state: 'partial', reason: 'keys', snapshot };
    const isGood = keys.state === 'fresh' || keys.state === 'stale';
    if (readsKeys !== true && !isGood)
      return mapSnapshot(outcome, (current) => this.withShortTimeToLive({ ...current, set }));
    const partialOutcomes = found === undefined || (hasUnassignedKeys && readsKeys === true) ? [withoutKeys] : [];
    const facts = found === undefined ? {} : combineSnapshotFacts([snapshot, found]);
    return {
      ...leastCompleteOutcome([outcome, keys, ...partialOutcomes]),
      snapshot: { ...snapshot, set, ...facts },
    };
  }

  /**
   * Dates a snapshot whose missing keys may arrive at any moment: nothing built from it counts as unchanged, and it
   * expires soon.
   */
  private withShortTimeToLive(snapshot: Snapshot): Snapshot {
    if (!this.hasServedWithoutKeys) this.lists.noteServedWithoutKeys();
    this.hasServedWithoutKeys = true;
    const now = this.services.clock.now();
    const until = now + MISSING_KEYS_TTL;
    const lease = { verifiedAt: snapshot.verifiedAt, staleAt: until, waitAt: until, refreshing: false };
    return {
      ...snapshot,
      since: now,
      floor: Infinity,
      agreedVersion: undefined,
      leases: [...snapshot.leases, lease],
    };
  }

  /** Compares the keys of all teams with their fingerprints, once for each record set, in the background. */
  private checkKeysInBackground(set: RecordSet): void {
    const { keyReader: keys, meter, log } = this.services;
    if (keys === undefined || this.keyCheckedSet?.deref() === set) return;
    this.keyCheckedSet = new WeakRef(set);
    const { code: source } = this;
    void checkFingerprints(set, { reader: keys, source }).then(({ readableKeys: read, findings }) => {
      if (this.keyCheckedSet?.deref() !== set) return;
      meter.recordKeyFindings({ source, origin: 'keys', findings });
      if (read > 0) log.info({ source, keys: read, findings: Object.fromEntries(findings) }, 'keys checked');
    });
  }

  private joinKeys(teams: RecordSet, keys?: RecordSet): Promise<TeamsWithKeys> | TeamsWithKeys {
    if (keys === undefined) return { set: teams, hasUnassignedKeys: false };
    const availabilities = this.keyedTeams.get(teams);
    if (availabilities?.keys === keys) return availabilities.keyed;
    const keyed = joinTeamKeys(teams, keys);
    this.keyedTeams.set(teams, { keys, keyed });
    return keyed;
  }

  /**
   * Returns the items of a channel. Only the source knows which they are, because list items do not carry their
   * channels (decisions 2.32).
   */
  private async getChannel(folded: string, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    if (!this.serves(channels)) return { state: 'excluded', reason: 'resource' };
    if (this.lists.feeds !== undefined) return this.lists.feeds.getChannel(folded, context);
    const [all, listed] = await Promise.all([
      this.retrieval.get(this.listRequest(news), context),
      this.retrieval.get(this.listRequest(channels), context),
    ]);
    const [items, list] = [findSnapshot(all), findSnapshot(listed)];
    if (items === undefined || list === undefined) return items === undefined ? all : listed;
    const parts = await Promise.all(
      matchChannelTitles(list.set, folded).map((channel) =>
        this.retrieval.getPart({ resource: news, parameters: { channel }, completeAtAnySize: true }, context),
      ),
    );
    return combineChannelItems({ items: all, channels: listed }, parts);
  }
}

/** Teams joined with their keys, and the list of these keys. */
interface KeyJoin {
  readonly keys: RecordSet;
  readonly keyed: Promise<TeamsWithKeys>;
}

/** Returns the outcome with its snapshot replaced, if it has one. */
async function mapSnapshot(
  outcome: Outcome<Snapshot>,
  map: (snapshot: Snapshot) => Snapshot | Promise<Snapshot>,
): Promise<Outcome<Snapshot>> {
  const snapshot = findSnapshot(outcome);
  return snapshot === undefined || !('snapshot' in outcome) ? outcome : { ...outcome, snapshot: await map(snapshot) };
}
