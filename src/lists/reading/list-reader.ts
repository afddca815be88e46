import type { Outcome } from '../../model/outcome.js';
import type { DraftRecord } from '../../model/record.js';
import type { TraceSpan } from '../../model/tracer.js';
import type { Resource } from '../../model/resource.js';
import { RecordSet } from '../../records/record-set.js';
import { listNamesAfter, serializeVia } from '../../headers/via.js';
import type { DrainResult } from '../../source/record/drain-result.js';
import { listUnreadProperties } from '../../source/record/findings.js';
import type { FindingExamples } from '../../source/record/findings.js';
import type { PageResponse, SourceFetch } from '../../source/body/source-fetch-types.js';
import { ExtraPropertyFilter } from '../../source/record/extra-property-filter.js';
import { assignIds } from '../../source/record/record-ids.js';
import type { IdentifiedRecords } from '../../source/record/record-ids.js';
import { classifyDrainResult } from './classify-drain-result.js';
import { completeKeys } from '../../source/keys/complete-key-records.js';
import { snapshotTimeToLive } from './freshness-lifetime.js';
import { LoopFailure } from '../../source/client/loop-detection.js';
import { countDuplicatesAcrossPages, countMovedRecords, withIdFindings } from '../pages/page-drift.js';
import { QueryReader } from './query-reader.js';
import type { QueryReaderContext } from './query-reader.js';
import { requireReadableRecords } from '../../source/body/parse-page-body.js';
import { requireKnownValues } from './lost-values.js';
import type { SourceSettings, SourceServices } from '../../source/source-settings.js';
import type { Snapshot } from '../snapshot.js';
import { TopRecordsCheckPolicies } from '../push-down/check-policy.js';
import type { TopRecordsCheckPolicy } from '../push-down/check-policy.js';
import { PageValidatorRecorder } from './page-validators.js';
import type { SnapshotValidators } from './page-validators.js';
import { runWithTimeout } from '../../source/client/timeout.js';
import { requirePushDownCorrect } from '../push-down/push-down-check.js';
import { revalidate } from './revalidate.js';
import type { UnchangedPages, RevalidationResult } from './revalidate.js';
import { DrainRequests } from './drain-requests.js';
import { isListQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';

/** In milliseconds (decisions 5.8). */
const DRAIN_TIMEOUT = 15 * 60_000;

/** Milliseconds after a complete drain in which a 304 of the source is trusted (decisions 7.5). */
export const MAX_UNVERIFIED_MS = 3_600_000;

export interface PreviousSnapshot {
  readonly snapshot: Snapshot;
  readonly validators: SnapshotValidators;
}

/** With the step of a trace that the fetch belongs to. */
interface FetchBasis {
  readonly previous: PreviousSnapshot | undefined;
  /** The snapshot that the result would replace. */
  readonly last: Snapshot | undefined;
  /** Absent: not traced. */
  readonly trace?: TraceSpan | undefined;
}

/** Responses already received, by URL. */
interface DrainStart extends Pick<FetchBasis, 'trace'> {
  readonly receivedReplies?: Map<string, PageResponse> | undefined;
}

export interface ListReadResult {
  readonly outcome: Outcome<Snapshot>;
  /** Absent unless the source sent one for every page. */
  readonly validators?: SnapshotValidators;
  /** Absent if the snapshot was revalidated, or the source leads back to this gateway. */
  readonly drainResult?: DrainResult<DraftRecord>;
  /** For the operator. Absent if nothing was drained. */
  readonly findingExamples?: FindingExamples;
}

interface DrainAttempt extends QueryReaderContext {
  /** When the source was first contacted, in milliseconds since 1970. */
  readonly startedAt: number;
  /** Only in a second attempt. */
  readonly firstAttemptSet?: RecordSet;
}

interface BuiltSnapshot extends Omit<IdentifiedRecords, 'records' | 'contestedIds'> {
  readonly snapshot: Snapshot;
}

/** With what the attempt received. */
interface DrainedAttempt {
  readonly attempt: DrainAttempt;
  readonly drainResult: DrainResult<DraftRecord>;
}

export class ListReader {
  private readonly via: string;
  private readonly pageReader: QueryReader;
  private readonly checkPolicies = new TopRecordsCheckPolicies();

  constructor(
    private readonly registration: SourceSettings,
    private readonly fetch: SourceFetch,
    private readonly services: SourceServices,
  ) {
    this.via = serializeVia([services.gatewayName]);
    this.pageReader = new QueryReader(registration, services);
  }

  /** Drains only what revalidation shows to have changed. Rejects when a page fails. */
  async fetchSnapshot(query: SourceQuery, basis: FetchBasis): Promise<ListReadResult> {
    const { last } = basis;
    const fetched = await this.fetchOrRevalidate(query, basis);
    if (fetched.drainResult !== undefined) requireKnownValues(fetched.drainResult.expressions, last?.expressions);
    return fetched;
  }

  private async fetchOrRevalidate(
    query: SourceQuery,
    { previous, trace }: Pick<FetchBasis, 'previous' | 'trace'>,
  ): Promise<ListReadResult> {
    const started = this.services.clock.now();
    const orExcluded = (error: unknown): ListReadResult => this.toLoopExclusion(error);
    if (previous === undefined) return this.drainLimited(started, query, { trace }).catch(orExcluded);
    return this.revalidateSnapshot(query, previous.validators, trace).then(
      (verdict) =>
        'validators' in verdict
          ? this.renewSnapshot(previous.snapshot, verdict, started)
          : this.drainLimited(started, query, { receivedReplies: verdict.changedReplies, trace }).catch(orExcluded),
      orExcluded,
    );
  }

  /** A loop failure becomes `excluded` (decisions 5.23); others are thrown. */
  private toLoopExclusion(error: unknown): ListReadResult {
    if (!(error instanceof LoopFailure)) throw error;
    return {
      outcome: { state: 'excluded', reason: 'loop', via: listNamesAfter(this.services.gatewayName, error.via) },
    };
  }

  /** A large list waits for its turn (decisions 5.10). `started`: first contact, in milliseconds since 1970. */
  private drainLimited(started: number, query: SourceQuery, start: DrainStart): Promise<ListReadResult> {
    const drain = (): Promise<ListReadResult> => this.drainWithTimeout(started, query, start);
    const { largeDrainLimiter: largeDrains } = this.services;
    return largeDrains !== undefined && query.completeAtAnySize === true && isListQuery(query)
      ? largeDrains(drain)
      : drain();
  }

  private drainWithTimeout(
    started: number,
    query: SourceQuery,
    { receivedReplies, trace }: DrainStart,
  ): Promise<ListReadResult> {
    return runWithTimeout(DRAIN_TIMEOUT, this.services.stop, (signal) => {
      const begin = (replies?: Map<string, PageResponse>): DrainAttempt => ({
        session: this.openSession(signal, { receivedReplies: replies, trace }),
        validatorRecorder: new PageValidatorRecorder(),
        startedAt: started,
        firstPageRecords: [],
      });
      return this.drainAndCheck(query, begin(receivedReplies), begin);
    });
  }

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

  /** The source confirmed it. `started`: contact with the source, in milliseconds since 1970. */
  private renewSnapshot(
    snapshot: Snapshot,
    { validators, freshUntil, via }: UnchangedPages,
    started: number,
  ): ListReadResult {
    const staleAt = Math.min(this.computeStaleAt(freshUntil), snapshot.fetchedAt + MAX_UNVERIFIED_MS);
    // A 304 may omit `Via`: earlier names remain. Otherwise its names replace them, because a gateway may have left
    // (decisions 5.22).
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
   * Drains once more if an identical record was on two pages: duplicates of the source appear again, records that moved
   * do not (decisions 5.7).
   */
  private async drainAndCheck(
    query: SourceQuery,
    attempt: DrainAttempt,
    begin: () => DrainAttempt,
  ): Promise<ListReadResult> {
    const { pushDown } = query;
    const now = this.services.clock.now();
    const checkPolicy = this.checkPolicies.policyFor(query, now);
    const drainResult = await this.readRecords(query, attempt, checkPolicy);
    const drained = { drainResult, attempt };
    this.checkPolicies.noteTotal(query, drainResult.total);
    const built = await this.buildSnapshot(query, drainResult, attempt);
    const { set } = built.snapshot;
    const duplicateCount = countDuplicates(query, built, drainResult);
    // Records that moved between pages would look misplaced in the order.
    if (duplicateCount > 0 && attempt.firstAttemptSet === undefined)
      return this.drainAndCheck(query, { ...begin(), firstAttemptSet: set }, begin);
    if (pushDown !== undefined) {
      await requirePushDownCorrect(await this.recordsToCheck(query, set, drained), pushDown, drainResult);
      this.checkPolicies.notePassed(query, checkPolicy, now);
    }
    return this.classifyAttempt(query, built, drained, duplicateCount);
  }

  private async readRecords(
    query: SourceQuery,
    attempt: DrainAttempt,
    checkPolicy: TopRecordsCheckPolicy,
  ): Promise<DrainResult<DraftRecord>> {
    const { resource } = query;
    const names = new ExtraPropertyFilter(resource, this.registration.provenance.registeredProperties);
    const received = await names.filterSource(await this.drainWithKeys(query, attempt, checkPolicy));
    requireReadableRecords(received, resource);
    return received;
  }

  private async classifyAttempt(
    { resource }: SourceQuery,
    { snapshot, repeatedIdPairs, collisions }: BuiltSnapshot,
    { drainResult, attempt }: DrainedAttempt,
    duplicateCount: number,
  ): Promise<ListReadResult> {
    const { firstAttemptSet: before, session, validatorRecorder } = attempt;
    const movedCount = before === undefined ? 0 : await countMovedRecords(duplicateCount, before, snapshot.set);
    const leftOut = drainResult.records.length - snapshot.set.records.length;
    // Of teams, only copies are left out (decisions 4.18): a team listed twice does not mean that another is missing.
    const isOfTeams = resource.idKind === 'slug' || resource.idKind === 'hidden';
    const result = withIdFindings(drainResult, {
      copies: isOfTeams ? leftOut : 0,
      repeated: (isOfTeams ? 0 : leftOut) + movedCount,
      // Teams with the same id are all kept, each with another id.
      shared: resource.idKind === 'slug' ? new Set(repeatedIdPairs.flat()).size : 0,
      collisions,
    });
    const { hasIncompleteUpstream, findingExamples } = session;
    const { validators } = validatorRecorder;
    const { tolerates } = this.registration;
    return {
      outcome: classifyDrainResult(snapshot, { drainResult: result, hasIncompleteUpstream, tolerates }),
      drainResult: result,
      findingExamples,
      ...(validators && { validators }),
    };
  }

  /**
   * For declared capabilities: the snapshot's records and those fetched only for checks. Of a too large result only the
   * first page was kept.
   */
  private async recordsToCheck(
    { resource }: SourceQuery,
    set: RecordSet,
    { drainResult, attempt }: DrainedAttempt,
  ): Promise<RecordSet> {
    const { records, checkedRecords = [], partialReason } = drainResult;
    const drafts =
      partialReason === 'too-large'
        ? attempt.firstPageRecords
        : checkedRecords.length > 0
          ? [...records, ...checkedRecords]
          : undefined;
    if (drafts === undefined) return set;
    // The ids of the snapshot's own records stay.
    const copies = drafts.map((draft) => draft.withoutId());
    return (await this.buildRecordSet(resource, copies)).set;
  }

  private async drainWithKeys(
    query: SourceQuery,
    attempt: DrainAttempt,
    checkPolicy: TopRecordsCheckPolicy,
  ): Promise<DrainResult<DraftRecord>> {
    const { keyReader: keys } = this.services;
    const drainResult = await this.pageReader.drain(query, attempt, checkPolicy);
    const source = this.registration.code;
    return keys === undefined ? drainResult : completeKeys(drainResult, query.resource, { reader: keys, source });
  }

  private async buildSnapshot(
    { resource, pushDown }: SourceQuery,
    drainResult: DrainResult<DraftRecord>,
    { session, validatorRecorder, startedAt: started }: DrainAttempt,
  ): Promise<BuiltSnapshot> {
    const { records, receivedCount, total = 0, lastModified, expressions, findings } = drainResult;
    const staleAt = this.computeStaleAt(validatorRecorder.freshUntil);
    const unfetchedCount = pushDown?.topRecords === undefined ? 0 : Math.max(0, total - receivedCount);
    const { set, ...pairs } = await this.buildRecordSet(resource, records, {
      unfetchedCount,
      isTruncated: drainResult.partialReason === 'window',
    });
    const unread = listUnreadProperties(findings, resource).filter((name) => this.isReadFromRecords(resource, name));
    const snapshot = {
      set,
      fetchedAt: started,
      verifiedAt: started,
      staleAt,
      lists: [],
      ...(lastModified !== undefined && { lastModified }),
      ...(expressions && { expressions }),
      ...(unread.length > 0 && { unreadProperties: unread }),
      via: [...session.via],
    };
    return { snapshot, ...pairs };
  }

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

  /** From the lifetime that the source allows; in milliseconds since 1970. */
  private computeStaleAt(freshUntil: number): number {
    const { clock, random } = this.services;
    const now = clock.now();
    return now + snapshotTimeToLive(this.registration.ttl, freshUntil - now, random());
  }
}

/** Identical records on different pages; of top records, also those with the same id. */
function countDuplicates(
  { pushDown }: SourceQuery,
  { identicalPairs, repeatedIdPairs }: BuiltSnapshot,
  drainResult: DrainResult<DraftRecord>,
): number {
  const pairs = pushDown?.topRecords === undefined ? identicalPairs : [...identicalPairs, ...repeatedIdPairs];
  return countDuplicatesAcrossPages(pairs, drainResult);
}
