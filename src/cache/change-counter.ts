/**
 * Counts changes of the cached snapshots, so that data computed from them can be checked for validity
 * (decisions 7.6).
 */
export class ChangeCounter {
  /** Incremented when a cached snapshot or result is replaced by another, or counts as changed. */
  changes = 0;
  /** Incremented when the records are unchanged and only their times or the state of a refresh changed. */
  renewals = 0;
  /**
   * Whether dates of answers that were computed since the last change are valid. They are not while other instances may
   * serve something else (operation 2.5.4).
   */
  areDatesValid: () => boolean = () => true;
}
