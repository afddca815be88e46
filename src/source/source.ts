import { Pulse } from '../hold/pulse.js';
import { noCapability } from '../model/capabilities.js';
import type { Capability } from '../model/capabilities.js';
import { copyOf, isTooLarge } from '../model/outcome.js';
import type { Exclusion, Outcome } from '../model/outcome.js';
import type { Query, Scope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams, teamKeys } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import { wayOf } from '../plan/way.js';
import type { Standing, Way } from '../plan/way.js';
import type { RecordSet } from '../records/record-set.js';
import { askingUntil } from './asking.js';
import type { Asking } from './asking.js';
import { Claims } from './claims.js';
import { channelItems, titlesOf, worst } from './channel.js';
import { Collector } from './collect.js';
import { HeldCopies } from './copies.js';
import type { Ending } from './ending.js';
import type { SourceFetch } from './fetch.js';
import { hasKeys, withKeys } from './keys-of-teams.js';
import type { KeyedTeams } from './keys-of-teams.js';
import type { Memory } from './memory.js';
import { instantsOf } from './registration.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { ShrinkGuard } from './shrink.js';
import type { CountMemory } from './shrink.js';
import { isCopyless } from './shelf.js';
import type { Copyless } from './shelf.js';
import { translate } from './translate.js';
import { wholeOf } from './wish.js';
import type { Wish } from './wish.js';

export type { Copy, Kept, Lease, Registration, SourceHouse } from './registration.js';

/** What a query asks of a source. Everything else is done with what it gives. */
export interface Wanted {
  readonly resource: Resource;
  readonly scope: Scope;
  /** Folded title of a news channel. */
  readonly channel?: string;
  /** What a source that has too much is asked for instead of all that it has; absent: nothing is. */
  readonly narrowed?: Narrowed;
}

/** A query, and how many records from the start of its order are wanted at least of this source. */
export interface Narrowed {
  readonly query: Query;
  readonly first: number;
}

