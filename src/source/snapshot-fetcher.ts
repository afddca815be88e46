import type { Outcome } from '../model/outcome.js';
import type { DraftRecord } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';
import { markHopsBehindSource, serializeVia } from '../headers/via.js';
import type { DrainResult } from './record/drain-result.js';
import type { PageResponse, SourceFetch } from './body/source-fetch-types.js';
import { cloneDrafts } from './top-n/fetch-top-records.js';
import type { TopRecords } from './top-n/top-records.js';
import { ExtraPropertyFilter } from './record/extra-property-filter.js';
import { assignIds } from './record/record-ids.js';
import type { IdentifiedRecords } from './record/record-ids.js';
import { classifyDrainResult } from './classify-drain-result.js';
import { completeKeys } from './keys/complete-key-records.js';
import { snapshotTimeToLive } from './drain/freshness-lifetime.js';
import { LoopFailure } from './client/loop-detection.js';
import { countDuplicatesAcrossPages, countMovedRecords, withRepeatedIdFinding } from './drain/page-drift.js';
import { SourceQueryReader } from './source-query-reader.js';
import type { SourceQueryReaderContext } from './source-query-reader.js';
import { requireReadableRecords } from './body/parse-page-body.js';
import type { SourceSettings, SourceServices } from './source-settings.js';
import type { Snapshot } from './snapshot/snapshot.js';
import { TopRecordsCheckPolicies } from './top-n/check-policy.js';
import { PageValidatorRecorder } from './drain/page-validators.js';
import type { SnapshotValidators } from './drain/page-validators.js';
import { runWithTimeout } from './client/timeout.js';
import { requirePushDownCorrect } from './top-n/push-down-check.js';
import { revalidate } from './drain/revalidate.js';
import type { UnchangedPages, RevalidationResult } from './drain/revalidate.js';
import { DrainRequests } from './drain/drain-requests.js';
import { isListQuery } from './request/source-query.js';
import type { SourceQuery } from './request/source-query.js';

/** Maximum duration of a drain, in milliseconds (decisions 5.8). */
const DRAIN_TIMEOUT = 15 * 60_000;

/** A snapshot that can be revalidated, or fresh top records that can be extended. */
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

/** What a drain starts with: top records to be extended, or responses that were received already, by URL. */
interface DrainStart {
  readonly previous?: ExtensibleSnapshot | undefined;
  readonly receivedReplies?: Map<string, PageResponse> | undefined;
}

/** Result of fetching a query. */
export interface SnapshotFetchResult {
  readonly outcome: Outcome<Snapshot>;
  /** Validators of the snapshot, if the source sent one for every page. */
  readonly validators?: SnapshotValidators;
  /**
   * The drained records. Absent if nothing was drained: the snapshot was revalidated, or the source leads back to this
   * gateway.
   */
  readonly drainResult?: DrainResult<DraftRecord>;
  /** State from which the top records can be extended. */
  readonly topRecords?: TopRecords;
}

/** One attempt to drain a query. */
interface DrainAttempt extends SourceQueryReaderContext {
  /** When the source was first contacted, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Top records to be extended. */
  readonly previous?: ExtensibleSnapshot;
  /** Records of the first attempt, if this is the second one. */
  readonly firstAttemptSet?: RecordSet;
}

/** A snapshot, and the pairs of records that may be duplicates. */
interface BuiltSnapshot extends Pick<IdentifiedRecords, 'identicalPairs' | 'repeatedIdPairs'> {
  readonly snapshot: Snapshot;
}

/** Input of the checks on a pushed-down query. */
interface CheckInput {
  readonly topRecords: TopRecords | undefined;
  readonly drainResult: DrainResult<DraftRecord>;
  readonly attempt: DrainAttempt;
}

/** Fetches the records of one source: drains them and classifies the result, or revalidates the previous snapshot. */
export class SnapshotFetcher {
  private readonly via: string;
  private readonly pageReader: SourceQueryReader;
  private readonly checkPolicies = new TopRecordsCheckPolicies();

