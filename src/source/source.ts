import { findSnapshot, isTooLarge } from '../model/outcome.js';
import type { ExclusionReason, Outcome } from '../model/outcome.js';
import type { Query, TeamScope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { SourceTraits } from '../plan/push-down.js';
import type { SnapshotAvailability, SourcePlan } from '../plan/source-plan.js';
import { RecordSet } from '../records/record-set.js';
import { createSourceRequestContext } from './request/source-request-context.js';
import type { SourceRequestContext } from './request/source-request-context.js';
import {
  combineChannelItems,
  isFilterIgnored,
  matchChannelTitles,
  leastCompleteOutcome,
} from './dialect/news-channel.js';
import { SnapshotFetcher } from './snapshot-fetcher.js';
import type { SourceFetch } from './body/source-fetch.js';
import { checkFingerprints } from './keys/fingerprint-checks.js';
import { hasPgpKeys, joinTeamKeys } from './keys/join-team-keys.js';
import type { TeamsWithKeys } from './keys/join-team-keys.js';
import { SourceLists } from './source-lists.js';
import type { SourceListRequest, PushDownQuery } from './source-lists.js';
import type { Registration, SourceServices } from './registration.js';
import { combineSnapshotTimes } from './snapshot/snapshot.js';
import type { Snapshot } from './snapshot/snapshot.js';
import { translateTeams } from './dialect/translate-teams.js';
import { allKeysQuery } from './request/source-query.js';
import type { SourceQuery } from './request/source-query.js';

export type { StoredSnapshot, Registration, SourceServices } from './registration.js';
export type { Snapshot, Lease } from './snapshot/snapshot.js';

/** What a query asks of a source. Everything else is done with what it gives. */
export interface RecordsRequest {
  readonly resource: Resource;
  readonly scope: TeamScope;
  /** Whether the answer depends on the teams' PGP keys (`dependsOnPgpKeys`): only then does it lack something where they are missing; absent: no. */
  readonly readsKeys?: boolean;
  /** Folded title of a news channel. */
  readonly channel?: string;
  /** What a source that has too much is asked for instead of all that it has; absent: nothing is. */
  readonly pushDownQuery?: PushDownQuery;
}

/** Milliseconds for which an answer may be used that lacks keys which its source failed to give. */
const MISSING_KEYS_TTL = 5_000;

/** One registered source: its held copies, and the drains that fill them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly resolvesLinks: boolean;
  readonly required: boolean;
  readonly countries?: ReadonlySet<string>;
  private readonly lists: SourceLists;
  /** Teams that were joined with their keys: either may outlive the other by many drains, so that only the last keys of teams are remembered. */
  private readonly keyedTeams = new WeakMap<RecordSet, KeyJoin>();
  /** The last set whose keys were compared with their fingerprints. */
  private keyCheckedSet: WeakRef<RecordSet> | undefined;
  private hasAnsweredWithoutKeys = false;

  constructor(
    private readonly registration: Registration,
    fetch: SourceFetch,
    private readonly services: SourceServices,
  ) {
    const { code, number, provenance } = registration;
    this.code = code;
    this.number = number;
    this.sourceName = provenance.sourceName;
    this.aggregate = provenance.isAggregate;
    this.resolvesLinks = provenance.site !== undefined;
    this.required = registration.required;
    const { countries = [] } = registration.coverage ?? {};
    if (countries.length > 0) this.countries = new Set(countries);
    this.lists = new SourceLists(registration, new SnapshotFetcher(registration, fetch, services), services);
  }

  /** Whether the source has the resource; teams may come from either interface. */
  serves(resource: Resource): boolean {
    return this.registration.resources.includes(resource.path) && this.nativeResource(resource) !== undefined;
  }

  /**
   * What a query asks of the source: from the held copy within its time to live, else from a drain, which all who ask meanwhile
   * share and which goes on for the next when the asker's deadline ends the waiting. Never rejects.
   */
  getRecords(wanted: RecordsRequest, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return wanted.channel === undefined
      ? this.getList(wanted, asking)
      : this.getChannel(wanted.channel, wanted, asking);
  }

  /**
   * Drains the resource ahead of the first query, where the source has it in this form, with the keys that the other form shows; translating it can
   * wait. Of a large source that is known to do something with queries only the size is looked at. Never rejects.
   */
  async warmUp(resource: Resource, signal: AbortSignal): Promise<void> {
    if (resource === newsItem || !this.serves(resource) || this.nativeResource(resource) !== resource) return;
    const asking = createSourceRequestContext(signal);
    const look = await this.lists.checkSize(resource, asking);
    if (isTooLarge(look) && this.registration.supports[resource.path] !== undefined) return;
    const scope = resource === dataTeams ? 'pgp' : 'public';
    await this.getRecords({ resource, scope, readsKeys: scope === 'pgp' }, asking);
  }

  /** One news item in detail form, by the source's own id: a copy with one record, or with none when the source has none. Never rejects. */
  getItem(native: number, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    return this.lists.getItem(native, asking);
  }

  /** The resource in which the source has what is asked for: its own form where it speaks that interface. */
  private nativeResource(resource: Resource): Resource | undefined {
    const { baseUrls: bases } = this.registration;
    if (bases[resource.interfaceName] !== undefined) return resource;
    const other = resource === directoryTeams ? dataTeams : directoryTeams;
    return resource.path === 'teams' && bases[other.interfaceName] !== undefined ? other : undefined;
  }

  private async getList(wanted: RecordsRequest, asking: SourceRequestContext): Promise<Outcome<Snapshot>> {
    const { resource, scope, pushDownQuery: narrowed } = wanted;
    const list = this.listRequest(resource, narrowed);
    const { nativeResource: native } = list;
    const outcome = await this.lists.get(list, asking);
    if (native === resource && scope !== 'pgp') return outcome;
    // Directory records show the keys of a data source as enckeys, in whichever scope it gives them.
    const asked = native === dataTeams ? await this.addKeys(outcome, wanted, asking) : outcome;
    return native === resource ? asked : this.translateOutcome(asked, resource);
  }

  private listRequest(resource: Resource, narrowed?: PushDownQuery): SourceListRequest {
    const native = this.nativeResource(resource) ?? resource;
    const { sourceName, aggregate, resolvesLinks: relinks } = this;
    const origin: SourceTraits = {
      sourceName,
      aggregate,
      resolvesLinks: relinks,
      ...(native !== resource && { nativeResource: native }),
    };
    return { nativeResource: native, pushDownQuery: narrowed, traits: origin };
  }

  /** How a query is answered, as far as is known before it is asked. */
  planFor(query: Query): SourcePlan | { readonly strategy: 'excluded'; readonly reason: ExclusionReason } {
    if (query.channel !== undefined && !this.serves(channels)) return { strategy: 'excluded', reason: 'resource' };
    return this.lists.planFor(query, this.listRequest(query.resource), this.availability(query));
  }

  /** The interface in which it is asked for a resource; where that is another than the resource's, what comes is translated. */
  interfaceFor(resource: Resource): Resource['interfaceName'] | undefined {
    return this.nativeResource(resource)?.interfaceName;
  }

  private availability({ resource, channel }: Query): SnapshotAvailability {
    const needed = channel === undefined ? [this.nativeResource(resource) ?? resource] : [news, channels];
    const known = needed.map((one) => this.lists.availability(one));
    const least = (['too-large', 'large', 'none', 'stale'] as const).find((availability) =>
      known.includes(availability),
    );
    return least ?? 'fresh';
  }

  private translateOutcome(outcome: Outcome<Snapshot>, resource: Resource): Promise<Outcome<Snapshot>> {
    return mapSnapshot(outcome, async (copy) => {
      const set = await copy.set.computeOnce(`as ${resource.name}`, () =>
        translateTeams(copy.set, resource, this.code),
      );
      return { ...copy, set };
    });
  }

  /**
   * The teams with their keys: those of their public records, and those that the source gives under `scope=pgp` (decisions.md, section 4, "Scopes"). Where
   * these cannot be had, a query that reads keys gets a partial answer; any other one loses nothing, but may be answered otherwise in a moment.
   */
  private async addKeys(
    outcome: Outcome<Snapshot>,
    { scope, readsKeys }: RecordsRequest,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    const copy = findSnapshot(outcome);
    const wish = copy && this.keysQueryFor(copy.set);
    if (copy === undefined || wish === undefined) return outcome;
    if (this.registration.allKeysPublic === true) {
      this.checkKeysInBackground(copy.set, wish);
      return outcome;
    }
    const keys = await this.lists.getPart(wish, asking);
    const found = findSnapshot(keys);
    if (found === undefined && scope === 'pgp' && !(await hasPgpKeys(copy.set))) return keys;
    const { set, hasUnassignedKeys: unplaced } = await this.joinKeys(copy.set, found?.set);
    this.checkKeysInBackground(set, wish);
    const lacking: Outcome<Snapshot> = { state: 'partial', reason: 'keys', snapshot: copy };
    const isGood = keys.state === 'fresh' || keys.state === 'stale';
    if (readsKeys !== true && !isGood) return mapSnapshot(outcome, (own) => this.withShortTimeToLive({ ...own, set }));
    const doubts = found === undefined || (unplaced && readsKeys === true) ? [lacking] : [];
    const instants = found === undefined ? {} : combineSnapshotTimes([copy, found]);
    return { ...leastCompleteOutcome([outcome, keys, ...doubts]), snapshot: { ...copy, set, ...instants } };
  }

  /** A copy whose keys may come at any moment: no answer made of it counts as unchanged since, and it is soon asked for again. */
  private withShortTimeToLive(copy: Snapshot): Snapshot {
    if (!this.hasAnsweredWithoutKeys) this.lists.noteAnsweredWithoutKeys();
    this.hasAnsweredWithoutKeys = true;
    const now = this.services.clock.now();
    const until = now + MISSING_KEYS_TTL;
    const lease = { verifiedAt: copy.verifiedAt, staleAt: until, waitAt: until, refreshing: false };
    return { ...copy, since: now, floor: Infinity, leases: [...copy.leases, lease] };
  }

  /** The keys of a set of teams: of those that were pushed down for a filter, as far as the same filter leaves them. Undefined where there are no teams. */
  private keysQueryFor(teams: RecordSet): SourceQuery | undefined {
    const pushed = this.lists.sentParametersOf(teams);
    if (pushed === undefined) return allKeysQuery;
    if (teams.records.length === 0) return undefined;
    const filters = Object.entries(pushed).filter(([name]) => name !== 'sort');
    if (filters.length === 0) return allKeysQuery;
    const parameters = { ...Object.fromEntries(filters), scope: 'pgp' };
    return { ...allKeysQuery, parameters, pushDown: { exact: [], hasExactTotal: false } };
  }

  /** Has the keys of all teams compared with their fingerprints, once for each set, in the background. */
  private checkKeysInBackground(set: RecordSet, wish: SourceQuery): void {
    const { keyReader: keys, meter, log } = this.services;
    if (keys === undefined || wish !== allKeysQuery || this.keyCheckedSet?.deref() === set) return;
    this.keyCheckedSet = new WeakRef(set);
    const { code: source } = this;
    void checkFingerprints(set, keys).then(({ readableKeys: read, findings }) => {
      if (this.keyCheckedSet?.deref() !== set) return;
      meter.recordKeyFindings({ source, origin: 'keys', findings });
      if (read > 0) log.info({ source, keys: read, findings: Object.fromEntries(findings) }, 'keys checked');
    });
  }

  private joinKeys(teams: RecordSet, keys?: RecordSet): Promise<TeamsWithKeys> | TeamsWithKeys {
    if (keys === undefined) return { set: teams, hasUnassignedKeys: false };
    const known = this.keyedTeams.get(teams);
    if (known?.keys === keys) return known.keyed;
    const keyed = joinTeamKeys(teams, keys, this.lists.sentParametersOf(teams) !== undefined);
    this.keyedTeams.set(teams, { keys, keyed });
    return keyed;
  }

  /** The items of a channel: which they are only the source knows, for items do not carry their channels. */
  private async getChannel(
    folded: string,
    { pushDownQuery: narrowed }: RecordsRequest,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot>> {
    if (!this.serves(channels)) return { state: 'excluded', reason: 'resource' };
    const pushed = narrowed && (await this.getPushedDownChannel(folded, narrowed, asking));
    if (pushed !== undefined) return pushed;
    const [all, listed] = await Promise.all([
      this.lists.get(this.listRequest(news), asking),
      this.lists.get(this.listRequest(channels), asking),
    ]);
    const [items, list] = [findSnapshot(all), findSnapshot(listed)];
    if (items === undefined || list === undefined) return items === undefined ? all : listed;
    const parts = await Promise.all(
      matchChannelTitles(list.set, folded).map((channel) =>
        this.lists.getPart({ resource: news, parameters: { channel }, completeAtAnySize: true }, asking),
      ),
    );
    return combineChannelItems({ items: all, channels: listed }, parts);
  }

  /**
   * The items of a channel of a large source that is known to filter by channel, and by what else the query asks; undefined where that does not suffice, as
   * for a title that several channels have. Where it has other channels, it must count fewer items for this one than for all.
   */
  private async getPushedDownChannel(
    folded: string,
    narrowed: PushDownQuery,
    asking: SourceRequestContext,
  ): Promise<Outcome<Snapshot> | undefined> {
    const known = this.planFor(narrowed.query);
    const { strategy: way } = known.strategy === 'drain' ? known.ifLarge : known;
    if (way !== 'push-down' || asking.private) return undefined;
    const listed = await this.lists.get(this.listRequest(channels), asking);
    const list = findSnapshot(listed);
    if (list === undefined) return listed;
    const [title, ...more] = matchChannelTitles(list.set, folded);
    if (more.length > 0) return undefined;
    if (title === undefined) {
      const set = await list.set.computeOnce('no items', () => Promise.resolve(new RecordSet(news, this.number, [])));
      return { ...leastCompleteOutcome([listed]), snapshot: { ...list, set } };
    }
    const found = await this.lists.get(this.listRequest(news, { ...narrowed, channelTitle: title }), asking);
    const items = findSnapshot(found);
    if (items === undefined) return found;
    // A whole list was drained in the meantime, or instead.
    if (this.lists.sentParametersOf(items.set)?.['channel'] !== title) return undefined;
    const counts =
      list.set.records.length === 1
        ? []
        : await Promise.all(
            [{ channel: title }, {}].map((parameters) => this.lists.getCount(news, parameters, asking)),
          );
    if (counts.some((count) => findSnapshot(count) === undefined)) return undefined;
    const [ofChannel, ofAll] = counts.map((count) => findSnapshot(count)?.set.totalCount ?? 0);
    if (ofChannel !== undefined && ofAll !== undefined && isFilterIgnored(ofChannel, ofAll))
      return { state: 'partial', reason: 'filter' };
    return {
      ...leastCompleteOutcome([found, listed, ...counts]),
      snapshot: { ...items, ...combineSnapshotTimes([items, list]) },
    };
  }
}

/** Teams with their keys, and the list that these came in. */
interface KeyJoin {
  readonly keys: RecordSet;
  readonly keyed: Promise<TeamsWithKeys>;
}

/** The same outcome with another copy, where it has one. */
async function mapSnapshot(
  outcome: Outcome<Snapshot>,
  map: (copy: Snapshot) => Snapshot | Promise<Snapshot>,
): Promise<Outcome<Snapshot>> {
  const copy = findSnapshot(outcome);
  return copy === undefined || !('snapshot' in outcome) ? outcome : { ...outcome, snapshot: await map(copy) };
}
