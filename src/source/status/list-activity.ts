import { getFailureDetail, isTooLarge } from '../../model/outcome.js';
import type { FailureDetail, Outcome } from '../../model/outcome.js';
import type { IncompleteReason } from '../../model/outcome-description.js';
import { cutText, showHiddenCharacters } from '../../text/visible-text.js';
import type { FindingCounts, FindingExamples } from '../record/findings.js';
import { countListedRecords } from '../snapshot/listed-records.js';
import type { Snapshot } from '../snapshot/snapshot.js';

/** Maximum number of remembered numbers of records. */
const MAX_COUNTS = 20;

/** Maximum length of the cause of an error, in characters. */
const MAX_DETAIL_LENGTH = 500;

/** A finished fetch of a list. Times are in milliseconds since 1970. */
export interface FinishedFetch {
  readonly at: number;
  /** What is served from now on. */
  readonly outcome: Outcome<Snapshot>;
  /** Cause of a failure, for the operator. */
  readonly detail?: string;
  /** Absent if no records were received. */
  readonly findings?: FindingCounts | undefined;
  readonly examples?: FindingExamples | undefined;
  /** Whether another instance of this gateway fetched (operation 2.5.4). Absent: no. */
  readonly isAdopted?: boolean;
}

export interface FetchError {
  readonly at: number;
  readonly reason: IncompleteReason;
  readonly failureDetail: FailureDetail;
  readonly detail?: string;
}

/** A number of records, and when it was first received. */
export interface RecordCount {
  readonly at: number;
  readonly records: number;
}

/** Findings of the last fetch that returned records. */
interface LatestFindings {
  readonly counts: FindingCounts;
  readonly examples: FindingExamples;
}

const NO_FINDINGS: LatestFindings = { counts: new Map(), examples: new Map() };

/** What the fetches of one list showed, for the operator (operation 3.5). It keeps no records, and is bounded. */
export class ListActivity {
  lastSuccess: number | undefined;
  /** Whether the last success was that of another instance of this gateway. */
  isAdopted = false;
  lastError: FetchError | undefined;
  /** When the first of the failures since the last success happened. */
  failingSince: number | undefined;
  consecutiveFailures = 0;
  /** Number of records of the last fetch, if it gave an incomplete list. Such a list is cached for seconds only. */
  incompleteCount: number | undefined;
  /** Whether the list has more records than the `drain-threshold`. */
  isLarge = false;
  findings = NO_FINDINGS;
  private counts: readonly RecordCount[] = [];

  /** The last numbers of records, oldest first. */
  get recordCounts(): readonly RecordCount[] {
    return this.counts;
  }

  /** Notes a fetch of the complete list. */
  note(fetch: FinishedFetch): void {
    const { at, outcome, findings: counts, examples = NO_FINDINGS.examples } = fetch;
    if (counts !== undefined) this.findings = { counts, examples };
    this.isLarge = isTooLarge(outcome);
    if (outcome.state === 'fresh') this.noteRecords(at, countListedRecords(outcome.snapshot.set));
    if (this.isLarge && 'total' in outcome) this.noteRecords(at, outcome.total);
    this.noteResult(fetch);
  }

  /** Notes whether a fetch of the list, or of a part of it, succeeded. That a list is large is no failure. */
  noteResult({ at, outcome, detail, isAdopted = false }: FinishedFetch): void {
    const isIncomplete = outcome.state === 'partial' || outcome.state === 'inconsistent';
    const incomplete = isIncomplete ? outcome.snapshot : undefined;
    this.incompleteCount = incomplete && countListedRecords(incomplete.set);
    if (outcome.state === 'fresh' || isTooLarge(outcome)) {
      this.lastSuccess = at;
      this.isAdopted = isAdopted;
      this.consecutiveFailures = 0;
      this.failingSince = undefined;
      return;
    }
    this.consecutiveFailures += 1;
    this.failingSince ??= at;
    // `excluded` after a fetch means that the source leads back to this gateway.
    const reason = outcome.state === 'excluded' ? 'loop' : outcome.reason;
    const failureDetail = getFailureDetail(outcome);
    this.lastError = { at, reason, failureDetail, ...(detail !== undefined && { detail: boundDetail(detail) }) };
  }

  /** Returns the number of records at a time, in milliseconds since 1970; undefined if it is not known any more. */
  recordsAt(time: number): number | undefined {
    return this.counts.findLast(({ at }) => at <= time)?.records;
  }

  private noteRecords(at: number, records: number): void {
    if (this.counts.at(-1)?.records === records) return;
    this.counts = [...this.counts, { at, records }].slice(-MAX_COUNTS);
  }
}

function boundDetail(detail: string): string {
  const cut = cutText(detail, MAX_DETAIL_LENGTH);
  return showHiddenCharacters(cut === undefined ? detail : `${cut}…`);
}