/** One registered source: its held copies, and the drains that fill them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  readonly relinks: boolean;
  readonly required: boolean;
  readonly countries?: ReadonlySet<string>;
  private readonly claims: Claims;
  /** Whole resources. */
  private readonly copies: HeldCopies;
  private readonly items: HeldCopies;
  /** What queries were pushed down to. */
  private readonly narrowed: HeldCopies;
  private join: Joined | undefined;

  constructor(
    private readonly registration: Registration,
    fetch: SourceFetch,
    house: SourceHouse,
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
    const collector = new Collector(registration, fetch, house);
    this.claims = new Claims(registration, house);
    const contradicted = this.claims.disprove.bind(this.claims);
    const { confirmShrink, ttl, staleIfError } = registration;
    const guard = new ShrinkGuard(confirmShrink, ttl + staleIfError, countsIn(house.memory, registration));
    const any = { store: house.items, any: true, contradicted, guard };
    const whole = { store: house.store, any: false, contradicted, guard };
    // What is made of them is told by the sets that it rests on.
    const apart: SourceHouse = { ...house, changed: () => undefined };
    this.copies = new HeldCopies(registration, collector, house, {
      ...whole,
      shown: (resource) => {
        this.narrowed.shownOtherwise(resource);
      },
    });
    this.items = new HeldCopies(registration, collector, { ...apart, pulse: new Pulse() }, any);
    this.narrowed = new HeldCopies(registration, collector, apart, {
      ...any,
      shown: (resource) => {
        this.copies.shownOtherwise(resource);
      },
    });
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
    return wanted.channel === undefined ? this.records(wanted, asking) : this.channel(wanted.channel, asking);
  }

  /**
   * Drains the resource ahead of the first query, where the source has it in this form, with the keys that the other form shows; translating it can
   * wait. Never rejects.
   */
  async warm(resource: Resource, signal: Ending): Promise<void> {
    if (resource === newsItem || !this.serves(resource) || this.native(resource) !== resource) return;
    await this.ask({ resource, scope: resource === dataTeams ? 'pgp' : 'public' }, askingUntil(signal));
  }

  /** One news item in detail form, by the source's own id: a copy with one record, or with none when the source has none. Never rejects. */
  item(native: number, asking: Asking): Promise<Outcome<Copy>> {
    return this.items.get({ resource: newsItem, parameters: {}, native }, asking);
  }

  /** The resource in which the source has what is asked for: its own form where it speaks that interface. */
  private native(resource: Resource): Resource | undefined {
    const { bases } = this.registration;
    if (bases[resource.face] !== undefined) return resource;
    const other = resource === directoryTeams ? dataTeams : directoryTeams;
    return resource.path === 'teams' && bases[other.face] !== undefined ? other : undefined;
  }

  private async records({ resource, scope, narrowed }: Wanted, asking: Asking): Promise<Outcome<Copy>> {
    const native = this.native(resource) ?? resource;
    const outcome = await this.copies.get(wholeOf(native), asking);
    if (narrowed !== undefined && isTooLarge(outcome)) return this.pushedDown(narrowed, outcome, asking);
    if (narrowed !== undefined && isCopyless(outcome)) return this.heldInstead(narrowed, outcome);
    if (native === resource && scope !== 'pgp') return outcome;
    // Directory records show the keys of a data source as enckeys, in whichever scope it gives them.
    const asked = native === dataTeams ? await this.keyed(outcome, scope === 'pgp', asking) : outcome;
    return native === resource ? asked : this.translated(asked, resource);
  }

  /** How a query is answered, as far as is known before it is asked. */
  way(query: Query): Way | { readonly way: 'excluded'; readonly reason: Exclusion } {
    if (query.channel !== undefined && !this.serves(channels)) return { way: 'excluded', reason: 'resource' };
    const standing = this.standing(query);
    return wayOf(query, { standing, capability: this.capability(query.resource), origin: this });
  }

  /** The interface in which it is asked for a resource; where that is another than the resource's, what comes is translated. */
  face(resource: Resource): Resource['face'] | undefined {
    return this.native(resource)?.face;
  }

  private standing({ resource, channel }: Query): Standing {
    const needed = channel === undefined ? [this.native(resource) ?? resource] : [news, channels];
    const known = needed.map((one) => this.copies.standing(wholeOf(one)));
    const least = (['too-large', 'none', 'stale'] as const).find((standing) => known.includes(standing));
    return least ?? 'fresh';
  }

  /** What it is believed to do with a resource. What would have to be translated is not asked in another interface's words. */
  private capability(resource: Resource): Capability {
    return this.native(resource) === resource ? this.claims.of(resource) : noCapability;
  }

  /**
   * What comes of a query that is pushed down. Where an answer contradicts what the source was believed to do, all that it has is fetched,
   * however much that is, and nothing is left to it (decisions.md, section 5): exact before fast.
   */
  private async pushedDown(
    { query, first }: Narrowed,
    tooLarge: Outcome<Copy>,
    asking: Asking,
  ): Promise<Outcome<Copy>> {
    const { resource } = query;
    const capability = this.capability(resource);
    const wish = this.wishOf({ query, first });
    if (wish === undefined) return tooLarge;
    const outcome = await this.narrowed.get(wish, asking);
    if (this.capability(resource) === capability) return outcome;
    return this.copies.get({ resource, parameters: {}, however: true }, asking);
  }

  /** What stands in for a source that cannot be asked how much it has: an answer to the same query from when it was too large. */
  private heldInstead(narrowed: Narrowed, nothing: Copyless): Outcome<Copy> {
    const wish = this.wishOf(narrowed);
    return wish === undefined ? nothing : this.narrowed.heldInstead(wish, nothing);
  }

  /** What is asked of a source that has too much; undefined where nothing that it does would make it less. */
  private wishOf({ query, first }: Narrowed): Wish | undefined {
    const { resource, order } = query;
    const way = wayOf(query, { standing: 'too-large', capability: this.capability(resource), origin: this });
    if (way.way !== 'push-down') return undefined;
    const { exact, guaranteed } = way.offer;
    const pushed = { exact, counted: guaranteed.total, ...(way.stream && { front: { order, first } }) };
    return { resource, parameters: way.sent, pushed };
  }

  private translated(outcome: Outcome<Copy>, resource: Resource): Promise<Outcome<Copy>> {
    return mapCopy(outcome, async (copy) => {
      const set = await copy.set.once(`as ${resource.name}`, () => translate(copy.set, resource, this.code));
      return { ...copy, set };
    });
  }

  /** The teams with their keys, which some sources send only when asked for them (decisions.md, section 4, "Scopes"). */
  private async keyed(outcome: Outcome<Copy>, asksForKeys: boolean, asking: Asking): Promise<Outcome<Copy>> {
    const copy = copyOf(outcome);
    if (copy === undefined) return outcome;
    const wish = { resource: teamKeys, parameters: { scope: 'pgp' } };
    if (await hasKeys(copy.set)) {
      // Joined with keys, the teams were shown with the keys' dates: what they have themselves is no date that is newer than those.
      return this.copies.gave(wish) ? mapCopy(outcome, (own) => ({ ...own, floor: Infinity })) : outcome;
    }
    const keys = await this.copies.get(wish, asking);
    const found = copyOf(keys);
    if (found === undefined) return asksForKeys ? keys : { state: 'partial', reason: 'keys', copy };
    const { set, unplaced } = await this.joined(copy.set, found.set);
    const doubts = unplaced ? [{ state: 'partial', reason: 'keys', copy } as const] : [];
    return { ...worst([outcome, keys, ...doubts]), copy: { ...copy, set, ...instantsOf([copy, found]) } };
  }

  /** Joined once: either may outlive the other by many drains, so that only the last two are remembered. */
  private joined(teams: RecordSet, keys: RecordSet): Promise<KeyedTeams> {
    const known = this.join;
    if (known?.teams === teams && known.keys === keys) return known.keyed;
    const keyed = withKeys(teams, keys);
    this.join = { teams, keys, keyed };
    return keyed;
  }

  /** The items of a channel: which they are only the source knows, for items do not carry their channels. */
  private async channel(folded: string, asking: Asking): Promise<Outcome<Copy>> {
    if (!this.serves(channels)) return { state: 'excluded', reason: 'resource' };
    const [all, listed] = await Promise.all([
      this.copies.get(wholeOf(news), asking),
      this.copies.get(wholeOf(channels), asking),
    ]);
    const [items, list] = [copyOf(all), copyOf(listed)];
    if (items === undefined || list === undefined) return items === undefined ? all : listed;
    const titles = titlesOf(list.set, folded);
    const parts = await Promise.all(
      titles.map((channel) => this.copies.get({ resource: news, parameters: { channel } }, asking)),
    );
    return channelItems({ all, listed }, parts);
  }
}

/** What a memory knows of this source, wherever in the configuration it stands: another repository under its name is another one. */
function countsIn(memory: Memory | undefined, { bases }: Registration): CountMemory | undefined {
  if (memory === undefined) return undefined;
  const address = Object.values(bases).join(' ');
  const addressed = (key: string): string => `${address} ${key}`;
  return {
    get: (key) => memory.records(addressed(key)),
    set: (key, records) => {
      memory.setRecords(addressed(key), records);
    },
  };
}

/** Teams with their keys, and what they were made of. */
interface Joined {
  readonly teams: RecordSet;
  readonly keys: RecordSet;
  readonly keyed: Promise<KeyedTeams>;
}

/** The same outcome with another copy, where it has one. */
async function mapCopy(outcome: Outcome<Copy>, map: (copy: Copy) => Copy | Promise<Copy>): Promise<Outcome<Copy>> {
  const copy = copyOf(outcome);
  return copy === undefined || !('copy' in outcome) ? outcome : { ...outcome, copy: await map(copy) };
}
