import type { Clock } from '../model/clock.js';
import { copyOf } from '../model/outcome.js';
import type { Outcome, SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import type { HeldRecord } from '../model/record.js';
import type { Waited } from '../model/waited.js';
import { planQuery } from '../plan/plan.js';
import type { Candidate, Plan } from '../plan/plan.js';
import { readsKeys } from '../plan/reads-keys.js';
import type { RecordSet } from '../records/record-set.js';
import { askingUntil, openly } from '../source/asking.js';
import type { Asking, Manner } from '../source/asking.js';
import type { Copy, Lease, Wanted } from '../source/source.js';
import { datesOf } from './last-modified.js';
import type { Part } from './last-modified.js';
import { MergedSet } from './merged.js';
import type { MergedSets } from './merged.js';
import { ownerOf } from './owner.js';
import { Round } from './round.js';

/** A source as the gateway sees it. */
export interface Asked extends Candidate {
  readonly required: boolean;
  readonly number: number;
  /** Never rejects; see `Source.ask`. */
  ask(wanted: Wanted, asking: Asking): Promise<Outcome<Copy>>;
  /** One news item by the source's own id. Never rejects. */
  item(native: number, asking: Asking): Promise<Outcome<Copy>>;
}

/** What the sources said about a query. */
export interface Answer {
  /** One for every registered source, by number. */
  readonly outcomes: readonly SourceOutcome<Copy>[];
  /** Absent when sources were asked and none gave records, or a required one did not: then there is no list, not an empty one. */
  readonly list?: List;
  /** Absent when nothing had to be waited for: all of it was held. */
  readonly waited?: Waited;
}

/**
 * decisions.md, section 1: `complete` when every source that was asked gave all that it has, `stale` when a last good copy stood in
 * for one, `partial` when one gave nothing, or not all, or may not have.
 */
export type Completeness = 'complete' | 'stale' | 'partial';

/** The records of an answer. */
export interface List {
  /** Matches in all sources: what paging through to the end yields. */
  readonly total: number;
  /** From `offset` on, `limit` at most, in the query's total order. */
  readonly records: readonly HeldRecord[];
  /** When the set changed last, in milliseconds since 1970 (`datesOf`). Never in the future. */
  readonly newest?: number;
  /** From here on whoever asked got the set as it is, in milliseconds since 1970; absent unless the list is complete, and that date is over. */
  readonly unchangedSince?: number;
  readonly completeness: Completeness;
  /** Of the held copies that it was made of, as they are at any later moment. */
  readonly leases: readonly Lease[];
  /** All matches, those of other pages too: the same one for every list that was cut from it. */
  readonly merged: MergedSet;
}

/** States in which a source gave all that it has. */
const GIVING: ReadonlySet<Outcome<Copy>['state']> = new Set(['fresh', 'stale']);

/** Share of the deadline after which the answer is put together from what has come; the rest is for putting together. */
const ASKING_SHARE = 0.85;

/** Records of a stream that are asked for at once, at most: a page far behind the start is made of all sources, and of each no more is fetched than is read. */
const STEP = 100;

/**
 * The same for what another gateway asks of an aggregate: gateways in a ring wait for each other until the first one answers, which it must do
 * before the one that asked it gives up (docs/decisions/0014-rings.md).
 */
const RELAYED_SHARE = 0.25;

/** The federation: one query in, one answer from all sources out. */
export class Gateway {
  /** Codes of the sources without which no answer is given. */
  private readonly required: ReadonlySet<string>;

  constructor(
    /** Ordered by number. */
    private readonly sources: readonly Asked[],
    private readonly merged: MergedSets,
    private readonly clock: Clock,
    /** Milliseconds for a whole answer. */
    private readonly deadline: number,
  ) {
    this.required = new Set(sources.filter((source) => source.required).map(({ code }) => code));
  }

  /** Asks every source that the plan names, at the same time, and makes one list of what came (decisions.md, section 5). */
  async answer(query: Query, manner: Manner = openly): Promise<Answer> {
    const { ask, excluded } = planQuery(query, this.sources);
    const round = this.round(this.sources, manner);
    for (const one of excluded) round.exclude(one);
    if (manner.private) hideAmong(excluded, query, round);
    const wanted = wantedOf(query, Math.min(query.limit, STEP));
    await askFor(round, new Map(ask.map((source) => [source, wanted])));
    const answer = await this.answerOf(query, round, () => this.reaching(query, round, query.offset));
    if (manner.ahead === true && answer.list !== undefined) this.readAhead(query, round, answer.list.merged);
    return answer;
  }

  /**
   * Has what the next page needs of the fronts of streams fetched before it is asked for: who has come to a page behind the first goes on, most
   * likely. Nobody waits for it, and what fails is asked for anew by who needs it.
   */
  private readAhead(query: Query, round: Round<Asked>, { sets }: MergedSet): void {
    const { offset, limit } = query;
    if (offset === 0 || !sets.some(({ goesOn }) => goesOn)) return;
    const next = offset + limit;
    void this.reaching(query, round, next)
      .then((merged) => this.merged.page({ ...query, offset: next }, merged))
      .catch(() => undefined);
  }

  /**
   * The merged set of what came. Of a source that gave the front of a stream more is fetched as long as that is read to its end before the page
   * from `offset` on is full: what comes next may stand behind it. Where that made the page no fuller, as among very many that are equal in the order,
   * twice as much is fetched the next time.
   */
  private async reaching(query: Query, round: Round<Asked>, offset: number): Promise<MergedSet> {
    let [least, before] = [Math.min(query.limit, STEP), Infinity];
    for (;;) {
      const merged = this.merged.of(query, setsOf(round));
      const fronts = merged.sets.filter(({ goesOn }) => goesOn);
      const lack = fronts.length === 0 ? undefined : await merged.lack(offset, query.limit);
      if (lack === undefined) return merged;
      if (lack.missing >= before) least *= 2;
      before = lack.missing;
      const more = Math.max(least, Math.ceil(lack.missing / fronts.length));
      const lacking = this.sources.flatMap((source) => {
        const set = setOf(round.of(source));
        if (set === undefined || !lack.sets.has(set)) return [];
        return [[source, wantedOf(query, further(query, set, more))] as const];
      });
      await askFor(round, new Map(lacking));
    }
  }

  private round(sources: readonly Asked[], manner: Manner): Round<Asked> {
    const share = (part: number): number => Math.ceil(this.deadline * part);
    return new Round(sources, this.clock, manner, { all: share(ASKING_SHARE), relayed: share(RELAYED_SHARE) });
  }

  /**
   * One news item, by the id that the list shows: it names the source that owns it (decisions.md, section 4, "Ids"). A list of one;
   * an empty one when the owner says that there is no such item; undefined when no source owns the id.
   */
  async item(query: Query, id: number, manner: Manner = openly): Promise<Answer | undefined> {
    const owned = ownerOf(id, query.resource, this.sources);
    if (owned === undefined) return undefined;
    const { source, native } = owned;
    const round = this.round([source], manner);
    await round.ask(source, (asking) => source.item(native, asking));
    return this.answerOf(query, round, () => Promise.resolve(new MergedSet(query, setsOf(round), 1)));
  }

  private async answerOf(query: Query, round: Round<Asked>, merge: () => Promise<MergedSet>): Promise<Answer> {
    if (!this.suffices(round.outcomes)) return toldOf(round);
    const merged = await merge();
    // Reading further, a source may have failed.
    if (!this.suffices(round.outcomes)) return toldOf(round);
    const list = await this.listOf(query, round, merged);
    return { list, ...toldOf(round) };
  }

  /** Whether what came is a list: one that sources gave, or an empty one that needed none. */
  private suffices(outcomes: Answer['outcomes']): boolean {
    const given = outcomes.some(({ outcome }) => copyOf(outcome) !== undefined);
    const nobodyToAsk = outcomes.every(({ outcome }) => isNeedless(outcome));
    return (given || nobodyToAsk) && !this.lacksRequired(outcomes);
  }

  /** decisions.md, section 6: without a source that is registered as required, fresh or stale, no answer is given. */
  private lacksRequired(outcomes: Answer['outcomes']): boolean {
    return outcomes.some(
      ({ code, outcome }) => this.required.has(code) && !GIVING.has(outcome.state) && !isNeedless(outcome),
    );
  }

  private async listOf(query: Query, { outcomes, started }: Round<Asked>, merged: MergedSet): Promise<List> {
    const copies = outcomes.flatMap(({ outcome }) => copyOf(outcome) ?? []);
    const parts = partsOf(copies, await merged.newest());
    const { newest, unchangedSince } = outcomes.some(leadsBack) ? {} : datesOf(parts, started);
    const records = await this.merged.page(query, merged);
    const completeness = completenessOf(outcomes);
    return {
      merged,
      total: await merged.total(),
      records,
      ...(newest !== undefined && { newest }),
      completeness,
      ...(completeness === 'complete' && unchangedSince !== undefined && { unchangedSince }),
      leases: copies.flatMap(({ leases }) => leases),
    };
  }
}

/** Asks sources, each for what is wanted of it. */
async function askFor(round: Round<Asked>, sources: ReadonlyMap<Asked, Wanted>): Promise<void> {
  await Promise.all([...sources].map(([source, wanted]) => round.ask(source, (asking) => source.ask(wanted, asking))));
}

/** All that a source has for a query; or where that is too much, so many records at least of those that come first. */
function wantedOf(query: Query, first: number): Wanted {
  return { narrowed: { query, first }, ...query, readsKeys: readsKeys(query) };
}

/** How far a front is to reach next. Records beyond the resource's window are not fetched until the front reaches it: they may not be needed. */
function further({ resource: { window } }: Query, { records: { length } }: RecordSet, more: number): number {
  return length < window ? Math.min(length + more, window) : length + more;
}

function setOf(came: SourceOutcome<Copy> | undefined): RecordSet | undefined {
  return came && copyOf(came.outcome)?.set;
}

function setsOf({ outcomes }: Round<Asked>): readonly RecordSet[] {
  return outcomes.flatMap((one) => setOf(one) ?? []);
}

function toldOf({ outcomes, waited }: Round<Asked>): Pick<Answer, 'outcomes' | 'waited'> {
  return { outcomes, ...(waited && { waited }) };
}

function partsOf(copies: readonly Copy[], newest: readonly (number | undefined)[]): readonly Part[] {
  return copies.map(({ lastModified, since, floor }, at) => ({
    newest: later(newest[at], lastModified),
    since,
    floor,
  }));
}

/** Whether the source was left out though the query needs it: the set is another one without it, and no date tells which. */
function leadsBack({ outcome }: SourceOutcome<Copy>): boolean {
  return outcome.state === 'excluded' && outcome.reason === 'loop';
}

/** Whether the query did not need the source; one that leads back here was needed, and asked. */
function isNeedless(outcome: Outcome<Copy>): boolean {
  return outcome.state === 'excluded' && outcome.reason !== 'loop';
}

/**
 * Has the sources that a `source-name` excludes fetch the same as those that it names, and nobody wait for them: whom a private query
 * is about is not to be told by who is asked.
 */
function hideAmong(excluded: Plan<Asked>['excluded'], query: Query, round: Round<Asked>): void {
  for (const { source, reason } of excluded) {
    const asking = round.askingOf(source);
    if (reason !== 'resource') void source.ask(query, askingUntil(asking.signal, asking));
  }
}

function completenessOf(outcomes: Answer['outcomes']): Completeness {
  const states = new Set(outcomes.map(({ outcome }) => outcome.state));
  for (const state of ['fresh', 'excluded'] as const) states.delete(state);
  if (states.size === 0) return 'complete';
  return states.size === 1 && states.has('stale') ? 'stale' : 'partial';
}

function later(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
}
