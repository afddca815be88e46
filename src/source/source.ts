import { Shared } from '../hold/shared.js';
import { copyOf } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Scope } from '../model/query.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams, teamKeys } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import type { RecordSet } from '../records/record-set.js';
import { channelItems, titlesOf } from './channel.js';
import { Collector } from './collect.js';
import type { Wish } from './collect.js';
import { asFailure } from './failure.js';
import type { Fetch, JsonReply } from './fetch.js';
import { hasKeys, withKeys } from './keys-of-teams.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { translate } from './translate.js';

export type { Copy, Registration, SourceHouse } from './registration.js';

/** What a query asks of a source. Everything else is done with what it gives. */
export interface Wanted {
  readonly resource: Resource;
  readonly scope: Scope;
  /** Folded title of a news channel. */
  readonly channel?: string;
}

/** Records in memory, folded text included, are at most this many times the bytes of their JSON (measured in bench/). */
export const HELD_PER_BYTE = 3;

/** Bytes that a record takes beside its text, however short that is. */
const HELD_PER_RECORD = 500;

/** Bytes that anything held takes beside its records: also that there is no such item, which anybody can ask for any number of ids. */
const HELD_AT_LEAST = 1_024;

/** How long an outcome in doubt is kept, in milliseconds: the next look may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** One registered source: its held copies, and the drains that fill them. */
export class Source {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly aggregate: boolean;
  private readonly drains = new Shared<Outcome<Copy>>();
  /** By the set in the source's own form: what translating it gave. */
  private readonly translations = new WeakMap<RecordSet, RecordSet>();
  private readonly collector: Collector;

  constructor(
    private readonly registration: Registration,
    fetch: Fetch<JsonReply>,
    private readonly house: SourceHouse,
  ) {
    const { code, number, provenance } = registration;
    this.code = code;
    this.number = number;
    this.sourceName = provenance.sourceName;
    this.aggregate = provenance.aggregate;
    this.collector = new Collector(registration, fetch, house);
  }

  /** Whether the source has the resource; teams may come from either interface. */
  serves(resource: Resource): boolean {
    return this.registration.resources.includes(resource.path) && this.native(resource) !== undefined;
  }

  /**
   * What a query asks of the source: from the held copy within its time to live, else from a drain, which all who ask meanwhile
   * share and which goes on for the next when `signal` (the asker's deadline) ends the waiting. Never rejects.
   */
  ask(wanted: Wanted, signal: AbortSignal): Promise<Outcome<Copy>> {
    const asked = wanted.channel === undefined ? this.records(wanted) : this.channel(wanted.channel);
    return Promise.race([asked, late(signal)]);
  }

  /** Drains the resource ahead of the first query, where the source has it. Never rejects. */
  async warm(resource: Resource, signal: AbortSignal): Promise<void> {
    if (resource !== newsItem && this.serves(resource)) await this.ask({ resource, scope: 'public' }, signal);
  }

  /** One news item in detail form, by the source's own id: a copy with one record, or with none when the source has none. Never rejects. */
  item(native: number, signal: AbortSignal): Promise<Outcome<Copy>> {
    return Promise.race([this.held({ resource: newsItem, parameters: {}, native }), late(signal)]);
  }

  /** The resource in which the source has what is asked for: its own form where it speaks that interface. */
  private native(resource: Resource): Resource | undefined {
    const { bases } = this.registration;
    if (bases[resource.face] !== undefined) return resource;
    const other = resource === directoryTeams ? dataTeams : directoryTeams;
    return resource.path === 'teams' && bases[other.face] !== undefined ? other : undefined;
  }

  private async records({ resource, scope }: Omit<Wanted, 'channel'>): Promise<Outcome<Copy>> {
    const native = this.native(resource) ?? resource;
    const outcome = await this.held({ resource: native, parameters: {} });
    const [asksForKeys, shown] = [scope === 'pgp', native !== resource];
    // Directory records show the keys of a data source as enckeys, in whichever scope it gives them.
    const asked = native === dataTeams && (asksForKeys || shown) ? await this.keyed(outcome, asksForKeys) : outcome;
    return shown ? this.translated(asked, resource) : asked;
  }

  private translated(outcome: Outcome<Copy>, resource: Resource): Promise<Outcome<Copy>> {
    return mapCopy(outcome, (copy) => {
      const set = this.translations.get(copy.set) ?? translate(copy.set, resource, this.code);
      this.translations.set(copy.set, set);
      return Promise.resolve({ ...copy, set });
    });
  }

