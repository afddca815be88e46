import type { Outcome } from '../model/outcome.js';
import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';
import { markHopsBehindSource, serializeVia } from '../headers/via.js';
import type { DrainResult } from './record/drain-result.js';
import type { PageResponse, SourceFetch } from './body/source-fetch.js';
import { cloneDrafts } from './top-n/fetch-top-records.js';
import type { TopRecords } from './top-n/fetch-top-records.js';
import { ExtraPropertyFilter } from './record/extra-property-filter.js';
import { assignIds } from './record/record-ids.js';
import type { IdentifiedRecords } from './record/record-ids.js';
import { classifyDrain } from './drain-outcome.js';
import { completeKeys } from './keys/fingerprint-checks.js';
import { snapshotTimeToLive } from './drain/freshness-lifetime.js';
import { LoopFailure } from './client/loop-detection.js';
import { countDuplicatesAcrossPages, countMovedRecords, withRepeatedIdFinding } from './drain/page-drift.js';
import { SourcePageReader } from './source-page-reader.js';
import type { PageReadContext } from './source-page-reader.js';
import { requireReadableRecords } from './body/read-body.js';
import type { Registration, SourceServices } from './registration.js';
import type { Snapshot } from './snapshot/snapshot.js';
import { TopRecordsCheckPolicies } from './top-n/check-policy.js';
import { PageValidatorRecorder } from './drain/page-validators.js';
import type { SnapshotValidators } from './drain/page-validators.js';
import { runWithTimeout } from './client/timeout.js';
import { requirePushDownCorrect } from './top-n/push-down-check.js';
import { revalidate } from './drain/revalidate.js';
import type { UnchangedPages, RevalidationResult } from './drain/revalidate.js';
import { RequestSession } from './drain/request-session.js';
import { isListQuery } from './request/source-query.js';
import type { SourceQuery } from './request/source-query.js';

/** Longest drain, in milliseconds: what takes longer than this is never current. */
const DRAIN_TIMEOUT = 15 * 60_000;

/** A held copy that may only have to be verified; or, where it is a front that is still fresh, to reach further. */
export type PreviousSnapshot = RevalidatableSnapshot | ExtensibleSnapshot;

interface RevalidatableSnapshot {
  readonly snapshot: Snapshot;
  readonly validators: SnapshotValidators;
  readonly topRecords?: undefined;
}

interface ExtensibleSnapshot {
  readonly snapshot: Snapshot;
  readonly topRecords: TopRecords;
}

/** What a drain begins with: a front that is to reach further; or pages that came already, by URL. */
interface DrainStart {
  readonly previous?: ExtensibleSnapshot | undefined;
  readonly receivedReplies?: Map<string, PageResponse> | undefined;
}

/** What came of fetching it. */
export interface SnapshotFetchResult {
  readonly outcome: Outcome<Snapshot>;
  /** Where the source gave what the copy can be verified by. */
  readonly validators?: SnapshotValidators;
  /** Absent where nothing was drained: the known copy still holds, or the source leads back here. */
  readonly drainResult?: DrainResult<DraftRecord>;
  /** Of a front: what it takes to reach further. */
  readonly topRecords?: TopRecords;
}

/** A drain under way. */
interface DrainAttempt extends PageReadContext {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** A front that is to reach further. */
  readonly previous?: ExtensibleSnapshot;
  /** What came before, where it is drained once more. */
  readonly firstAttemptSet?: RecordSet;
}

/** What was made of a drain. */
interface BuiltSnapshot extends Pick<IdentifiedRecords, 'identicalPairs' | 'repeatedIdPairs'> {
  readonly snapshot: Snapshot;
}

/** What the records that are checked come from. */
interface CheckInput {
  readonly topRecords: TopRecords | undefined;
  readonly drainResult: DrainResult<DraftRecord>;
  readonly attempt: DrainAttempt;
}

/** Drains one source and judges what came, or finds that what is known of it still holds. */
export class SnapshotFetcher {
  private readonly via: string;
  private readonly pageReader: SourcePageReader;
  private readonly checkPolicies = new TopRecordsCheckPolicies();

  constructor(
    private readonly registration: Registration,
    private readonly fetch: SourceFetch,
    private readonly services: SourceServices,
  ) {
    this.via = serializeVia([services.gatewayName]);
    this.pageReader = new SourcePageReader(registration, services);
  }

  /**
   * Fetches everything that the wish names; where a copy of it is known, only if it has changed. Rejects when a page fails.
   */
  fetchSnapshot(wish: SourceQuery, known?: PreviousSnapshot): Promise<SnapshotFetchResult> {
    const started = this.services.clock.now();
    const orExcluded = (error: unknown): SnapshotFetchResult => this.toLoopExclusion(error);
    if (known === undefined || known.topRecords !== undefined)
      return this.drainLimited(started, wish, { previous: known }).catch(orExcluded);
    return this.revalidateSnapshot(wish, known.validators).then(
      (verdict) =>
        'validators' in verdict
          ? this.renewSnapshot(known.snapshot, verdict, started)
          : this.drainLimited(started, wish, { receivedReplies: verdict.changedReplies }).catch(orExcluded),
      orExcluded,
    );
  }

