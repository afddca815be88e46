import type { Outcome } from '../model/outcome.js';
import type { Draft } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';
import { leftOut, writeVia } from '../wire/via.js';
import type { Drained } from './drain.js';
import type { PageReply, SourceFetch } from './fetch.js';
import { fresh } from './front.js';
import type { Front } from './front.js';
import { FurtherNames } from './further-names.js';
import { identify } from './identity.js';
import type { Identified } from './identity.js';
import { judge } from './judge.js';
import { withReadKeys } from './key-checks.js';
import { lifetime } from './lifetime.js';
import { Loop } from './loop.js';
import { acrossPages, movedAgain, withRepeated } from './moved.js';
import { Paging } from './paging.js';
import type { Notes } from './paging.js';
import { requireReadable } from './read-body.js';
import type { Registration, SourceHouse } from './registration.js';
import type { Copy } from './snapshot/snapshot.js';
import { StreamPolicies } from './stream-checks.js';
import { Testimony } from './testimony.js';
import type { Proof } from './testimony.js';
import { within } from './timeout.js';
import { requireTrue } from './truth.js';
import { verify } from './verify.js';
import type { Holds, Verdict } from './verify.js';
import { Visit } from './visit.js';
import { isList } from './wish.js';
import type { Wish } from './wish.js';

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
interface Draining extends Notes {
  /** Milliseconds since 1970. */
  readonly started: number;
  /** A front that is to reach further. */
  readonly known?: Extensible;
  /** What came before, where it is drained once more. */
  readonly before?: RecordSet;
}

/** What was made of a drain. */
interface Made extends Pick<Identified, 'alike' | 'repeated'> {
  readonly copy: Copy;
}

/** What the records that are checked come from. */
interface Checked {
  readonly front: Front | undefined;
  readonly drained: Drained<Draft>;
  readonly draining: Draining;
}

/** Drains one source and judges what came, or finds that what is known of it still holds. */
export class Collector {
  private readonly via: string;
  private readonly paging: Paging;
  private readonly policies = new StreamPolicies();

  constructor(
    private readonly registration: Registration,
    private readonly fetch: SourceFetch,
    private readonly house: SourceHouse,
  ) {
    this.via = writeVia([house.name]);
    this.paging = new Paging(registration, house);
  }

  /**
   * Fetches everything that the wish names; where a copy of it is known, only if it has changed. Rejects when a page fails.
   */
  collect(wish: Wish, known?: Known): Promise<Collected> {
    const started = this.house.clock.now();
    const orExcluded = (error: unknown): Collected => this.excluded(error);
    if (known === undefined || known.front !== undefined)
      return this.drainFrom(started, wish, { known }).catch(orExcluded);
    return this.verdict(wish, known.proof).then(
      (verdict) =>
        'proof' in verdict
          ? this.renewed(known.copy, verdict, started)
          : this.drainFrom(started, wish, { given: verdict.changed }).catch(orExcluded),
      orExcluded,
    );
  }

  /** What leads back here. Throws what else has failed. */
  private excluded(error: unknown): Collected {
    if (!(error instanceof Loop)) throw error;
    return { outcome: { state: 'excluded', reason: 'loop', via: leftOut(error.via, this.house.name) } };
  }

  /** Drains what is wished; `started` is when its source was first asked, in milliseconds since 1970. */
  private drainFrom(started: number, wish: Wish, { known, given }: Beginning): Promise<Collected> {
    const drain = (): Promise<Collected> => this.drainWithin(started, wish, { known, given });
    const { largeDrains } = this.house;
    return largeDrains !== undefined && wish.however === true && isList(wish) ? largeDrains(drain) : drain();
  }

