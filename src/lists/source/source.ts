import type { AccessLevel } from '../../model/access-level.js';
import { findSnapshot, isTooLarge } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { ExclusionReason } from '../../model/reasons.js';
import type { Query, TeamScope } from '../../model/query.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { showsPgpKeys } from '../../plan/pgp-key-dependency.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { news, newsItem } from '../../model/resources/news.js';
import type { SourceTraits } from '../../plan/push-down.js';
import type { SnapshotAvailability, SourcePlan } from '../../plan/source-plan.js';
import type { RecordSet } from '../../records/record-set.js';
import { createSourceRequestContext } from '../../source/request/source-request-context.js';
import type { SourceRequestContext } from '../../source/request/source-request-context.js';
import { combineChannelItems, matchChannelTitles, leastCompleteOutcome } from './news-of-one-channel.js';
import { ListReader } from '../reading/list-reader.js';
import type { SourceFetch } from '../../source/body/source-fetch-types.js';
import { checkFingerprints } from '../../source/keys/complete-key-records.js';
import { hasPgpKeys, joinTeamKeys } from '../../source/keys/join-team-keys.js';
import type { TeamsWithKeys } from '../../source/keys/join-team-keys.js';
import { ListRetrieval } from './list-retrieval.js';
import { Lists, findLeast } from '../lists.js';
import type { ListsServices } from '../lists.js';
import type { SourceListRequest, PushDownQuery } from './list-retrieval.js';
import type { SourceSettings, SourceServices } from '../../source/source-settings.js';
import { SourceOperations } from './source-operations.js';
import type { SourceObservation } from './source-operations.js';
import { SourceActivity } from '../status/source-activity.js';
import { combineSnapshotFacts } from '../snapshot.js';
import type { Snapshot } from '../snapshot.js';
import { translateNames, translateTeams } from '../../source/dialect/translate-teams.js';
import { allKeysQuery } from '../../source/request/source-query.js';

/** The gateway evaluates everything else on the returned records. */
export interface RecordsRequest {
  readonly resource: Resource;
  readonly scope: TeamScope;
  /** The response depends on PGP keys (`dependsOnPgpKeys`). Only then missing keys make it partial (decisions 4.25). */
  readonly readsKeys?: boolean;
  /** Folded title. */
  readonly channel?: string;
  /** For a source beyond its `drain-threshold`. Absent: nothing is pushed down. */
  readonly pushDownQuery?: PushDownQuery;
}

/** Milliseconds for a response without keys that the source failed to return. */
const MISSING_KEYS_TTL = 5_000;

