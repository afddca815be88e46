import type { Outcome } from '../model/outcome.js';
import type { DraftRecord } from '../model/record.js';
import type { TraceSpan } from '../model/tracer.js';
import type { Resource } from '../model/resource.js';
import { RecordSet } from '../records/record-set.js';
import { listNamesAfter, serializeVia } from '../headers/via.js';
import type { DrainResult } from './record/drain-result.js';
import { listUnreadProperties } from './record/findings.js';
import type { FindingExamples } from './record/findings.js';
import type { PageResponse, SourceFetch } from './body/source-fetch-types.js';
import { cloneDrafts } from './top-n/fetch-top-records.js';
import type { TopRecords } from './top-n/top-records.js';
import { ExtraPropertyFilter } from './record/extra-property-filter.js';
import { assignIds } from './record/record-ids.js';
import type { IdentifiedRecords } from './record/record-ids.js';
import { classifyDrainResult } from './classify-drain-result.js';
import { completeKeys } from './keys/complete-key-records.js';
import { snapshotTimeToLive } from './snapshot/freshness-lifetime.js';
import { LoopFailure } from './client/loop-detection.js';
import { countDuplicatesAcrossPages, countMovedRecords, withIdFindings } from './drain/page-drift.js';
import { SourceQueryFetcher } from './source-query-fetcher.js';
import type { SourceQueryFetcherContext } from './source-query-fetcher.js';
import { requireReadableRecords } from './body/parse-page-body.js';
import { requireKnownValues } from './snapshot/lost-values.js';
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

/** Milliseconds after a complete drain in which a 304 of the source is trusted (decisions 7.5). */
export const MAX_UNVERIFIED_MS = 3_600_000;

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

/** The snapshots that a fetch starts from, and the step of a trace that it belongs to. */
export interface FetchBasis {
  readonly previous: PreviousSnapshot | undefined;
  /** The snapshot that the result would replace. */
  readonly last: Snapshot | undefined;
  /** Span of the refresh. Absent: the fetch is not traced. */
  readonly trace?: TraceSpan | undefined;
}

/** What a drain starts with: top records to be extended, or responses that were received already, by URL. */
interface DrainStart extends Pick<FetchBasis, 'trace'> {
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
  /** Records with findings, for the operator. Absent if nothing was drained. */
  readonly findingExamples?: FindingExamples;
  /** State from which the top records can be extended. */
  readonly topRecords?: TopRecords;
}

interface DrainAttempt extends SourceQueryFetcherContext {
  /** When the source was first contacted, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Top records to be extended. */
  readonly previous?: ExtensibleSnapshot;
  /** Records of the first attempt, if this is the second one. */
  readonly firstAttemptSet?: RecordSet;
}

/** A snapshot, and the pairs of records that may be duplicates. */
interface BuiltSnapshot extends Omit<IdentifiedRecords, 'records' | 'contestedIds'> {
  readonly snapshot: Snapshot;
}

/** An attempt and what it received. */
interface DrainedAttempt {
  readonly attempt: DrainAttempt;
  /** Absent where all records of the query were drained. */
  readonly topRecords: TopRecords | undefined;
  /** The records of the snapshot. */
  readonly drainResult: DrainResult<DraftRecord>;
}

/** Fetches the records of one source: drains them and classifies the result, or revalidates the previous snapshot. */
export class SnapshotFetcher {
  private readonly via: string;
  private readonly pageReader: SourceQueryFetcher;
  private readonly checkPolicies = new TopRecordsCheckPolicies();

  constructor(
    private readonly registration: SourceSettings,
    private readonly fetch: SourceFetch,
    private readonly services: SourceServices,
  ) {
    this.via = serializeVia([services.gatewayName]);
    this.pageReader = new SourceQueryFetcher(registration, services);
  }

  /**
   * Fetches the records of a query. A previous snapshot is revalidated, and drained only if it has changed; previous
   * top records are extended. Rejects when a page fails.
   */
  async fetchSnapshot(query: SourceQuery, basis: FetchBasis): Promise<SnapshotFetchResult> {
    const { last } = basis;
    const fetched = await this.fetchOrRevalidate(query, basis);
    if (fetched.drainResult !== undefined) requireKnownValues(fetched.drainResult.expressions, last?.expressions);
    return fetched;
  }

