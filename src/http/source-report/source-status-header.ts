import { MAX_NAMED_SOURCES, findSnapshot, needsAttention, reportFailureDetail } from '../../model/outcome.js';
import type { Outcome, SourceOutcome } from '../../model/outcome.js';
import type { Snapshot, UsedList } from '../../lists/snapshot.js';
import { serializeSourceStatus } from '../../headers/source-status.js';
import type { SourceStatusMember } from '../../headers/source-status.js';

/** Decisions 6.2. Clients reject a response with too large header fields. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** For the header fields, about one source. It references none of the source's records. */
export interface SourceContribution {
  readonly code: string;
  readonly state: Outcome<Snapshot>['state'];
  readonly reason?: string;
  /** Of a failure, as named parameters. */
  readonly detail: Readonly<Record<string, string | number>>;
  /** Absent where the source contributed no records. */
  readonly snapshot?: { readonly records: number; readonly lists: readonly UsedList[] };
}

export function createContributions(outcomes: readonly SourceOutcome<Snapshot>[]): readonly SourceContribution[] {
  return outcomes.map(({ code, outcome }) => {
    const snapshot = findSnapshot(outcome);
    return {
      code,
      state: outcome.state,
      ...('reason' in outcome && { reason: outcome.reason }),
      detail: reportFailureDetail(outcome),
      ...(snapshot && { snapshot: { records: snapshot.set.totalCount, lists: snapshot.lists } }),
    };
  });
}

/** `now` is in milliseconds since 1970. */
function formatSourceStatus(contributions: readonly SourceContribution[], now: number): string {
  if (contributions.length <= MAX_NAMED_SOURCES)
    return serializeSourceStatus(contributions.map((contribution) => toStatusMember(contribution, now)));
  const named = contributions.filter(needsAttention);
  const field = serializeSourceStatus([
    ...summarizeContributions(contributions),
    ...named.map((contribution) => toStatusMember(contribution, now)),
  ]);
  return field.length <= MAX_FIELD_LENGTH
    ? field
    : serializeSourceStatus([...summarizeContributions(contributions), ...groupByReason(named)]);
}

/** With the time at which one of its ages changes (milliseconds since 1970, exclusive). */
interface SourceStatusField {
  readonly text: string;
  readonly validUntil: number;
}

interface CachedSourceStatusField extends SourceStatusField {
  readonly validFrom: number;
  /** Changes when a snapshot is confirmed again. */
  readonly verifiedAtSum: number;
}

/** All pages of a merged list have the same field for up to a second. */
const cachedFields = new WeakMap<readonly SourceContribution[], CachedSourceStatusField>();

/** Formatted once until it changes. `now` is in milliseconds since 1970. */
export function getSourceStatusField(contributions: readonly SourceContribution[], now: number): SourceStatusField {
  const cached = cachedFields.get(contributions);
  const verified = contributions.reduce((sum, { snapshot }) => sum + (snapshot ? sumVerifiedAt(snapshot) : 0), 0);
  if (cached?.verifiedAtSum === verified && cached.validFrom <= now && now < cached.validUntil) return cached;
  const field = {
    text: formatSourceStatus(contributions, now),
    validUntil: nextAgeChange(contributions, now),
    validFrom: now,
    verifiedAtSum: verified,
  };
  cachedFields.set(contributions, field);
  return field;
}

function sumVerifiedAt({ lists }: ContributedSnapshot): number {
  return lists.reduce((sum, { times }) => sum + times.verifiedAt, 0);
}

/** In milliseconds since 1970; Infinity where the field has no age. */
function nextAgeChange(contributions: readonly SourceContribution[], now: number): number {
  const named = contributions.length <= MAX_NAMED_SOURCES ? contributions : contributions.filter(needsAttention);
  return Math.min(
    ...named.map(({ snapshot }) =>
      snapshot ? oldestVerifiedAt(snapshot) + (ageInSeconds(snapshot, now) + 1) * SECOND_MS : Infinity,
    ),
  );
}

const SECOND_MS = 1_000;

type ContributedSnapshot = Required<SourceContribution>['snapshot'];

/** A response built from several snapshots has the age of the oldest. */
function oldestVerifiedAt({ lists }: ContributedSnapshot): number {
  return Math.min(...lists.map(({ times }) => times.verifiedAt));
}

function ageInSeconds(snapshot: ContributedSnapshot, now: number): number {
  return Math.max(0, Math.floor((now - oldestVerifiedAt(snapshot)) / SECOND_MS));
}

/** By state and reason. The envelope's `sources` names each source (decisions 6.4). */
function groupByReason(contributions: readonly SourceContribution[]): SourceStatusMember[] {
  const groups = new Map<string, { state: string; reason: string; sources: number }>();
  for (const { state, reason = '' } of contributions) {
    const group = groups.get(`${state} ${reason}`) ?? { state, reason, sources: 0 };
    groups.set(`${state} ${reason}`, { ...group, sources: group.sources + 1 });
  }
  return [...groups.values()].map((parameters) => ({ code: '*', parameters }));
}

function toStatusMember(
  { code, state, reason, detail, snapshot }: SourceContribution,
  now: number,
): SourceStatusMember {
  const reasonParameters = reason === undefined ? {} : { reason, ...detail };
  return {
    code,
    parameters: {
      state,
      ...reasonParameters,
      ...(snapshot && { records: snapshot.records, age: ageInSeconds(snapshot, now) }),
    },
  };
}

function summarizeContributions(contributions: readonly SourceContribution[]): SourceStatusMember[] {
  const fresh = contributions.filter(({ state }) => state === 'fresh');
  const records = fresh.reduce((sum, { snapshot }) => sum + (snapshot?.records ?? 0), 0);
  const excluded = contributions.filter(({ state }) => state === 'excluded').length;
  return [
    ...toSummaryMember({ state: 'fresh', sources: fresh.length, records }),
    ...toSummaryMember({ state: 'excluded', sources: excluded }),
  ];
}

function toSummaryMember(parameters: { state: string; sources: number; records?: number }): SourceStatusMember[] {
  return parameters.sources === 0 ? [] : [{ code: '*', parameters }];
}
