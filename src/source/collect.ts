import { setMaxListeners } from 'node:events';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import { RecordSet } from '../records/record-set.js';
import { itemUrl, pageUrl } from './dialect.js';
import type { Parameters } from './dialect.js';
import { leftOut } from '../wire/via.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import type { Fetch, JsonReply, SourceReply } from './fetch.js';
import { SourceFailure } from './failure.js';
import { identify } from './identity.js';
import { drainItem } from './item.js';
import { judge } from './judge.js';
import { lifetime } from './lifetime.js';
import { Loop } from './loop.js';
import type { DrainBounds, FetchPage, Page } from './page.js';
import { readRecords, requireReadable } from './read-records.js';
import { RecordReader } from './record-reader.js';
import type { Draft } from './record-reader.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { Testimony } from './testimony.js';
import type { PageFacts, Proof } from './testimony.js';
import { within } from './timeout.js';
import { verify } from './verify.js';
import { Visit } from './visit.js';
import { drainPastWindow } from './window.js';

/** Longest drain, in milliseconds: what takes longer than this is never current. */
const DRAIN_TIME = 15 * 60_000;

/** What is fetched: a resource in the source's own interface, narrowed by parameters. */
export interface Wish {
  readonly resource: Resource;
  readonly parameters: Parameters;
  /** The source's own id of the one item that is wanted. */
  readonly native?: number;
}

/** A held copy that may only have to be verified. */
export interface Known {
  readonly copy: Copy;
  readonly proof: Proof;
}

/** What came of fetching it. */
export interface Collected {
  readonly outcome: Outcome<Copy>;
  /** Where the source gave what the copy can be verified by. */
  readonly proof?: Proof;
  /** Absent where nothing was drained: the known copy still holds, or the source leads back here. */
  readonly drained?: Drained<Draft>;
}

/** Statuses of a source that does not know a scope. */
const UNKNOWN_SCOPE: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** A source that refuses to be asked for keys has none to give. */
async function orNothing(draining: Promise<Drained<Draft>>): Promise<Drained<Draft>> {
  try {
    return await draining;
  } catch (error) {
    if (error instanceof SourceFailure && UNKNOWN_SCOPE.has(error.status)) return NOTHING;
    throw error;
  }
}

const NOTHING: Drained<Draft> = { records: [], received: 0, bytes: 0, findings: new Map() };

/** A drain under way. */
interface Draining {
  readonly visit: Visit;
  readonly testimony: Testimony;
  /** Milliseconds since 1970. */
  readonly started: number;
}

/** Drains one source and judges what came, or finds that what is known of it still holds. */
export class Collector {
  constructor(
    private readonly registration: Registration,
    private readonly fetch: Fetch<SourceReply>,
    private readonly house: SourceHouse,
  ) {}

  /**
   * Fetches everything that the wish names; where a copy of it is known, only if it has changed. Rejects when a page fails.
   */
  collect(wish: Wish, known?: Known): Promise<Collected> {
    return within(DRAIN_TIME, this.house.stop, (signal) => this.forward(() => this.collectUnder(signal, wish, known)));
  }

  /** What comes of it where the source does not lead back here. */
  private async forward(collecting: () => Promise<Collected>): Promise<Collected> {
    try {
      return await collecting();
    } catch (error) {
      if (!(error instanceof Loop)) throw error;
      return { outcome: { state: 'excluded', reason: 'loop', via: leftOut(error.via, this.house.name) } };
    }
  }

  private async collectUnder(signal: AbortSignal, wish: Wish, known?: Known): Promise<Collected> {
    const { clock, name } = this.house;
    const started = clock.now();
    // As many listen as there are requests under way.
    setMaxListeners(0, signal);
    const parts = { fetch: this.fetch, name, signal };
    const verified = known && (await this.verify(known, new Visit(parts), started));
    if (verified !== undefined && 'outcome' in verified) return verified;
    const draining = { visit: new Visit(parts, verified?.changed), testimony: new Testimony(), started };
    return this.drainAnew(wish, draining);
  }

