import type { Outcome } from '../model/outcome.js';
import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import { newsWindow } from '../model/resources/news.js';
import { RecordSet } from '../records/record-set.js';
import { itemUrl, pageUrl } from './dialect.js';
import type { Parameters } from './dialect.js';
import { leftOut, writeVia } from '../wire/via.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import { drainKeys } from './drain-keys.js';
import type { Ending } from './ending.js';
import type { PageReply, SourceFetch } from './fetch.js';
import { fetchFront, fresh } from './front.js';
import type { Front } from './front.js';
import { identify } from './identity.js';
import type { Identified } from './identity.js';
import { drainItem } from './item.js';
import { judge } from './judge.js';
import { lifetime } from './lifetime.js';
import { Loop } from './loop.js';
import { acrossPages, movedAgain, withRepeated } from './moved.js';
import type { DrainBounds, FetchPage, Page } from './page.js';
import { requireReadable } from './read-body.js';
import type { Reading } from './read-body.js';
import { RecordReader } from './record-reader.js';
import { pageOf } from './read-replies.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { Testimony } from './testimony.js';
import type { PageFacts, Proof } from './testimony.js';
import { within } from './timeout.js';
import { requireTrue } from './truth.js';
import { verify } from './verify.js';
import type { Holds, Verdict } from './verify.js';
import { Visit } from './visit.js';
import { drainPastWindow, withinWindow } from './window.js';
import type { Pushed, Wish } from './wish.js';

/** Longest drain, in milliseconds: what takes longer than this is never current. */
const DRAIN_TIME = 15 * 60_000;

/** A held copy that may only have to be verified; or, where it is a front that is still fresh, to reach further. */
export type Known = Verifiable | Extensible;

interface Verifiable {
  readonly copy: Copy;
  readonly proof: Proof;
  readonly front?: undefined;
}

interface Extensible {
  readonly copy: Copy;
  readonly front: Front;
}

/** What a drain begins with: a front that is to reach further; or pages that came already, by URL. */
interface Beginning {
  readonly known?: Extensible | undefined;
  readonly given?: Map<string, PageReply> | undefined;
}

/** What came of fetching it. */
export interface Collected {
  readonly outcome: Outcome<Copy>;
  /** Where the source gave what the copy can be verified by. */
  readonly proof?: Proof;
  /** Absent where nothing was drained: the known copy still holds, or the source leads back here. */
  readonly drained?: Drained<Draft>;
  /** Of a front: what it takes to reach further. */
  readonly front?: Front;
}

/** A drain under way. */
interface Draining {
  readonly visit: Visit;
  readonly testimony: Testimony;
  /** Milliseconds since 1970. */
  readonly started: number;
  /** The records of its first page: of what is too large no others are kept. */
  readonly looked: Draft[];
  /** A front that is to reach further. */
  readonly known?: Extensible;
  /** What came before, where it is drained once more. */
  readonly before?: RecordSet;
}

/** Drains one source and judges what came, or finds that what is known of it still holds. */
export class Collector {
  /** One for each resource: they know the names of all properties that were ever met. */
  private readonly readings = new Map<Resource, Reading>();
  private readonly via: string;

  constructor(
    private readonly registration: Registration,
    private readonly fetch: SourceFetch,
    private readonly house: SourceHouse,
  ) {
    this.via = writeVia([house.name]);
  }

  /**
   * Fetches everything that the wish names; where a copy of it is known, only if it has changed. Rejects when a page fails.
   */
  collect(wish: Wish, known?: Known): Promise<Collected> {
    const started = this.house.clock.now();
    const leftOut = (error: unknown): Collected => this.leftOut(error);
    if (known === undefined || known.front !== undefined)
      return this.drainFrom(started, wish, { known }).catch(leftOut);
    return this.verdict(wish, known.proof).then(
      (verdict) =>
        'proof' in verdict
          ? this.renewed(known.copy, verdict, started)
          : this.drainFrom(started, wish, { given: verdict.changed }).catch(leftOut),
      leftOut,
    );
  }

  /** What leads back here. Throws what else has failed. */
  private leftOut(error: unknown): Collected {
    if (!(error instanceof Loop)) throw error;
    return { outcome: { state: 'excluded', reason: 'loop', via: leftOut(error.via, this.house.name) } };
  }

