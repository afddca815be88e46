import { copyOf, isTooLarge } from '../model/outcome.js';
import type { Exclusion, Outcome } from '../model/outcome.js';
import type { Query, Scope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { Origin } from '../plan/push-down.js';
import type { Availability, Way } from '../plan/way.js';
import { RecordSet } from '../records/record-set.js';
import { askingUntil } from './asking.js';
import type { Asking } from './asking.js';
import { channelItems, isIgnored, titlesOf, worst } from './channel.js';
import { Collector } from './collect.js';
import type { SourceFetch } from './fetch.js';
import { checkFingerprints } from './key-checks.js';
import { hasKeys, withKeys } from './keys-of-teams.js';
import type { KeyedTeams } from './keys-of-teams.js';
import { SourceLists } from './lists.js';
import type { ListWanted, Narrowed } from './lists.js';
import type { Registration, SourceHouse } from './registration.js';
import { instantsOf } from './snapshot/snapshot.js';
import type { Copy } from './snapshot/snapshot.js';
import { translate } from './translate.js';
import { allKeys } from './wish.js';
import type { Wish } from './wish.js';

export type { Kept, Registration, SourceHouse } from './registration.js';
export type { Copy, Lease } from './snapshot/snapshot.js';

/** What a query asks of a source. Everything else is done with what it gives. */
export interface Wanted {
  readonly resource: Resource;
  readonly scope: Scope;
  /** Whether the answer depends on the teams' PGP keys (`readsKeys`): only then does it lack something where they are missing; absent: no. */
  readonly readsKeys?: boolean;
  /** Folded title of a news channel. */
  readonly channel?: string;
  /** What a source that has too much is asked for instead of all that it has; absent: nothing is. */
  readonly narrowed?: Narrowed;
}

/** Milliseconds for which an answer may be used that lacks keys which its source failed to give. */
const UNSETTLED_TTL = 5_000;

/** One registered source: its held copies, and the drains that fill them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly relinks: boolean;
  readonly required: boolean;
  readonly countries?: ReadonlySet<string>;
  private readonly lists: SourceLists;
  /** Teams that were joined with their keys: either may outlive the other by many drains, so that only the last keys of teams are remembered. */
  private readonly joins = new WeakMap<RecordSet, Joined>();
  /** The last set whose keys were compared with their fingerprints. */
  private checked: WeakRef<RecordSet> | undefined;
  private answeredWithoutKeys = false;

  constructor(
    private readonly registration: Registration,
    fetch: SourceFetch,
    private readonly house: SourceHouse,
  ) {
    const { code, number, provenance } = registration;
    this.code = code;
    this.number = number;
    this.sourceName = provenance.sourceName;
    this.aggregate = provenance.aggregate;
    this.relinks = provenance.site !== undefined;
    this.required = registration.required;
    const { countries = [] } = registration.coverage ?? {};
    if (countries.length > 0) this.countries = new Set(countries);
    this.lists = new SourceLists(registration, new Collector(registration, fetch, house), house);
  }

  /** Whether the source has the resource; teams may come from either interface. */
  serves(resource: Resource): boolean {
    return this.registration.resources.includes(resource.path) && this.native(resource) !== undefined;
  }

  /**
   * What a query asks of the source: from the held copy within its time to live, else from a drain, which all who ask meanwhile
   * share and which goes on for the next when the asker's deadline ends the waiting. Never rejects.
   */
  ask(wanted: Wanted, asking: Asking): Promise<Outcome<Copy>> {
    return wanted.channel === undefined ? this.records(wanted, asking) : this.channel(wanted.channel, wanted, asking);
  }

  /**
   * Drains the resource ahead of the first query, where the source has it in this form, with the keys that the other form shows; translating it can
   * wait. Of a large source that is known to do something with queries only the size is looked at. Never rejects.
   */
  async warm(resource: Resource, signal: AbortSignal): Promise<void> {
    if (resource === newsItem || !this.serves(resource) || this.native(resource) !== resource) return;
    const asking = askingUntil(signal);
    const look = await this.lists.look(resource, asking);
    if (isTooLarge(look) && this.registration.supports[resource.path] !== undefined) return;
    const scope = resource === dataTeams ? 'pgp' : 'public';
    await this.ask({ resource, scope, readsKeys: scope === 'pgp' }, asking);
  }

  /** One news item in detail form, by the source's own id: a copy with one record, or with none when the source has none. Never rejects. */
  item(native: number, asking: Asking): Promise<Outcome<Copy>> {
    return this.lists.item(native, asking);
  }

  /** The resource in which the source has what is asked for: its own form where it speaks that interface. */
  private native(resource: Resource): Resource | undefined {
    const { bases } = this.registration;
    if (bases[resource.face] !== undefined) return resource;
    const other = resource === directoryTeams ? dataTeams : directoryTeams;
    return resource.path === 'teams' && bases[other.face] !== undefined ? other : undefined;
  }

  private async records(wanted: Wanted, asking: Asking): Promise<Outcome<Copy>> {
    const { resource, scope, narrowed } = wanted;
    const list = this.listOf(resource, narrowed);
    const { native } = list;
    const outcome = await this.lists.get(list, asking);
    if (native === resource && scope !== 'pgp') return outcome;
    // Directory records show the keys of a data source as enckeys, in whichever scope it gives them.
    const asked = native === dataTeams ? await this.keyed(outcome, wanted, asking) : outcome;
    return native === resource ? asked : this.translated(asked, resource);
  }

  private listOf(resource: Resource, narrowed?: Narrowed): ListWanted {
    const native = this.native(resource) ?? resource;
    const { sourceName, aggregate, relinks } = this;
    const origin: Origin = { sourceName, aggregate, relinks, ...(native !== resource && { native }) };
    return { native, narrowed, origin };
  }

  /** How a query is answered, as far as is known before it is asked. */
  way(query: Query): Way | { readonly way: 'excluded'; readonly reason: Exclusion } {
    if (query.channel !== undefined && !this.serves(channels)) return { way: 'excluded', reason: 'resource' };
    return this.lists.way(query, this.listOf(query.resource), this.availability(query));
  }

  /** The interface in which it is asked for a resource; where that is another than the resource's, what comes is translated. */
  face(resource: Resource): Resource['face'] | undefined {
    return this.native(resource)?.face;
  }

  private availability({ resource, channel }: Query): Availability {
    const needed = channel === undefined ? [this.native(resource) ?? resource] : [news, channels];
    const known = needed.map((one) => this.lists.availability(one));
    const least = (['too-large', 'large', 'none', 'stale'] as const).find((availability) =>
      known.includes(availability),
    );
    return least ?? 'fresh';
  }

  private translated(outcome: Outcome<Copy>, resource: Resource): Promise<Outcome<Copy>> {
    return mapCopy(outcome, async (copy) => {
      const set = await copy.set.once(`as ${resource.name}`, () => translate(copy.set, resource, this.code));
      return { ...copy, set };
    });
  }

  /**
   * The teams with their keys: those of their public records, and those that the source gives under `scope=pgp` (decisions.md, section 4, "Scopes"). Where
   * these cannot be had, a query that reads keys gets a partial answer; any other one loses nothing, but may be answered otherwise in a moment.
   */
  private async keyed(outcome: Outcome<Copy>, { scope, readsKeys }: Wanted, asking: Asking): Promise<Outcome<Copy>> {
    const copy = copyOf(outcome);
    const wish = copy && this.keysOf(copy.set);
    if (copy === undefined || wish === undefined) return outcome;
    if (this.registration.allKeysPublic === true) {
      this.checkKeys(copy.set, wish);
      return outcome;
    }
    const keys = await this.lists.part(wish, asking);
    const found = copyOf(keys);
    if (found === undefined && scope === 'pgp' && !(await hasKeys(copy.set))) return keys;
    const { set, unplaced } = await this.joined(copy.set, found?.set);
    this.checkKeys(set, wish);
    const lacking: Outcome<Copy> = { state: 'partial', reason: 'keys', copy };
    const isGood = keys.state === 'fresh' || keys.state === 'stale';
    if (readsKeys !== true && !isGood) return mapCopy(outcome, (own) => this.unsettled({ ...own, set }));
    const doubts = found === undefined || (unplaced && readsKeys === true) ? [lacking] : [];
    const instants = found === undefined ? {} : instantsOf([copy, found]);
    return { ...worst([outcome, keys, ...doubts]), copy: { ...copy, set, ...instants } };
  }

  /** A copy whose keys may come at any moment: no answer made of it counts as unchanged since, and it is soon asked for again. */
  private unsettled(copy: Copy): Copy {
    if (!this.answeredWithoutKeys) this.lists.answeredWithoutKeys();
    this.answeredWithoutKeys = true;
    const now = this.house.clock.now();
    const until = now + UNSETTLED_TTL;
    const lease = { verifiedAt: copy.verifiedAt, staleAt: until, waitAt: until, refreshing: false };
    return { ...copy, since: now, floor: Infinity, leases: [...copy.leases, lease] };
  }

  /** The keys of a set of teams: of those that were pushed down for a filter, as far as the same filter leaves them. Undefined where there are no teams. */
  private keysOf(teams: RecordSet): Wish | undefined {
    const pushed = this.lists.parametersOf(teams);
    if (pushed === undefined) return allKeys;
    if (teams.records.length === 0) return undefined;
    const filters = Object.entries(pushed).filter(([name]) => name !== 'sort');
    if (filters.length === 0) return allKeys;
    const parameters = { ...Object.fromEntries(filters), scope: 'pgp' };
    return { ...allKeys, parameters, pushed: { exact: [], counted: false } };
  }

  /** Has the keys of all teams compared with their fingerprints, once for each set, in the background. */
  private checkKeys(set: RecordSet, wish: Wish): void {
    const { keys, meter, log } = this.house;
    if (keys === undefined || wish !== allKeys || this.checked?.deref() === set) return;
    this.checked = new WeakRef(set);
    const { code: source } = this;
    void checkFingerprints(set, keys).then(({ keys: read, findings }) => {
      if (this.checked?.deref() !== set) return;
      meter.keyFindings({ source, origin: 'keys', findings });
      if (read > 0) log.info({ source, keys: read, findings: Object.fromEntries(findings) }, 'keys checked');
    });
  }

  private joined(teams: RecordSet, keys?: RecordSet): Promise<KeyedTeams> | KeyedTeams {
    if (keys === undefined) return { set: teams, unplaced: false };
    const known = this.joins.get(teams);
    if (known?.keys === keys) return known.keyed;
    const keyed = withKeys(teams, keys, this.lists.parametersOf(teams) !== undefined);
    this.joins.set(teams, { keys, keyed });
    return keyed;
  }

  /** The items of a channel: which they are only the source knows, for items do not carry their channels. */
  private async channel(folded: string, { narrowed }: Wanted, asking: Asking): Promise<Outcome<Copy>> {
    if (!this.serves(channels)) return { state: 'excluded', reason: 'resource' };
    const pushed = narrowed && (await this.pushedChannel(folded, narrowed, asking));
    if (pushed !== undefined) return pushed;
    const [all, listed] = await Promise.all([
      this.lists.get(this.listOf(news), asking),
      this.lists.get(this.listOf(channels), asking),
    ]);
    const [items, list] = [copyOf(all), copyOf(listed)];
    if (items === undefined || list === undefined) return items === undefined ? all : listed;
    const parts = await Promise.all(
      titlesOf(list.set, folded).map((channel) =>
        this.lists.part({ resource: news, parameters: { channel }, however: true }, asking),
      ),
    );
    return channelItems({ all, listed }, parts);
  }

  /**
   * The items of a channel of a large source that is known to filter by channel, and by what else the query asks; undefined where that does not suffice, as
   * for a title that several channels have. Where it has other channels, it must count fewer items for this one than for all.
   */
  private async pushedChannel(folded: string, narrowed: Narrowed, asking: Asking): Promise<Outcome<Copy> | undefined> {
    const known = this.way(narrowed.query);
    const { way } = known.way === 'drain' ? known.ifLarge : known;
    if (way !== 'push-down' || asking.private) return undefined;
    const listed = await this.lists.get(this.listOf(channels), asking);
    const list = copyOf(listed);
    if (list === undefined) return listed;
    const [title, ...more] = titlesOf(list.set, folded);
    if (more.length > 0) return undefined;
    if (title === undefined) {
      const set = await list.set.once('no items', () => Promise.resolve(new RecordSet(news, this.number, [])));
      return { ...worst([listed]), copy: { ...list, set } };
    }
    const found = await this.lists.get(this.listOf(news, { ...narrowed, title }), asking);
    const items = copyOf(found);
    if (items === undefined) return found;
    // A whole list was drained in the meantime, or instead.
    if (this.lists.parametersOf(items.set)?.['channel'] !== title) return undefined;
    const counts =
      list.set.records.length === 1
        ? []
        : await Promise.all([{ channel: title }, {}].map((parameters) => this.lists.count(news, parameters, asking)));
    if (counts.some((count) => copyOf(count) === undefined)) return undefined;
    const [ofChannel, ofAll] = counts.map((count) => copyOf(count)?.set.size ?? 0);
    if (ofChannel !== undefined && ofAll !== undefined && isIgnored(ofChannel, ofAll))
      return { state: 'partial', reason: 'filter' };
    return { ...worst([found, listed, ...counts]), copy: { ...items, ...instantsOf([items, list]) } };
  }
}

/** Teams with their keys, and the list that these came in. */
interface Joined {
  readonly keys: RecordSet;
  readonly keyed: Promise<KeyedTeams>;
}

/** The same outcome with another copy, where it has one. */
async function mapCopy(outcome: Outcome<Copy>, map: (copy: Copy) => Copy | Promise<Copy>): Promise<Outcome<Copy>> {
  const copy = copyOf(outcome);
  return copy === undefined || !('copy' in outcome) ? outcome : { ...outcome, copy: await map(copy) };
}