  private drainWithin(started: number, wish: Wish, { known, given }: Beginning): Promise<Collected> {
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

  /** What the source says of a copy, when it is asked whether that still holds. */
  private verdict(wish: Wish, proof: Proof): Promise<Verdict> {
    const { stop, clock } = this.house;
    const { concurrency } = this.registration;
    return within(DRAIN_TIME, stop, (signal) =>
      verify(proof, { visit: this.visit(signal), as: this.paging.reading(wish), concurrency, clock }),
    );
  }

  /** A copy that still holds, as its source said when it was asked at `started` (milliseconds since 1970). */
  private renewed(copy: Copy, { proof, until, via }: Holds, started: number): Collected {
    const staleAt = Math.min(this.staleAt(until), copy.fetchedAt + this.registration.maxUnverified);
    // A 304 may leave out what has not changed; what it says is so now, and a gateway may have gone.
    const told = via.size === 0 ? copy.via : [...via];
    const renewed = Object.assign({}, copy, { verifiedAt: started, staleAt, via: told });
    return { outcome: { state: 'fresh', copy: renewed }, proof };
  }

  private visit(signal: AbortSignal, given?: Map<string, PageReply>): Visit {
    return new Visit({ fetch: this.fetch, via: this.via, signal }, given);
  }

  /** Drains what is wished; where the very same record comes on two pages, once more, for what moved while it was read comes otherwise then. */
  private async drainAnew(wish: Wish, draining: Draining, begin: () => Draining): Promise<Collected> {
    const { resource, pushed } = wish;
    const now = this.house.clock.now();
    const policy = this.policies.of(wish, now);
    const known = draining.known?.front;
    const front = pushed?.front && (await this.paging.front(wish, { ...pushed.front, known, policy }, draining));
    const names = new FurtherNames(resource, this.registration.provenance.properties);
    // A front that reaches further begins with its records as they came.
    const drained = await names.ofSource<Drained<Draft>>(front ?? (await this.drained(wish, draining)));
    requireReadable(drained, resource);
    this.policies.counted(wish, drained.total);
    const { copy, alike, repeated } = await this.copy(wish, drained, { front, ...draining });
    if (pushed !== undefined) {
      await requireTrue(await this.checked(wish, copy, { front, drained, draining }), pushed, drained);
      this.policies.passed(wish, policy, now);
    }
    const twice = acrossPages(front === undefined ? alike : [...alike, ...repeated], drained);
    const { before, visit, testimony } = draining;
    // What comes twice each time the source lists twice: a front that was read anew for that is not read so for the same ones again.
    if (twice > (known?.repeats ?? 0) && before === undefined)
      return this.drainAnew(wish, { ...begin(), before: copy.set }, begin);
    const moved = before === undefined ? 0 : await movedAgain(twice, before, copy.set);
    const told = withRepeated(drained, drained.records.length - copy.set.records.length + moved);
    const { doubtful } = visit;
    // What a front reached before is vouched for by pages that were not asked for again.
    const { proof } = draining.known === undefined ? testimony : {};
    const { tolerates } = this.registration;
    const outcome = judge(copy, { drained: told, doubtful, tolerates });
    return { outcome, drained: told, ...(proof && { proof }), ...(front && { front: { ...front, repeats: twice } }) };
  }

  /** The records that are held against what was claimed: those that are given, and those that were read only for that. */
  private async checked({ resource }: Wish, { set }: Copy, { front, drained, draining }: Checked): Promise<RecordSet> {
    const looked = front?.looked ?? [];
    if (front !== undefined && looked.length > 0)
      return (await this.setOf(resource, fresh([...front.records, ...looked]))).set;
    return drained.doubt === 'too-large' ? (await this.setOf(resource, fresh(draining.looked))).set : set;
  }

  private async drained(wish: Wish, draining: Draining): Promise<Drained<Draft>> {
    const { keys } = this.house;
    const drained = await this.paging.drain(wish, draining);
    return keys === undefined ? drained : withReadKeys(drained, wish.resource, keys);
  }

  private async copy(
    { resource }: Wish,
    drained: Drained<Draft>,
    { visit, testimony, started, known, front }: Draining & { readonly front: Front | undefined },
  ): Promise<Made> {
    const { lastModified } = drained;
    // A front keeps its records as they came, for they are given ids anew when it reaches further.
    const records = front === undefined ? drained.records : fresh(drained.records);
    // What it began with is no younger for having grown.
    const { fetchedAt, verifiedAt } = known?.copy ?? { fetchedAt: started, verifiedAt: started };
    const staleAt = Math.min(this.staleAt(testimony.until), known?.copy.staleAt ?? Infinity);
    const behind = front === undefined ? 0 : front.total - front.received;
    const { set, ...pairs } = await this.setOf(resource, records, { behind, cut: drained.doubt === 'window' });
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
    return { copy, ...pairs };
  }

  private async setOf(
    resource: Resource,
    drafts: readonly Draft[],
    place: Partial<Pick<RecordSet, 'behind' | 'cut'>> = {},
  ): Promise<{ readonly set: RecordSet } & Pick<Identified, 'alike' | 'repeated'>> {
    const { code, number } = this.registration;
    const readAt = this.house.clock.now();
    const { records, contested, ...pairs } = await identify(resource, code, drafts);
    return { set: new RecordSet(resource, number, records, { ...place, contested, readAt }), ...pairs };
  }

  /** The end of the time to live of what may be used until then (milliseconds since 1970). */
  private staleAt(until: number): number {
    const { clock, random } = this.house;
    const now = clock.now();
    return now + lifetime(this.registration.ttl, until - now, random());
  }
}