  /** Drains what is wished; `started` is when its source was first asked, in milliseconds since 1970. */
  private drainFrom(started: number, wish: Wish, { known, given }: Beginning = {}): Promise<Collected> {
    return within(DRAIN_TIME, this.house.stop, (signal) => {
      const begin = (came?: Map<string, PageReply>): Draining => ({
        visit: this.visit(signal, came),
        testimony: new Testimony(),
        started,
        looked: [],
      });
      return this.drainAnew(wish, { ...begin(given), ...(known && { known }) }, begin);
    });
  }

  private verdict(wish: Wish, proof: Proof): Promise<Verdict> {
    const { stop, clock } = this.house;
    const { concurrency } = this.registration;
    const ask = (signal: Ending): Promise<Verdict> =>
      verify(proof, { visit: this.visit(signal), as: this.reading(wish), concurrency, clock });
    // One request has a time of its own already, and another would be a timer for each source that has not changed.
    return proof.length === 1 ? ask(stop) : within(DRAIN_TIME, stop, ask);
  }

  /** A copy that still holds, as its source said when it was asked at `started` (milliseconds since 1970). */
  private renewed(copy: Copy, { proof, until, via }: Holds, started: number): Collected {
    const staleAt = Math.min(this.staleAt(until), copy.fetchedAt + this.registration.maxUnverified);
    // A 304 may leave out what has not changed; what it says is so now, and a gateway may have gone.
    const told = via.size === 0 ? copy.via : [...via];
    const renewed = Object.assign({}, copy, { verifiedAt: started, staleAt, via: told });
    return { outcome: { state: 'fresh', copy: renewed }, proof };
  }

  private visit(signal: Ending, given?: Map<string, PageReply>): Visit {
    return new Visit({ fetch: this.fetch, via: this.via, signal }, given);
  }

  /** Drains what is wished; where the very same record comes on two pages, once more, for what moved while it was read comes otherwise then. */
  private async drainAnew(wish: Wish, draining: Draining, begin: () => Draining): Promise<Collected> {
    const { resource, pushed } = wish;
    const front = pushed?.front && (await this.front(wish, pushed.front, draining));
    const drained = front ?? (await this.drain(wish, draining));
    requireReadable(drained, resource.path);
    const behind = front && front.total - front.received;
    const { copy, alike } = await this.copy(resource, drained, { behind, ...draining });
    if (pushed !== undefined) {
      const looked = drained.doubt === 'too-large' && (await this.setOf(resource, fresh(draining.looked)));
      await requireTrue(looked ? looked.set : copy.set, pushed, drained);
    }
    const twice = acrossPages(alike, drained);
    const { before, visit, testimony } = draining;
    if (twice > 0 && before === undefined) return this.drainAnew(wish, { ...begin(), before: copy.set }, begin);
    const moved = before === undefined ? 0 : await movedAgain(twice, before, copy.set);
    const told = withRepeated(drained, drained.records.length - copy.set.records.length + moved);
    const { doubtful } = visit;
    // What a front reached before is vouched for by pages that were not asked for again.
    const { proof } = draining.known === undefined ? testimony : {};
    const outcome = judge(copy, { drained: told, doubtful });
    return { outcome, drained: told, ...(proof && { proof }), ...(front && { front }) };
  }

  private drain(wish: Wish, { visit, testimony, looked }: Draining): Promise<Drained<Draft>> {
    const { resource, native } = wish;
    const { clock } = this.house;
    if (native !== undefined) {
      return drainItem({ resource, native }, this.registration.provenance, async () => {
        const url = itemUrl(this.address(resource), native);
        const reply = await visit.request(url, this.reading(wish));
        testimony.note(url, reply, { now: clock.now() });
        return pageOf(reply);
      });
    }
    const pages = this.pages(wish, { visit, testimony, looked });
    const bounds = this.bounds(wish);
    if (resource === teamKeys) return drainKeys(pages({}), bounds);
    return resource.name === 'news' ? drainPastWindow(pages, bounds) : drain(pages({}), bounds);
  }