  private async fetchOrRevalidate(
    query: SourceQuery,
    { previous, trace }: Pick<FetchBasis, 'previous' | 'trace'>,
  ): Promise<SnapshotFetchResult> {
    const started = this.services.clock.now();
    const orExcluded = (error: unknown): SnapshotFetchResult => this.toLoopExclusion(error);
    if (previous === undefined || previous.topRecords !== undefined)
      return this.drainLimited(started, query, { previous, trace }).catch(orExcluded);
    return this.revalidateSnapshot(query, previous.validators, trace).then(
      (verdict) =>
        'validators' in verdict
          ? this.renewSnapshot(previous.snapshot, verdict, started)
          : this.drainLimited(started, query, { receivedReplies: verdict.changedReplies, trace }).catch(orExcluded),
      orExcluded,
    );
  }

  /** Turns a loop failure into the outcome `excluded` (decisions 5.23). Throws any other error. */
  private toLoopExclusion(error: unknown): SnapshotFetchResult {
    if (!(error instanceof LoopFailure)) throw error;
    return {
      outcome: { state: 'excluded', reason: 'loop', via: listNamesAfter(this.services.gatewayName, error.via) },
    };
  }

  /**
   * Drains a query; a large list waits for its turn (decisions 5.10). `started` is when the source was first contacted,
   * in milliseconds since 1970.
   */
  private drainLimited(started: number, query: SourceQuery, start: DrainStart): Promise<SnapshotFetchResult> {
    const drain = (): Promise<SnapshotFetchResult> => this.drainWithTimeout(started, query, start);
    const { largeDrainLimiter: largeDrains } = this.services;
    return largeDrains !== undefined && query.completeAtAnySize === true && isListQuery(query)
      ? largeDrains(drain)
      : drain();
  }

  private drainWithTimeout(
    started: number,
    query: SourceQuery,
    { previous, receivedReplies, trace }: DrainStart,
  ): Promise<SnapshotFetchResult> {
    return runWithTimeout(DRAIN_TIMEOUT, this.services.stop, (signal) => {
      const begin = (replies?: Map<string, PageResponse>): DrainAttempt => ({
        session: this.openSession(signal, { receivedReplies: replies, trace }),
        validatorRecorder: new PageValidatorRecorder(),
        startedAt: started,
        firstPageRecords: [],
      });
      return this.drainAndCheck(query, { ...begin(receivedReplies), ...(previous && { previous }) }, begin);
    });
  }

  /** Sends conditional requests for the pages of a snapshot (decisions 7.4). */
  private revalidateSnapshot(
    query: SourceQuery,
    validators: SnapshotValidators,
    trace: TraceSpan | undefined,
  ): Promise<RevalidationResult> {
    const { stop, clock } = this.services;
    const { concurrency } = this.registration;
    return runWithTimeout(DRAIN_TIMEOUT, stop, (signal) =>
      revalidate(validators, {
        session: this.openSession(signal, { trace }),
        expected: this.pageReader.revalidationBody(query),
        concurrency,
        clock,
        isLinked: this.pageReader.isLinked(query),
      }),
    );
  }

  /**
   * Renews the times of a snapshot that the source confirmed. `started` is when the source was contacted, in
   * milliseconds since 1970.
   */
  private renewSnapshot(
    snapshot: Snapshot,
    { validators, freshUntil, via }: UnchangedPages,
    started: number,
  ): SnapshotFetchResult {
    const staleAt = Math.min(this.computeStaleAt(freshUntil), snapshot.fetchedAt + MAX_UNVERIFIED_MS);
    // A 304 may omit `Via`; then the earlier names remain. Otherwise its names replace them, because a gateway may have
    // left (decisions 5.22).
    const viaNames = via.size === 0 ? snapshot.via : [...via];
    const renewed = Object.assign({}, snapshot, { verifiedAt: started, staleAt, via: viaNames });
    return { outcome: { state: 'fresh', snapshot: renewed }, validators };
  }

  private openSession(
    signal: AbortSignal,
    { receivedReplies, trace }: Pick<DrainStart, 'receivedReplies' | 'trace'>,
  ): DrainRequests {
    return new DrainRequests({ fetch: this.fetch, via: this.via, signal, trace }, receivedReplies);
  }