  /** What leads back here. Throws what else has failed. */
  private toLoopExclusion(error: unknown): SnapshotFetchResult {
    if (!(error instanceof LoopFailure)) throw error;
    return {
      outcome: { state: 'excluded', reason: 'loop', via: markHopsBehindSource(error.via, this.services.gatewayName) },
    };
  }

  /** Drains what is wished; `started` is when its source was first asked, in milliseconds since 1970. */
  private drainLimited(
    started: number,
    wish: SourceQuery,
    { previous: known, receivedReplies: given }: DrainStart,
  ): Promise<SnapshotFetchResult> {
    const drain = (): Promise<SnapshotFetchResult> =>
      this.drainWithTimeout(started, wish, { previous: known, receivedReplies: given });
    const { largeDrainLimiter: largeDrains } = this.services;
    return largeDrains !== undefined && wish.completeAtAnySize === true && isListQuery(wish)
      ? largeDrains(drain)
      : drain();
  }

  private drainWithTimeout(
    started: number,
    wish: SourceQuery,
    { previous: known, receivedReplies: given }: DrainStart,
  ): Promise<SnapshotFetchResult> {
    return runWithTimeout(DRAIN_TIMEOUT, this.services.stop, (signal) => {
      const begin = (came?: Map<string, PageResponse>): DrainAttempt => ({
        session: this.openSession(signal, came),
        validatorRecorder: new PageValidatorRecorder(),
        startedAt: started,
        firstPageRecords: [],
      });
      return this.drainAndCheck(wish, { ...begin(given), ...(known && { previous: known }) }, begin);
    });
  }

  /** What the source says of a copy, when it is asked whether that still holds. */
  private revalidateSnapshot(wish: SourceQuery, proof: SnapshotValidators): Promise<RevalidationResult> {
    const { stop, clock } = this.services;
    const { concurrency } = this.registration;
    return runWithTimeout(DRAIN_TIMEOUT, stop, (signal) =>
      revalidate(proof, {
        session: this.openSession(signal),
        expected: this.pageReader.reading(wish),
        concurrency,
        clock,
      }),
    );
  }

  /** A copy that still holds, as its source said when it was asked at `started` (milliseconds since 1970). */
  private renewSnapshot(
    copy: Snapshot,
    { validators: proof, freshUntil: until, via }: UnchangedPages,
    started: number,
  ): SnapshotFetchResult {
    const staleAt = Math.min(this.computeStaleAt(until), copy.fetchedAt + this.registration.maxUnverified);
    // A 304 may leave out what has not changed; what it says is so now, and a gateway may have gone.
    const told = via.size === 0 ? copy.via : [...via];
    const renewed = Object.assign({}, copy, { verifiedAt: started, staleAt, via: told });
    return { outcome: { state: 'fresh', snapshot: renewed }, validators: proof };
  }

  private openSession(signal: AbortSignal, given?: Map<string, PageResponse>): RequestSession {
    return new RequestSession({ fetch: this.fetch, via: this.via, signal }, given);
  }

