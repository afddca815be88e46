import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import { news } from '../model/resources/news.js';
import { itemUrl, pageUrl } from './dialect.js';
import type { Parameters } from './dialect.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import { drainKeys } from './drain-keys.js';
import { fetchFront } from './front.js';
import type { Front, Reach } from './front.js';
import { drainItem } from './item.js';
import type { DrainBounds, FetchPage, Page } from './page.js';
import type { Reading } from './read-body.js';
import { pageOf } from './read-replies.js';
import { RecordReader } from './record-reader.js';
import type { Registration, SourceHouse } from './registration.js';
import type { StreamChecks } from './stream-types.js';
import type { StreamPolicy } from './stream-checks.js';
import { Testimony } from './testimony.js';
import type { PageFacts } from './testimony.js';
import type { Visit } from './visit.js';
import { HELD_PER_BYTE, HELD_PER_RECORD, weightOf } from './weight.js';
import { drainPastWindow, windowed } from './window.js';
import type { Wish } from './wish.js';

/** What asks for the pages of one drain, and what is noted of them. */
export interface Notes {
  readonly visit: Visit;
  readonly testimony: Testimony;
  /** The records of its first page: of what is too large no others are kept. */
  readonly looked: Draft[];
}

/** Records that a front is to have; and what there is of it, where it is to reach further. */
interface FrontWanted {
  readonly first: number;
  readonly known: Front | undefined;
  readonly policy: StreamPolicy;
}

/** Fetches what is wished of one source, page by page: under which addresses, how much at a time, and how what comes is read. */
export class Paging {
  /** One for each resource: they know the names of all properties that were ever met. */
  private readonly readings = new Map<Resource, Reading>();

  constructor(
    private readonly registration: Registration,
    private readonly house: SourceHouse,
  ) {}

  /** Everything that the wish names. Rejects when a page fails. */
  drain(wish: Wish, notes: Notes): Promise<Drained<Draft>> {
    const { resource, native } = wish;
    if (native !== undefined) return this.item(wish, native, notes);
    const pages = this.pages(wish, notes);
    const bounds = this.bounds(wish);
    if (resource === teamKeys) return this.fitting(wish, drainKeys(pages({}), bounds));
    const draining = resource.window < Infinity ? drainPastWindow(pages, bounds) : drain(pages({}), bounds);
    return this.fitting(wish, draining);
  }

  /** The same, unless its records and their text together are more than may be held: each alone is looked at as they come. */
  private async fitting(wish: Wish, draining: Promise<Drained<Draft>>): Promise<Drained<Draft>> {
    const drained = await draining;
    if (wish.however !== true || weightOf(drained) <= this.house.mostOfOne) return drained;
    return { ...drained, records: [], doubt: 'too-large' };
  }

  /** So many records from the start of the order that the wish names. Rejects when a page fails. */
  front(wish: Wish, { first, known, policy }: FrontWanted, notes: Notes): Promise<Front> {
    const { concurrency } = this.registration;
    const pages = this.pages(wish, notes);
    const reach: Reach = {
      first,
      pageSize: this.pageSize(wish),
      concurrency,
      bytes: this.house.drainBytes,
      checks: this.checks(wish, policy, notes),
    };
    if (wish.resource.window === Infinity) return fetchFront(pages({}), reach, known);
    const { fetchPage, window } = windowed(pages, isNewestFirst(wish));
    return fetchFront(fetchPage, { ...reach, window }, known);
  }

  /** No proof of freshness rests on what is requested for a check. */
  private checks(wish: Wish, policy: StreamPolicy, notes: Notes): StreamChecks {
    const apart = { ...notes, testimony: new Testimony() };
    const { resource } = wish;
    return {
      ...policy,
      look: this.pages(wish, apart)({}),
      countAll: async () => (await this.pages({ resource, parameters: {} }, apart)({})(0, 1)).total,
    };
  }

  /** How what comes of a wish is read. */
  reading({ resource, native }: Wish): Reading {
    const known = this.readings.get(resource);
    if (known !== undefined) return known;
    const reader = new RecordReader(resource, this.registration.provenance);
    const reading = { reader, item: native !== undefined };
    this.readings.set(resource, reading);
    return reading;
  }

  private item(wish: Wish, native: number, { visit, testimony }: Notes): Promise<Drained<Draft>> {
    const { resource } = wish;
    return drainItem({ resource, native }, this.registration.provenance, async () => {
      const url = itemUrl(this.address(resource), native);
      const reply = await visit.request(url, this.reading(wish));
      testimony.note(url, reply, { now: this.house.clock.now() });
      return pageOf(reply);
    });
  }

  /** Pages of what a wish names, narrowed by more parameters. */
  private pages(wish: Wish, { visit, testimony, looked }: Notes): (more: Parameters) => FetchPage<Draft> {
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

  private address({ face, path }: Resource): string {
    return `${this.registration.bases[face] ?? ''}/${path}`;
  }

  private pageSize({ resource }: Wish): number {
    const { pageSize, supports } = this.registration;
    return Math.min(pageSize, supports[resource.path]?.limitMax ?? Infinity);
  }

  private bounds(wish: Wish): DrainBounds {
    const { concurrency, drainThreshold } = this.registration;
    const { drainBytes, mostOfOne } = this.house;
    const however = wish.however === true;
    return {
      pageSize: this.pageSize(wish),
      concurrency,
      bytes: however ? Math.min(drainBytes, mostOfOne / HELD_PER_BYTE) : drainBytes,
      records: however ? Math.floor(mostOfOne / HELD_PER_RECORD) : drainThreshold,
    };
  }
}

/** Whether a stream has the order in which `before` leads to what is behind. */
function isNewestFirst({ pushed }: Wish): boolean {
  const [key, ...more] = pushed?.front?.order ?? [];
  const { property, descending } = news.defaultSort;
  return more.length === 0 && key?.property === property && key.descending === descending;
}

function withoutTotal(page: Page<Draft>): Page<Draft> {
  const silent: Omit<Page<Draft>, 'total'> & { total?: number } = { ...page };
  delete silent.total;
  return silent;
}

function factsOf({ received, total, fingerprint }: Page<Draft>, asked: number): PageFacts {
  return { received, asked, fingerprint, ...(total !== undefined && { total }) };
}