  /**
   * Drains a query and checks the result. If an identical record was received on two pages, the query is drained once
   * more: duplicates of the source appear again, records that moved between the pages do not (decisions 5.7).
   */
  private async drainAndCheck(
    query: SourceQuery,
    attempt: DrainAttempt,
    begin: () => DrainAttempt,
  ): Promise<SnapshotFetchResult> {
    const { pushDown } = query;
    const now = this.services.clock.now();
    const checkPolicy = this.checkPolicies.policyFor(query, now);
    const previous = attempt.previous?.topRecords;
    const topRecords =
      pushDown?.topRecords &&
      (await this.pageReader.fetchTopRecords(query, { ...pushDown.topRecords, previous, checkPolicy }, attempt));
    const drainResult = await this.readRecords(query, topRecords, attempt);
    const drained = { topRecords, drainResult, attempt };
    this.checkPolicies.noteTotal(query, drainResult.total);
    const built = await this.buildSnapshot(query, drainResult, { topRecords, ...attempt });
    const { set } = built.snapshot;
    if (pushDown !== undefined) {
      await requirePushDownCorrect(await this.recordsToCheck(query, set, drained), pushDown, drainResult);
      this.checkPolicies.notePassed(query, checkPolicy, now);
    }
    const duplicateCount = countDuplicates(built, drained);
    // Records that the source lists twice in every reading do not cause a second reading again (decisions 5.15).
    if (duplicateCount > (previous?.duplicateCount ?? 0) && attempt.firstAttemptSet === undefined)
      return this.drainAndCheck(query, { ...begin(), firstAttemptSet: set }, begin);
    return this.classifyAttempt(query, built, drained, duplicateCount);
  }

  /** The records of the next snapshot: top records that were fetched, or else those of a drain. */
  private async readRecords(
    query: SourceQuery,
    topRecords: TopRecords | undefined,
    attempt: DrainAttempt,
  ): Promise<DrainResult<DraftRecord>> {
    const { resource } = query;
    const names = new ExtraPropertyFilter(resource, this.registration.provenance.registeredProperties);
    // `topRecords` keeps its records unfiltered, because an extension starts with the records as received.
    const received = await names.filterSource<DrainResult<DraftRecord>>(
      topRecords ?? (await this.drainWithKeys(query, attempt)),
    );
    requireReadableRecords(received, resource);
    return received;
  }

  /** Classifies the last attempt, with the findings about the ids of its records. */
  private async classifyAttempt(
    { resource }: SourceQuery,
    { snapshot, repeatedIdPairs, collisions }: BuiltSnapshot,
    { topRecords, drainResult, attempt }: DrainedAttempt,
    duplicateCount: number,
  ): Promise<SnapshotFetchResult> {
    const { firstAttemptSet: before, session, validatorRecorder } = attempt;
    const movedCount = before === undefined ? 0 : await countMovedRecords(duplicateCount, before, snapshot.set);
    const leftOut = drainResult.records.length - snapshot.set.records.length;
    // Of teams, only copies are left out (decisions 4.18). That a team is listed twice does not mean that another is missing.
    const isOfTeams = resource.idKind === 'slug' || resource.idKind === 'hidden';
    const result = withIdFindings(drainResult, {
      copies: isOfTeams ? leftOut : 0,
      repeated: (isOfTeams ? 0 : leftOut) + movedCount,
      // Teams with the same id are all kept, each with another id.
      shared: resource.idKind === 'slug' ? new Set(repeatedIdPairs.flat()).size : 0,
      collisions,
    });
    const { hasIncompleteUpstream, findingExamples } = session;
    // Extended top records contain records of pages that were not requested this time. They have no validators.
    const { validators } = attempt.previous === undefined ? validatorRecorder : {};
    const { tolerates } = this.registration;
    return {
      outcome: classifyDrainResult(snapshot, { drainResult: result, hasIncompleteUpstream, tolerates }),
      drainResult: result,
      findingExamples,
      ...(validators && { validators }),
      ...(topRecords && { topRecords: { ...topRecords, duplicateCount } }),
    };
  }

  /**
   * Returns the records to be checked against the declared capabilities: those of the snapshot and those that were
   * fetched only for checks. Of a result that is too large only the first page was kept.
   */
  private async recordsToCheck(
    { resource }: SourceQuery,
    set: RecordSet,
    { topRecords, drainResult, attempt }: DrainedAttempt,
  ): Promise<RecordSet> {
    const checkedRecords = topRecords?.checkedRecords ?? [];
    if (topRecords !== undefined && checkedRecords.length > 0)
      return (await this.buildRecordSet(resource, cloneDrafts([...topRecords.records, ...checkedRecords]))).set;
    return drainResult.partialReason === 'too-large'
      ? (await this.buildRecordSet(resource, cloneDrafts(attempt.firstPageRecords))).set
      : set;
  }

