import type { ListContent } from '../../events/event.js';
import type { Outcome } from '../../model/outcome.js';
import { combineFeedOutcomes } from './combine-feed-outcomes.js';

/** Of one feed, or of all feeds of a source together: an item of two feeds then counts twice. */
type FeedResult = Pick<ListContent, 'records' | 'verifiedAt'> & { readonly outcome: Outcome<unknown> };

/** Sums up the results of the feeds of a source for the metrics (operation 3.4). */
export class FeedTotals {
  /** By URL, the feeds that were fetched. */
  private readonly results = new Map<string, FeedResult>();

  /** `urls`: the registered feeds. Results of others are ignored. */
  constructor(private readonly urls: ReadonlySet<string>) {}

  /** Notes the result of a fetch, and returns what all feeds give now. It was verified as long ago as the oldest one. */
  note(url: string, { outcome, records, verifiedAt }: FeedResult): FeedResult {
    this.results.set(url, {
      outcome: withoutRecords(outcome),
      records,
      ...(verifiedAt !== undefined && { verifiedAt }),
    });
    const results = [...this.results.values()];
    const times = results.flatMap((result) => result.verifiedAt ?? []);
    return {
      outcome: combineFeedOutcomes(results.map((result) => result.outcome)),
      records: results.reduce((sum, result) => sum + result.records, 0),
      ...(times.length > 0 && { verifiedAt: Math.min(...times) }),
    };
  }

  /** Takes over the results of an earlier configuration (operation 6.2). */
  continueFrom(previous: FeedTotals): void {
    for (const [url, result] of previous.results) if (this.urls.has(url)) this.results.set(url, result);
  }
}

function withoutRecords(outcome: Outcome<unknown>): Outcome<unknown> {
  return 'snapshot' in outcome ? { ...outcome, snapshot: true } : outcome;
}