  /** The teams with their keys, which some sources send only when asked for them (decisions.md, section 4, "Scopes"). */
  private async keyed(outcome: Outcome<Copy>, asksForKeys: boolean): Promise<Outcome<Copy>> {
    const copy = copyOf(outcome);
    if (copy === undefined || hasKeys(copy.set)) return outcome;
    const keys = await this.held({ resource: teamKeys, parameters: { scope: 'pgp' } });
    const found = copyOf(keys);
    if (found === undefined) return asksForKeys ? keys : { state: 'partial', reason: 'keys', copy };
    // The whole is no better than its parts, and no longer fresh than the first of them.
    return mapCopy(outcome.state === 'fresh' ? keys : outcome, async () => {
      const set = await found.set.once(`with ${copy.fetchedAt}`, () => Promise.resolve(withKeys(copy.set, found.set)));
      return { ...copy, set, staleAt: Math.min(copy.staleAt, found.staleAt) };
    });
  }

  /** The items of a channel: which they are only the source knows, for items do not carry their channels. */
  private async channel(folded: string): Promise<Outcome<Copy>> {
    if (!this.serves(channels)) return { state: 'excluded', reason: 'resource' };
    const [all, listed] = await Promise.all([
      this.held({ resource: news, parameters: {} }),
      this.held({ resource: channels, parameters: {} }),
    ]);
    const [items, list] = [copyOf(all), copyOf(listed)];
    if (items === undefined || list === undefined) return items === undefined ? all : listed;
    const titles = titlesOf(list.set, folded);
    const parts = await Promise.all(titles.map((channel) => this.held({ resource: news, parameters: { channel } })));
    return channelItems({ all, listed }, parts);
  }

  private async held(wish: Wish): Promise<Outcome<Copy>> {
    const { resource, parameters, native = '' } = wish;
    const key = [this.registration.code, resource.name, native, JSON.stringify(parameters)].join(' ');
    const held = this.house.store.fresh(key, this.house.clock.now());
    return held === undefined ? this.drains.run(key, () => this.refresh(key, wish)) : held.value;
  }

  private async refresh(key: string, wish: Wish): Promise<Outcome<Copy>> {
    const { clock, log } = this.house;
    const facts = { source: this.registration.code, resource: wish.resource.name, ...wish.parameters };
    const started = clock.now();
    try {
      const { outcome, drained } = await this.collector.collect(wish);
      const { received: records, bytes, findings } = drained;
      const milliseconds = clock.now() - started;
      log.info({ ...facts, records, bytes, milliseconds, findings: Object.fromEntries(findings) }, 'source drained');
      this.hold(key, outcome, { started, bytes, records });
      return outcome;
    } catch (error) {
      const { reason, message } = asFailure(error);
      log.warn({ ...facts, reason, detail: message, milliseconds: clock.now() - started }, 'source failed');
      return { state: 'failed', reason };
    }
  }

  private hold(
    key: string,
    outcome: Outcome<Copy>,
    { started, bytes, records }: { started: number; bytes: number; records: number },
  ): void {
    const { clock, log, store } = this.house;
    const { ttl, code } = this.registration;
    const staleAt = clock.now() + (outcome.state === 'fresh' ? ttl : Math.min(ttl, DOUBT_TTL));
    const kept = store.put(
      key,
      { value: outcome, fetchedAt: started, staleAt },
      HELD_AT_LEAST + bytes * HELD_PER_BYTE + records * HELD_PER_RECORD,
    );
    if (!kept) log.warn({ source: code, bytes }, 'source does not fit into cache.memory and is not held');
  }
}

/** The same outcome with another copy, where it has one. */
async function mapCopy(outcome: Outcome<Copy>, map: (copy: Copy) => Promise<Copy>): Promise<Outcome<Copy>> {
  const copy = copyOf(outcome);
  return copy === undefined || !('copy' in outcome) ? outcome : { ...outcome, copy: await map(copy) };
}

/** Fails with `timeout` when the signal is aborted. */
function late(signal: AbortSignal): Promise<Outcome<Copy>> {
  return new Promise((resolve) => {
    const give = (): void => {
      resolve({ state: 'failed', reason: 'timeout' });
    };
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}