  private async drainWithKeys(query: SourceQuery, attempt: DrainAttempt): Promise<DrainResult<DraftRecord>> {
    const { keyReader: keys } = this.services;
    const drainResult = await this.pageReader.drain(query, attempt);
    const source = this.registration.code;
    return keys === undefined ? drainResult : completeKeys(drainResult, query.resource, { reader: keys, source });
  }

  private async buildSnapshot(
    { resource }: SourceQuery,
    drainResult: DrainResult<DraftRecord>,
    {
      session,
      validatorRecorder,
      startedAt: started,
      previous,
      topRecords,
    }: DrainAttempt & { readonly topRecords: TopRecords | undefined },
  ): Promise<BuiltSnapshot> {
    const { lastModified, expressions, findings } = drainResult;
    // Top records are kept without ids, because an extension assigns all ids again. The snapshot gets copies.
    const records = topRecords === undefined ? drainResult.records : cloneDrafts(drainResult.records);
    // An extension is as old as the records that it started with.
    const { fetchedAt, verifiedAt } = previous?.snapshot ?? { fetchedAt: started, verifiedAt: started };
    const staleAt = Math.min(this.computeStaleAt(validatorRecorder.freshUntil), previous?.snapshot.staleAt ?? Infinity);
    const unfetchedCount = topRecords === undefined ? 0 : topRecords.total - topRecords.receivedCount;
    const { set, ...pairs } = await this.buildRecordSet(resource, records, {
      unfetchedCount,
      isTruncated: drainResult.partialReason === 'window',
    });
    const unread = listUnreadProperties(findings, resource).filter((name) => this.isReadFromRecords(resource, name));
    const snapshot = {
      set,
      fetchedAt,
      verifiedAt,
      since: this.services.clock.now(),
      staleAt,
      leases: [{ verifiedAt, staleAt, waitAt: staleAt + this.registration.staleWhileRevalidate, refreshing: false }],
      ...(lastModified !== undefined && { lastModified }),
      ...(expressions && { expressions }),
      ...(unread.length > 0 && { unreadProperties: unread }),
      via: [...new Set([...(previous?.snapshot.via ?? []), ...session.via])],
    };
    return { snapshot, ...pairs };
  }

  /** Whether a property has the values of the source: Rollcall itself writes the source-name and the ids of teams. */
  private isReadFromRecords({ sourceNameProperty, idKind }: Resource, name: string): boolean {
    if (name === sourceNameProperty) return this.registration.provenance.isAggregate;
    return name !== 'id' || idKind !== 'slug';
  }

  private async buildRecordSet(
    resource: Resource,
    drafts: readonly DraftRecord[],
    setOptions: Partial<Pick<RecordSet, 'unfetchedCount' | 'isTruncated'>> = {},
  ): Promise<{ readonly set: RecordSet } & Omit<IdentifiedRecords, 'records' | 'contestedIds'>> {
    const { number: sourceNumber } = this.registration;
    const readAt = this.services.clock.now();
    const { records, contestedIds, ...pairs } = await assignIds(resource, this.registration, drafts);
    return {
      set: new RecordSet(resource, { sourceNumber }, records, { ...setOptions, contestedIds, readAt }),
      ...pairs,
    };
  }

  /**
   * Computes the end of the time to live. `until` is the end of the lifetime that the source allows. Both are in
   * milliseconds since 1970.
   */
  private computeStaleAt(freshUntil: number): number {
    const { clock, random } = this.services;
    const now = clock.now();
    return now + snapshotTimeToLive(this.registration.ttl, freshUntil - now, random());
  }
}

/** Counts the identical records on different pages. Of top records, those with the same id count too. */
function countDuplicates(
  { identicalPairs, repeatedIdPairs }: BuiltSnapshot,
  { topRecords, drainResult }: DrainedAttempt,
): number {
  const pairs = topRecords === undefined ? identicalPairs : [...identicalPairs, ...repeatedIdPairs];
  return countDuplicatesAcrossPages(pairs, drainResult);
}
