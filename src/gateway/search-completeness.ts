import type { SourceChangeDates } from './last-modified.js';

/**
 * When the searches of a gateway were last complete again. A search that lacks the present records of a source, because they
 * are not indexed, counts as another state of the list (decisions 7.6), although no snapshot has changed.
 */
export class SearchCompleteness {
  private isIncomplete = false;
  private completeSince: number | undefined;

  /** Notes a response that lacks the present records of a source. */
  noteIncomplete(): void {
    this.isIncomplete = true;
  }

  /** The dates of a complete response that is built at `now`, in milliseconds since 1970. */
  datesAt(now: number): readonly SourceChangeDates[] {
    if (this.isIncomplete) {
      this.isIncomplete = false;
      this.completeSince = now;
    }
    return this.completeSince === undefined ? [] : [{ since: this.completeSince, floor: Infinity }];
  }
}