  private front(wish: Wish, { first }: NonNullable<Pushed['front']>, draining: Draining): Promise<Front> {
    const { concurrency } = this.registration;
    const pageSize = this.pageSize(wish);
    const pages = this.pages(wish, draining)({});
    const [fetchPage, window] = wish.resource.name === 'news' ? [withinWindow(pages), newsWindow] : [pages, Infinity];
    const { drainBytes: bytes } = this.house;
    return fetchFront(fetchPage, { first, pageSize, concurrency, window, bytes }, draining.known?.front);
  }

  /** Pages of what a wish names, narrowed by more parameters. */
  private pages(
    wish: Wish,
    { visit, testimony, looked }: Pick<Draining, 'visit' | 'testimony' | 'looked'>,
  ): (more: Parameters) => FetchPage<Draft> {
    const { resource, parameters, pushed } = wish;
    const { clock } = this.house;
    const reading = this.reading(wish);
    return (more) => async (offset, limit) => {
      const url = pageUrl(this.address(resource), { offset, limit }, Object.assign({}, parameters, more));
      const reply = await visit.request(url, reading);
      const now = clock.now();
      const page = pageOf(reply);
      testimony.note(url, reply, { now, facts: factsOf(page, limit) });
      if (pushed !== undefined && looked.length === 0) for (const draft of page.records) looked.push(draft);
      return pushed?.counted === false ? withoutTotal(page) : page;
    };
  }

  private reading({ resource, native }: Wish): Reading {
    const item = native !== undefined;
    const known = this.readings.get(resource) ?? {
      reader: new RecordReader(resource, this.registration.provenance),
      item,
    };
    this.readings.set(resource, known);
    return known;
  }

  private address({ face, path }: Resource): string {
    return `${this.registration.bases[face] ?? ''}/${path}`;
  }

  private pageSize({ resource }: Wish): number {
    const { pageSize, supports } = this.registration;
    return Math.min(pageSize, supports[resource.path]?.limitMax ?? Infinity);
  }

  private bounds(wish: Wish): DrainBounds {
    const { concurrency, drainThreshold } = this.registration;
    return {
      pageSize: this.pageSize(wish),
      concurrency,
      bytes: this.house.drainBytes,
      records: wish.however === true ? Infinity : drainThreshold,
      expecting: this.house.expecting,
    };
  }

  private async copy(
    resource: Resource,
    drained: Drained<Draft>,
    { visit, testimony, started, known, behind }: Draining & { readonly behind?: number | undefined },
  ): Promise<{ readonly copy: Copy; readonly alike: Identified['alike'] }> {
    const { lastModified } = drained;
    // A front keeps its records as they came, for they are given ids anew when it reaches further.
    const records = behind === undefined ? drained.records : fresh(drained.records);
    // What it began with is no younger for having grown.
    const { fetchedAt, verifiedAt } = known?.copy ?? { fetchedAt: started, verifiedAt: started };
    const staleAt = Math.min(this.staleAt(testimony.until), known?.copy.staleAt ?? Infinity);
    const { set, alike } = await this.setOf(resource, records, behind);
    const copy = {
      set,
      fetchedAt,
      verifiedAt,
      since: this.house.clock.now(),
      staleAt,
      leases: [{ verifiedAt, staleAt, waitAt: staleAt + this.registration.staleWhileRevalidate, refreshing: false }],
      ...(lastModified !== undefined && { lastModified }),
      via: [...new Set([...(known?.copy.via ?? []), ...visit.via])],
    };
    return { copy, alike };
  }

  private async setOf(
    resource: Resource,
    drafts: readonly Draft[],
    behind = 0,
  ): Promise<{ readonly set: RecordSet; readonly alike: Identified['alike'] }> {
    const { code, number } = this.registration;
    const { records, contested, alike } = await identify(resource, code, drafts);
    return { set: new RecordSet(resource, number, records, { behind, contested }), alike };
  }

  /** The end of the time to live of what may be used until then (milliseconds since 1970). */
  private staleAt(until: number): number {
    const { clock, random } = this.house;
    const now = clock.now();
    return now + lifetime(this.registration.ttl, until - now, random());
  }
}

function withoutTotal(page: Page<Draft>): Page<Draft> {
  const silent: Omit<Page<Draft>, 'total'> & { total?: number } = { ...page };
  delete silent.total;
  return silent;
}

function factsOf({ received, total, fingerprint }: Page<Draft>, asked: number): PageFacts {
  return { received, asked, fingerprint, ...(total !== undefined && { total }) };
}