  constructor(
    private readonly registration: SourceSettings,
    private readonly fetch: SourceFetch,
    private readonly services: SourceServices,
  ) {
    this.via = serializeVia([services.gatewayName]);
    this.pageReader = new SourceQueryReader(registration, services);
  }

  /**
   * Fetches the records of a query. A previous snapshot is revalidated, and drained only if it has changed; previous
   * top records are extended. Rejects when a page fails.
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

  /** Turns a loop failure into the outcome `excluded` (decisions 5.23). Throws any other error. */
  private toLoopExclusion(error: unknown): SnapshotFetchResult {
    if (!(error instanceof LoopFailure)) throw error;
    return {
      outcome: { state: 'excluded', reason: 'loop', via: markHopsBehindSource(error.via, this.services.gatewayName) },
    };
  }

  /**
   * Drains a query; a large list waits for its turn (decisions 5.10). `started` is when the source was first contacted,
   * in milliseconds since 1970.
   */
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

  /** Sends conditional requests for the pages of a snapshot (decisions 7.4). */
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

  /**
   * Renews the times of a snapshot that the source confirmed. `started` is when the source was contacted, in
   * milliseconds since 1970.
   */
  private renewSnapshot(
    copy: Snapshot,
    { validators: proof, freshUntil: until, via }: UnchangedPages,
    started: number,
  ): SnapshotFetchResult {
    const staleAt = Math.min(this.computeStaleAt(until), copy.fetchedAt + this.registration.maxUnverified);
    // A 304 may omit `Via`; then the earlier names remain. Otherwise its names replace them, because a gateway may have
    // left (decisions 5.22).
    const told = via.size === 0 ? copy.via : [...via];
    const renewed = Object.assign({}, copy, { verifiedAt: started, staleAt, via: told });
    return { outcome: { state: 'fresh', snapshot: renewed }, validators: proof };
  }

  private openSession(signal: AbortSignal, given?: Map<string, PageResponse>): DrainRequests {
    return new DrainRequests({ fetch: this.fetch, via: this.via, signal }, given);
  }

  /**
   * Drains a query and checks the result. If an identical record was received on two pages, the query is drained once
   * more: duplicates of the source appear again, records that moved between the pages do not (decisions 5.7).
   */
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
    // `front` keeps its records unfiltered, because an extension starts with the records as received.
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
    // Records that the source lists twice in every reading do not cause a second reading again (decisions 5.15).
    if (twice > (known?.duplicateCount ?? 0) && before === undefined)
      return this.drainAndCheck(wish, { ...begin(), firstAttemptSet: copy.set }, begin);
    const moved = before === undefined ? 0 : await countMovedRecords(twice, before, copy.set);
    const told = withRepeatedIdFinding(drained, drained.records.length - copy.set.records.length + moved);
    const { hasIncompleteUpstream: doubtful } = visit;
    // Extended top records contain records of pages that were not requested this time. They have no validators.
    const { validators: proof } = draining.previous === undefined ? testimony : {};
    const { tolerates } = this.registration;
    const outcome = classifyDrainResult(copy, { drainResult: told, hasIncompleteUpstream: doubtful, tolerates });
    return {
      outcome,
      drainResult: told,
      ...(proof && { validators: proof }),
      ...(front && { topRecords: { ...front, duplicateCount: twice } }),
    };
  }

  /**
   * Returns the records to be checked against the declared capabilities: those of the snapshot and those that were
   * fetched only for checks. Of a result that is too large only the first page was kept.
   */
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
    // Top records are kept without ids, because an extension assigns all ids again. The snapshot gets copies.
    const records = front === undefined ? drained.records : cloneDrafts(drained.records);
    // An extension is as old as the records that it started with.
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

  /**
   * Computes the end of the time to live. `until` is the end of the lifetime that the source allows. Both are in
   * milliseconds since 1970.
   */
  private computeStaleAt(until: number): number {
    const { clock, random } = this.services;
    const now = clock.now();
    return now + snapshotTimeToLive(this.registration.ttl, until - now, random());
  }
}
