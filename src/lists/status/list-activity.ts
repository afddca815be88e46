import type { FetchFinished } from '../../events/event.js';
import { findSnapshot, getFailureDetail, isTooLarge } from '../../model/outcome.js';
import type { FailureDetail, IncompleteReason } from '../../model/reasons.js';
import { cutText, showHiddenCharacters } from '../../text/visible-text.js';
import type { FindingCounts, FindingExamples } from '../../source/record/findings.js';

/** Of remembered numbers of records. */
const MAX_COUNTS = 20;

/** Of an error's cause, in characters. */
const MAX_DETAIL_LENGTH = 500;

export interface FetchError {
  readonly at: number;
  readonly reason: IncompleteReason;
  readonly failureDetail: FailureDetail;
  readonly detail?: string;
}

/** `since`: when the number was first received. */
interface RecordCount {
  readonly at: number;
  readonly records: number;
}

/** Of the last fetch that returned records. */
interface LatestFindings {
  readonly counts: FindingCounts;
  readonly examples: FindingExamples;
}

const NO_FINDINGS: LatestFindings = { counts: new Map(), examples: new Map() };

/** What one list's fetches showed, for the operator (operation 3.5). It keeps no records, and is bounded. */
export class ListActivity {
  lastSuccess: number | undefined;
  /** The last success was another instance's. */
  isAdopted = false;
  lastError: FetchError | undefined;
  /** The first of the failures since the last success. */
  failingSince: number | undefined;
  consecutiveFailures = 0;
  /** Records of the last fetch, if its list was incomplete, which is cached for seconds only. */
  incompleteCount: number | undefined;
  /** Beyond the `drain-threshold`. */
  isLarge = false;
  findings = NO_FINDINGS;
  private counts: readonly RecordCount[] = [];

  /** Oldest first. */
  get recordCounts(): readonly RecordCount[] {
    return this.counts;
  }

  /** That a list is large is no failure. What a pushed-down query gives says nothing about the number of records. */
  note({ at, list, result, outcome: served, records, findings: counts, isAdopted }: FetchFinished): void {
    const outcome = result.kind === 'failed' ? result.failure : served;
    const isLarge = isTooLarge(outcome);
    if (list !== 'pushed') {
      const { examples = NO_FINDINGS.examples } = result.kind === 'drained' ? result.received : {};
      if (counts !== undefined) this.findings = { counts, examples };
      this.isLarge = isLarge;
      if (outcome.state === 'fresh') this.noteRecords(at, records);
      if (isLarge && 'total' in outcome) this.noteRecords(at, outcome.total);
    }
    const isIncomplete = outcome.state === 'partial' || outcome.state === 'inconsistent';
    this.incompleteCount = isIncomplete && findSnapshot(outcome) !== undefined ? records : undefined;
    if (outcome.state === 'fresh' || isLarge) {
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
    const detail = findDetail(result);
    const failureDetail = getFailureDetail(outcome);
    this.lastError = { at, reason, failureDetail, ...(detail !== undefined && { detail: boundDetail(detail) }) };
  }

  /** `time` is in milliseconds since 1970; undefined if the number is not known any more. */
  recordsAt(time: number): number | undefined {
    return this.counts.findLast(({ at }) => at <= time)?.records;
  }

  private noteRecords(at: number, records: number): void {
    if (this.counts.at(-1)?.records === records) return;
    this.counts = [...this.counts, { at, records }].slice(-MAX_COUNTS);
  }
}

function findDetail(result: FetchFinished['result']): string | undefined {
  if (result.kind === 'failed') return result.detail;
  return result.kind === 'drained' ? result.received.detail : undefined;
}

function boundDetail(detail: string): string {
  const cut = cutText(detail, MAX_DETAIL_LENGTH);
  return showHiddenCharacters(cut === undefined ? detail : `${cut}…`);
}