  /** Drains what is wished; where the very same record comes on two pages, once more, for what moved while it was read comes otherwise then. */
  private async drainAndCheck(
    wish: SourceQuery,
    draining: DrainAttempt,
    begin: () => DrainAttempt,
  ): Promise<SnapshotFetchResult> {
    const { resource, pushDown: pushed } = wish;
    const now = this.services.clock.now();
    const policy = this.checkPolicies.policyFor(wish, now);
    const known = draining.previous?.topRecords;
    const front =
      pushed?.topRecords &&
      (await this.pageReader.fetchTopRecords(
        wish,
        { ...pushed.topRecords, previous: known, checkPolicy: policy },
        draining,
      ));
    const names = new ExtraPropertyFilter(resource, this.registration.provenance.registeredProperties);
    // A front that reaches further begins with its records as they came.
    const drained = await names.filterSource<DrainResult<DraftRecord>>(
      front ?? (await this.drainWithKeys(wish, draining)),
    );
    requireReadableRecords(drained, resource);
    this.checkPolicies.noteTotal(wish, drained.total);
    const {
      snapshot: copy,
      identicalPairs: alike,
      repeatedIdPairs: repeated,
    } = await this.buildSnapshot(wish, drained, { front, ...draining });
    if (pushed !== undefined) {
      await requirePushDownCorrect(
        await this.recordsToCheck(wish, copy, { topRecords: front, drainResult: drained, attempt: draining }),
        pushed,
        drained,
      );
      this.checkPolicies.notePassed(wish, policy, now);
    }
    const twice = countDuplicatesAcrossPages(front === undefined ? alike : [...alike, ...repeated], drained);
    const { firstAttemptSet: before, session: visit, validatorRecorder: testimony } = draining;
    // What comes twice each time the source lists twice: a front that was read anew for that is not read so for the same ones again.
    if (twice > (known?.duplicateCount ?? 0) && before === undefined)
      return this.drainAndCheck(wish, { ...begin(), firstAttemptSet: copy.set }, begin);
    const moved = before === undefined ? 0 : await countMovedRecords(twice, before, copy.set);
    const told = withRepeatedIdFinding(drained, drained.records.length - copy.set.records.length + moved);
    const { hasIncompleteUpstream: doubtful } = visit;
    // What a front reached before is vouched for by pages that were not asked for again.
    const { validators: proof } = draining.previous === undefined ? testimony : {};
    const { tolerates } = this.registration;
    const outcome = classifyDrain(copy, { drainResult: told, hasIncompleteUpstream: doubtful, tolerates });
    return {
      outcome,
      drainResult: told,
      ...(proof && { validators: proof }),
      ...(front && { topRecords: { ...front, duplicateCount: twice } }),
    };
  }

  /** The records that are held against what was claimed: those that are given, and those that were read only for that. */
  private async recordsToCheck(
    { resource }: SourceQuery,
    { set }: Snapshot,
    { topRecords: front, drainResult: drained, attempt: draining }: CheckInput,
  ): Promise<RecordSet> {
    const looked = front?.checkedRecords ?? [];
    if (front !== undefined && looked.length > 0)
      return (await this.buildRecordSet(resource, cloneDrafts([...front.records, ...looked]))).set;
    return drained.partialReason === 'too-large'
      ? (await this.buildRecordSet(resource, cloneDrafts(draining.firstPageRecords))).set
      : set;
  }

  private async drainWithKeys(wish: SourceQuery, draining: DrainAttempt): Promise<DrainResult<DraftRecord>> {
    const { keyReader: keys } = this.services;
    const drained = await this.pageReader.drain(wish, draining);
    return keys === undefined ? drained : completeKeys(drained, wish.resource, keys);
  }

  private async buildSnapshot(
    { resource }: SourceQuery,
    drained: DrainResult<DraftRecord>,
    {
      session: visit,
      validatorRecorder: testimony,
      startedAt: started,
      previous: known,
      front,
    }: DrainAttempt & { readonly front: TopRecords | undefined },
  ): Promise<BuiltSnapshot> {
    const { lastModified } = drained;
    // A front keeps its records as they came, for they are given ids anew when it reaches further.
    const records = front === undefined ? drained.records : cloneDrafts(drained.records);
    // What it began with is no younger for having grown.
    const { fetchedAt, verifiedAt } = known?.snapshot ?? { fetchedAt: started, verifiedAt: started };
    const staleAt = Math.min(this.computeStaleAt(testimony.freshUntil), known?.snapshot.staleAt ?? Infinity);
    const behind = front === undefined ? 0 : front.total - front.receivedCount;
    const { set, ...pairs } = await this.buildRecordSet(resource, records, {
      unfetchedCount: behind,
      isTruncated: drained.partialReason === 'window',
    });
    const copy = {
      set,
      fetchedAt,
      verifiedAt,
      since: this.services.clock.now(),
      staleAt,
      leases: [{ verifiedAt, staleAt, waitAt: staleAt + this.registration.staleWhileRevalidate, refreshing: false }],
      ...(lastModified !== undefined && { lastModified }),
      via: [...new Set([...(known?.snapshot.via ?? []), ...visit.via])],
    };
    return { snapshot: copy, ...pairs };
  }

  private async buildRecordSet(
    resource: Resource,
    drafts: readonly DraftRecord[],
    place: Partial<Pick<RecordSet, 'unfetchedCount' | 'isTruncated'>> = {},
  ): Promise<{ readonly set: RecordSet } & Pick<IdentifiedRecords, 'identicalPairs' | 'repeatedIdPairs'>> {
    const { code, number } = this.registration;
    const readAt = this.services.clock.now();
    const { records, sharedSlugIds: contested, ...pairs } = await assignIds(resource, code, drafts);
    return { set: new RecordSet(resource, number, records, { ...place, contestedIds: contested, readAt }), ...pairs };
  }

  /** The end of the time to live of what may be used until then (milliseconds since 1970). */
  private computeStaleAt(until: number): number {
    const { clock, random } = this.services;
    const now = clock.now();
    return now + snapshotTimeToLive(this.registration.ttl, until - now, random());
  }
}