/** Its cached lists, and the client that fetches them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly resolvesLinks: boolean;
  readonly required: boolean;
  /** Of the requests to the source (decisions 8.3). */
  readonly upstreamAccess: AccessLevel;
  readonly countries?: ReadonlySet<string>;
  readonly operations: SourceOperations;
  private readonly lists: Lists;
  private readonly retrieval: ListRetrieval;
  /** By the list of teams. Teams and keys are refreshed independently; only the join with the latest keys is kept. */
  private keyedTeams = new WeakMap<RecordSet, { readonly keys: RecordSet; readonly keyed: Promise<TeamsWithKeys> }>();
  /** The last whose keys were compared with their fingerprints. */
  private keyCheckedSet: WeakRef<RecordSet> | undefined;

  constructor(
    private readonly registration: SourceSettings,
    fetch: SourceFetch,
    private readonly services: SourceServices & Omit<ListsServices, 'reader'>,
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
    const fetcher = new ListReader(registration, fetch, services);
    this.lists = new Lists(registration, { ...services, reader: fetcher }, observation.activity);
    this.retrieval = new ListRetrieval(registration, this.lists);
    this.operations = new SourceOperations(registration, this.lists, services, observation);
  }

  /** Teams may be served on either interface (decisions 4.14). */
  serves(resource: Resource): boolean {
    return this.registration.resources.includes(resource.path) && this.nativeResource(resource) !== undefined;
  }

  /**
   * From a snapshot within its time to live, else from a drain, which concurrent requests share and which outlives
   * their deadlines (decisions 5.8). Never rejects.
   */
  getRecords(request: RecordsRequest, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return request.channel === undefined ? this.getList(request, context) : this.getChannel(request.channel, context);
  }

  /**
   * Drains a resource that the source serves in this form, with the keys that the directory interface shows. Of a large
   * source with declared capabilities only checks the size (decisions 5.4, 5.10). Never rejects.
   */
  async warmUp(resource: Resource, signal: AbortSignal): Promise<void> {
    if (resource === newsItem || !this.serves(resource) || this.nativeResource(resource) !== resource) return;
    const context = createSourceRequestContext(signal);
    const sizeCheck = await this.retrieval.checkSize(resource, context);
    if (isTooLarge(sizeCheck) && this.registration.supports[resource.path] !== undefined) return;
    const scope = resource === dataTeams ? 'pgp' : 'public';
    await this.getRecords({ resource, scope, readsKeys: scope === 'pgp' }, context);
  }

  /** By the source's own id: one record, or none if the source has no such item. Never rejects. */
  getItem(native: number, context: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.retrieval.getItem(native, context);
  }

  /** From an earlier process (operation 2.5.3). Never rejects. */
  restore(): Promise<void> {
    return this.lists.restore();
  }

  /** After a reload (operation 6.2). `previous`: what it goes on with. `isStale`: its lists must be read again. */
  replace(previous: Source | undefined, isStale: boolean): void {
    this.lists.replace(previous?.lists, isStale);
    if (previous === undefined) return;
    this.observation.activity.continueFrom(previous.observation.activity);
    this.keyedTeams = previous.keyedTeams;
  }

  /** The given resource if the source serves its interface, else the teams of the other; undefined if neither. */
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
    // As `enckeys`, also those of `scope=pgp` (decisions 4.22).
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
    // Only in the form of the source's own interface.
    return { nativeResource: native, pushDownQuery: native === resource ? pushDownQuery : undefined, traits };
  }

  planFor(query: Query): SourcePlan | { readonly strategy: 'excluded'; readonly reason: ExclusionReason } {
    if (query.channel !== undefined && !this.serves(channels)) return { strategy: 'excluded', reason: 'resource' };
    return this.retrieval.planFor(query, this.listRequest(query.resource), this.availability(query));
  }

  /** Records of the other interface are translated. */
  interfaceFor(resource: Resource): Resource['interfaceName'] | undefined {
    return this.nativeResource(resource)?.interfaceName;
  }

  /** Of the lists that such a query needs; `none` also where the source does not serve them. */
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
   * Of the public records and of `scope=pgp`. If the latter fail, a query that reads keys becomes partial; any other
   * response is complete, but expires soon.
   */
  private async addKeys(
    outcome: Outcome<Snapshot>,
    { scope, readsKeys }: RecordsRequest,
    context: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const snapshot = findSnapshot(outcome);
    if (snapshot === undefined) return outcome;
    const { allKeysPublic, upstreamAccess } = this.registration;
    // The members' list contains the keys.
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

  /** Missing keys may arrive at any moment: no date identifies what is built from it. */
  private withShortTimeToLive(snapshot: Snapshot): Snapshot {
    const until = this.services.clock.now() + MISSING_KEYS_TTL;
    const times = { verifiedAt: snapshot.verifiedAt, staleAt: until, waitAt: until, isRefreshing: false };
    return { ...snapshot, changedAt: Infinity, lists: [...snapshot.lists, { times }] };
  }

  /** With their fingerprints, once for each record set. */
  private checkKeysInBackground(set: RecordSet): void {
    const { keyReader: keys, publish } = this.services;
    if (keys === undefined || this.keyCheckedSet?.deref() === set) return;
    this.keyCheckedSet = new WeakRef(set);
    const { code: source } = this;
    void checkFingerprints(set, { reader: keys, source }).then(({ readableKeys: read, findings }) => {
      if (this.keyCheckedSet?.deref() !== set) return;
      publish({ type: 'keys checked', keys: read, findings });
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

  /** Only the source knows the items: list items do not carry their channels (decisions 2.32). */
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

/** If it has a snapshot. */
async function mapSnapshot(
  outcome: Outcome<Snapshot>,
  map: (snapshot: Snapshot) => Snapshot | Promise<Snapshot>,
): Promise<Outcome<Snapshot>> {
  const snapshot = findSnapshot(outcome);
  return snapshot === undefined || !('snapshot' in outcome) ? outcome : { ...outcome, snapshot: await map(snapshot) };
}
