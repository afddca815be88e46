import type { FederatedAnswer } from '../../gateway/gateway.js';
import { describeReason } from '../../model/reasons.js';
import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import type { Snapshot } from '../../lists/snapshot.js';

/** Contains no text that the repository sent with a failure. */
export interface SourceFact {
  readonly code: string;
  readonly sourceName: string;
  readonly state: Outcome<unknown>['state'];
  /** Why it contributed less than all of its current records, or was not asked. Undefined: all is well. */
  readonly reason?: string | undefined;
  /** When it last confirmed the shown records, in milliseconds since 1970. Absent: none are shown. */
  readonly verifiedAt?: number | undefined;
  /** Contributed records. Absent: none are shown. */
  readonly records?: number | undefined;
  /** It answered, and its present records could not be searched (decisions 2.40). */
  readonly isUnsearched: boolean;
}

/** For a list every registered source, by number; for a single record its owner. */
export function readSourceFacts(answer: FederatedAnswer | undefined): readonly SourceFact[] {
  return (answer?.outcomes ?? []).map(({ code, sourceName, outcome }) => {
    const snapshot = findSnapshot(outcome);
    return {
      code,
      sourceName,
      state: outcome.state,
      reason: describeState(outcome),
      isUnsearched: isUnsearched(outcome),
      ...(snapshot && {
        verifiedAt: Math.min(...snapshot.lists.map(({ times }) => times.verifiedAt)),
        records: snapshot.set.totalCount,
      }),
    };
  });
}

function isUnsearched(outcome: Outcome<Snapshot>): boolean {
  return (outcome.state === 'partial' || outcome.state === 'stale') && outcome.reason === 'index';
}

function describeState(outcome: Outcome<Snapshot>): string | undefined {
  if (outcome.state === 'fresh') return undefined;
  if (isUnsearched(outcome) && outcome.state === 'partial')
    return 'this gateway has not indexed its records yet, or they are too many to be indexed';
  return outcome.reason === 'source-name' ? 'another repository is selected' : describeReason(outcome);
}

export interface SourceSummary {
  readonly asked: number;
  /** Records are missing, all or some: an answer may lack teams. */
  readonly missing: readonly SourceFact[];
  /** The last known records are shown because the sources could not be asked again. */
  readonly stale: readonly SourceFact[];
}

export function summarizeSources(facts: readonly SourceFact[]): SourceSummary {
  const isMissing = ({ state }: SourceFact): boolean => !COMPLETE_STATES.has(state) && state !== 'stale';
  return {
    asked: facts.filter(({ state }) => state !== 'excluded').length,
    missing: facts.filter(isMissing),
    stale: facts.filter(({ state }) => state === 'stale'),
  };
}

const COMPLETE_STATES: ReadonlySet<SourceFact['state']> = new Set(['fresh', 'excluded']);
