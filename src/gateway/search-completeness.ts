import type { SourceChangeDates } from './last-modified.js';

/**
 * A search that lacks the present records of a source, because they are not indexed, counts as another state of the
 * list (decisions 7.6), although no snapshot has changed. The dates state when searches were last complete again.
 */
export class SearchCompleteness {
  private isIncomplete = false;
  private completeSince: number | undefined;

  noteIncomplete(): void {
    this.isIncomplete = true;
  }

  /** For a complete response that is built at `now`, in milliseconds since 1970. */
  datesAt(now: number): readonly SourceChangeDates[] {
    if (this.isIncomplete) {
      this.isIncomplete = false;
      this.completeSince = now;
    }
    return this.completeSince === undefined ? [] : [{ since: this.completeSince, floor: Infinity }];
  }
}
