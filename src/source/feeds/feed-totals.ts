import { findSnapshot } from '../../model/outcome.js';
import type { Outcome } from '../../model/outcome.js';
import { countListedRecords } from '../snapshot/listed-records.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import { combineFeedOutcomes } from './combine-feed-outcomes.js';

/** What one feed gave, without its records. */
interface FeedResult {
  readonly outcome: Outcome<true>;
  readonly records: number;
  /** When the feed was last queried, in milliseconds since 1970. Absent: there is no copy of it. */
  readonly fetchedAt?: number;
}

/** What the feeds of a source give together. */
export interface FeedTotal {
  readonly outcome: Outcome<true>;
  /** Number of items that the feeds have at present; an item of two feeds counts twice. */
  readonly records: number;
  /** When the feed was queried that was not queried for the longest time, in milliseconds since 1970. */
  readonly fetchedAt?: number;
}

/** Sums up the results of the feeds of a source for the metrics (operation 3.4). */
export class FeedTotals {
  /** By URL, the feeds that were fetched. */
  private readonly results = new Map<string, FeedResult>();

  /** `urls`: the registered feeds. Results of others are ignored. */
  constructor(private readonly urls: ReadonlySet<string>) {}

  /** Notes the result of a fetch, and returns what all feeds give now. */
  note(url: string, outcome: Outcome<Snapshot>): FeedTotal {
    const snapshot = findSnapshot(outcome);
    this.results.set(url, {
      outcome: withoutRecords(outcome),
      records: snapshot === undefined ? 0 : countListedRecords(snapshot.set),
      ...(snapshot && { fetchedAt: snapshot.verifiedAt }),
    });
    const results = [...this.results.values()];
    const times = results.flatMap(({ fetchedAt }) => fetchedAt ?? []);
    return {
      outcome: combineFeedOutcomes(results.map((result) => result.outcome)),
      records: results.reduce((sum, { records }) => sum + records, 0),
      ...(times.length > 0 && { fetchedAt: Math.min(...times) }),
    };
  }

  /** Takes over the results of an earlier configuration (operation 6.2). */
  continueFrom(previous: FeedTotals): void {
    for (const [url, result] of previous.results) if (this.urls.has(url)) this.results.set(url, result);
  }
}

function withoutRecords(outcome: Outcome<Snapshot>): Outcome<true> {
  switch (outcome.state) {
    case 'fresh':
      return { state: outcome.state, snapshot: true };
    case 'stale':
      return { state: outcome.state, reason: outcome.reason, snapshot: true };
    case 'inconsistent':
      return { state: outcome.state, reason: outcome.reason, snapshot: true };
    case 'partial':
      return { state: outcome.state, reason: outcome.reason, ...(findSnapshot(outcome) && { snapshot: true }) };
    case 'failed':
    case 'suspended':
    case 'excluded':
      return outcome;
  }
}