  /** The known copy, verified; or what came in place of its pages. */
  private async verify(
    { copy, proof }: Known,
    visit: Visit,
    started: number,
  ): Promise<Collected | { readonly changed?: Map<string, JsonReply> }> {
    const { clock } = this.house;
    const { concurrency, maxUnverified } = this.registration;
    const verdict = await verify(proof, { ask: (page) => visit.askAgain(page), concurrency, now: () => clock.now() });
    if ('changed' in verdict) return verdict;
    // What tells of a doubt is judged by a drain.
    if (visit.doubtful) return {};
    const staleAt = Math.min(this.staleAt(verdict.until), copy.fetchedAt + maxUnverified);
    // A 304 may leave out what has not changed; what it says is so now, and a gateway may have gone.
    const via = visit.via.size === 0 ? copy.via : [...visit.via];
    return { outcome: { state: 'fresh', copy: { ...copy, verifiedAt: started, staleAt, via } }, proof: verdict.proof };
  }

  private async drainAnew(wish: Wish, draining: Draining): Promise<Collected> {
    const { resource } = wish;
    const drained = await this.drain(wish, draining);
    requireReadable(drained, resource.path);
    const copy = await this.copy(resource, drained, draining);
    const repeated = drained.records.length - copy.set.records.length;
    const told = repeated === 0 ? drained : withRepeated(drained, repeated);
    const { visit, testimony } = draining;
    const { doubtful } = visit;
    const { proof } = testimony;
    const outcome = judge(copy, { drained: told, doubtful });
    return { outcome, drained: told, ...(proof && { proof }) };
  }

  private drain({ resource, parameters, native }: Wish, { visit, testimony }: Draining): Promise<Drained<Draft>> {
    const { provenance, bases } = this.registration;
    const { clock } = this.house;
    const address = `${bases[resource.face] ?? ''}/${resource.path}`;
    if (native !== undefined) {
      return drainItem({ resource, native }, provenance, async () => {
        const url = itemUrl(address, native);
        const reply = await visit.request(url);
        testimony.note(url, reply, { now: clock.now() });
        return reply;
      });
    }
    const reader = new RecordReader(resource, provenance);
    const pages =
      (more: Parameters): FetchPage<Draft> =>
      async (offset, limit) => {
        const url = pageUrl(address, { offset, limit }, { ...parameters, ...more });
        const reply = await visit.request(url);
        const now = clock.now();
        const page = await readRecords(reply, reader);
        testimony.note(url, reply, { now, facts: factsOf(page, limit) });
        return page;
      };
    if (resource === teamKeys) return orNothing(drain(pages({}), this.bounds));
    return resource.name === 'news' ? drainPastWindow(pages, this.bounds) : drain(pages({}), this.bounds);
  }

  private get bounds(): DrainBounds {
    const { pageSize, concurrency } = this.registration;
    return { pageSize, concurrency, bytes: this.house.drainBytes };
  }

  private async copy(
    resource: Resource,
    drained: Drained<Draft>,
    { visit, testimony, started }: Draining,
  ): Promise<Copy> {
    const { code, number } = this.registration;
    const { lastModified, records } = drained;
    const staleAt = this.staleAt(testimony.until);
    return {
      set: new RecordSet(resource, number, await identify(resource, code, records)),
      fetchedAt: started,
      verifiedAt: started,
      since: this.house.clock.now(),
      staleAt,
      leases: [
        { verifiedAt: started, staleAt, waitAt: staleAt + this.registration.staleWhileRevalidate, refreshing: false },
      ],
      ...(lastModified !== undefined && { lastModified }),
      via: [...visit.via],
    };
  }

  /** The end of the time to live of what may be used until then (milliseconds since 1970). */
  private staleAt(until: number): number {
    const { clock, random } = this.house;
    const now = clock.now();
    return now + lifetime(this.registration.ttl, until - now, random());
  }
}

function withRepeated(drained: Drained<Draft>, times: number): Drained<Draft> {
  return { ...drained, findings: new Map([...drained.findings, ['repeated-id (record)', times]]) };
}

function factsOf({ received, total, fingerprint }: Page<Draft>, asked: number): PageFacts {
  return { received, asked, fingerprint, ...(total !== undefined && { total }) };
}
